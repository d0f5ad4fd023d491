// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/find_row.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "polyrx/core/infinity.hpp"
#include "polyrx/geometry/interior.hpp"

namespace polyrx {
namespace {

using Answer = FoundRow::Answer;

// Relative to a function's largest term: a linear program that misses by more has no solution.
constexpr double rounding = 1e-9;

class RowSearch {
public:
    RowSearch(const Domain& domain, std::span<const BoundCondition* const> conditions, const Progress& progress,
              int most_boxes)
        : conditions_(conditions),
          progress_(progress),
          domain_(domain),
          scratch_(Vector::Zero(domain.inputs())),
          most_boxes_(most_boxes) {}

    [[nodiscard]] FoundRow run() {
        search({conditions_.begin(), conditions_.end()});
        if (found_) return {Answer::found, *found_};
        return {unsure_ ? Answer::unknown : Answer::none, {}};
    }

private:
    // Alternatives, of which one must hold.
    using Choice = std::vector<const BoundCondition*>;

    // Searches a row where all of `pending` holds, within the domain and sums_. Returns whether it found one.
    bool search(std::vector<const BoundCondition*> pending, std::vector<Choice> choices = {}) {
        const Domain domain = domain_;
        const std::size_t sums = sums_.size();
        bool possible = take(pending, choices);
        // Choices with one alternative left may narrow the box.
        while (possible && settle(choices, pending)) possible = take(pending, choices);
        possible = possible && groups_possible() && settle_fills() && sums_possible();
        const bool done = possible && (choices.empty() ? find_in_box() : choose(choices));
        domain_ = domain;
        sums_.resize(sums);
        return done;
    }

    // Narrows the box by conditions that must hold; alternatives go to `choices`. Returns false if the box is empty.
    bool take(std::vector<const BoundCondition*>& pending, std::vector<Choice>& choices) {
        while (!pending.empty()) {
            const BoundCondition& next = *pending.back();
            pending.pop_back();
            if (next.kind == BoundCondition::Kind::half_space) {
                if (next.half_space.terms.size() == 1) {
                    if (!narrow(next.half_space)) return false;
                } else {
                    sums_.push_back(&next.half_space);
                }
            } else if (next.kind == BoundCondition::Kind::all_of || next.operands.size() == 1) {
                for (const BoundCondition& operand : next.operands) pending.push_back(&operand);
            } else if (next.operands.empty()) {
                return false;
            } else {
                Choice& choice = choices.emplace_back();
                for (const BoundCondition& operand : next.operands) choice.push_back(&operand);
            }
        }
        return true;
    }

    // Removes choices that every row of the box satisfies, and alternatives that no row does. The last alternative of a
    // choice becomes pending. Returns false if nothing became pending.
    bool settle(std::vector<Choice>& choices, std::vector<const BoundCondition*>& pending) {
        for (std::size_t i = choices.size(); i-- > 0;) {
            Choice& choice = choices[i];
            bool made = false;
            std::erase_if(choice, [&](const BoundCondition* alternative) {
                const Holds holds = in_box(*alternative);
                made = made || holds == Holds::yes;
                return holds == Holds::no;
            });
            if (!made && choice.empty()) {
                pending.push_back(&never_);
                return true;
            }
            if (!made && choice.size() > 1) continue;
            if (!made) pending.push_back(choice.front());
            choices.erase(choices.begin() + static_cast<std::ptrdiff_t>(i));
        }
        return !pending.empty();
    }

    // Whether the condition holds for all rows of the box, none, or perhaps; sums always count as perhaps.
    [[nodiscard]] Holds in_box(const BoundCondition& condition) {
        if (condition.kind == BoundCondition::Kind::half_space) {
            if (condition.half_space.terms.size() != 1) return Holds::perhaps;
            const Eigen::Index input = condition.half_space.terms.front().input;
            const auto holds_at = [&](double x) {
                scratch_[input] = x;
                return condition.half_space.holds(scratch_.data());
            };
            const bool low = holds_at(domain_.lower[input]);
            const bool high = holds_at(domain_.upper[input]);
            return low && high ? Holds::yes : low || high ? Holds::perhaps : Holds::no;
        }
        const bool all = condition.kind == BoundCondition::Kind::all_of;
        Holds result = all ? Holds::yes : Holds::no;
        for (const BoundCondition& operand : condition.operands)
            result = all ? std::min(result, in_box(operand)) : std::max(result, in_box(operand));
        return result;
    }

    // Returns false once there are too many boxes.
    bool count_box() {
        report(progress_, 0, "looking for rows");
        if (++boxes_ <= most_boxes_) return true;
        unsure_ = true;
        return false;
    }

    [[nodiscard]] bool all_hold(const Vector& row) const {
        return std::ranges::all_of(conditions_, [&](const auto* condition) { return condition->holds(row.data()); });
    }

    bool choose(const std::vector<Choice>& choices) {
        if (!count_box()) return false;
        // The fewest alternatives first.
        const auto first = std::ranges::min_element(choices, {}, &Choice::size) - choices.begin();
        for (const BoundCondition* alternative : choices[static_cast<std::size_t>(first)]) {
            std::vector<Choice> others = choices;
            others.erase(others.begin() + first);
            if (search({alternative}, std::move(others))) return true;
        }
        return false;
    }

    // w x + c > 0 or >= 0, in double precision.
    bool narrow(const HalfSpace& half_space) {
        const auto [input, weight] = half_space.terms.front();
        double bound = -half_space.constant / weight;
        const auto holds = [&](double x) {
            scratch_[input] = x;
            return half_space.holds(scratch_.data());
        };
        const double out = weight > 0 ? infinity : -infinity;
        // The quotient is rounded: the first number that satisfies the condition is one of its neighbors.
        for (int i = 0; i < 3; ++i) bound = std::nextafter(bound, -out);
        for (int i = 0; i < 8 && !holds(bound); ++i) bound = std::nextafter(bound, out);
        if (weight > 0)
            domain_.lower[input] = std::max(domain_.lower[input], bound);
        else
            domain_.upper[input] = std::min(domain_.upper[input], bound);
        if (domain_.integer[static_cast<std::size_t>(input)]) {
            domain_.lower[input] = std::ceil(domain_.lower[input]);
            domain_.upper[input] = std::floor(domain_.upper[input]);
        }
        return domain_.lower[input] <= domain_.upper[input];
    }

    [[nodiscard]] bool groups_possible() const {
        return std::ranges::all_of(domain_.groups, [&](const auto& group) {
            const auto must = std::ranges::count_if(group, [&](Eigen::Index i) { return domain_.lower[i] > 0; });
            const auto can = std::ranges::count_if(group, [&](Eigen::Index i) { return domain_.upper[i] >= 1; });
            return must <= 1 && can >= 1;
        });
    }

    // Sets missing values to their fill values. Where a fill value is impossible, excludes that the value is missing.
    [[nodiscard]] bool settle_fills() {
        return std::ranges::all_of(domain_.fills, [&](const Domain::Fill& fill) {
            double& low = domain_.lower[fill.input];
            double& high = domain_.upper[fill.input];
            if (fill.value < low || fill.value > high)
                domain_.upper[fill.indicator] = 0;
            else if (domain_.lower[fill.indicator] > 0)
                low = high = fill.value;
            return domain_.lower[fill.indicator] <= domain_.upper[fill.indicator];
        });
    }

    [[nodiscard]] std::vector<AffineFunction> sum_functions() const {
        std::vector<AffineFunction> functions;
        for (const HalfSpace* sum : sums_) functions.push_back(sum->function(domain_.inputs()));
        return functions;
    }

    [[nodiscard]] bool sums_possible() const {
        return sums_.empty() || interior_point(domain_, sum_functions()).depth > -rounding;
    }

    bool find_in_box() {
        if (!count_box()) return false;
        Vector point = (domain_.lower + domain_.upper) / 2;
        if (!sums_.empty()) {
            const InteriorPoint inside = interior_point(domain_, sum_functions());
            // If all sums are strict, every solution has solutions around it that lie deeper.
            const bool open = std::ranges::all_of(sums_, &HalfSpace::strict);
            if (inside.depth < (open ? rounding : -rounding)) return false;
            point = inside.point;
        }
        const Vector row = nearest_row(domain_, point);
        if (contains(domain_, row) && all_hold(row)) {
            found_ = row;
            return true;
        }
        if (sums_.empty()) {  // all rows of the box satisfy the condition, so this is due to rounding
            unsure_ = true;
            return false;
        }
        return by_cases(point);
    }

    // The whole number in a sum whose value is furthest from whole; if all are whole, one that is not fixed.
    [[nodiscard]] Eigen::Index to_distinguish(const Vector& point) const {
        Eigen::Index chosen = -1;
        double worst = -1;
        for (const HalfSpace* sum : sums_)
            for (const HalfSpace::Term& term : sum->terms) {
                if (!domain_.integer[static_cast<std::size_t>(term.input)]) continue;
                if (domain_.lower[term.input] == domain_.upper[term.input]) continue;
                const double off = std::abs(point[term.input] - std::round(point[term.input]));
                if (off <= worst) continue;
                worst = off;
                chosen = term.input;
            }
        return chosen;
    }

    [[nodiscard]] bool all_whole() const {
        return std::ranges::all_of(sums_, [&](const HalfSpace* sum) {
            return std::ranges::all_of(sum->terms, [&](const HalfSpace::Term& term) {
                return domain_.integer[static_cast<std::size_t>(term.input)] != 0;
            });
        });
    }

    bool by_cases(const Vector& point) {
        const Eigen::Index chosen = to_distinguish(point);
        if (chosen < 0) {
            // All whole numbers are fixed. If sums use only these, this was the only row; otherwise rounding decides.
            unsure_ |= !all_whole();
            return false;
        }
        const double nearest = std::round(point[chosen]);
        const Domain domain = domain_;
        const double low = domain.lower[chosen];
        const double high = domain.upper[chosen];
        for (const auto& [from, to] : {std::pair{nearest, nearest}, {low, nearest - 1}, {nearest + 1, high}}) {
            if (from > to) continue;
            domain_.lower[chosen] = from;
            domain_.upper[chosen] = to;
            const bool done = groups_possible() && settle_fills() && find_in_box();
            domain_ = domain;
            if (done) return true;
        }
        return false;
    }

    std::span<const BoundCondition* const> conditions_;
    const Progress& progress_;
    const BoundCondition never_{BoundCondition::Kind::any_of, {}, {}};
    Domain domain_;
    Vector scratch_;  // a row for evaluating one input
    std::vector<const HalfSpace*> sums_;
    std::optional<Vector> found_;
    bool unsure_ = false;
    int most_boxes_;
    int boxes_ = 0;
};

}  // namespace

FoundRow find_row(const Domain& domain, const BoundCondition& condition, const Progress& progress, int most_boxes) {
    const BoundCondition* const alone = &condition;
    return find_row(domain, std::span(&alone, 1), progress, most_boxes);
}

FoundRow find_row(const Domain& domain, std::span<const BoundCondition* const> conditions, const Progress& progress,
                  int most_boxes) {
    return RowSearch(domain, conditions, progress, most_boxes).run();
}

}  // namespace polyrx

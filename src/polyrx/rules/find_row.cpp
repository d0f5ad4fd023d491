// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/find_row.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/geometry/interior.hpp"

namespace polyrx {
namespace {

using Answer = FoundRow::Answer;

constexpr double infinity = std::numeric_limits<double>::infinity();
// Of a function's largest term: a linear program that fails by more has no solution.
constexpr double rounding = 1e-9;
// Boxes that are looked at before the search is given up.
constexpr int most_boxes = 20'000;

class RowSearch {
public:
    RowSearch(const Domain& domain, const BoundCondition& condition) : condition_(condition), domain_(domain) {}

    [[nodiscard]] FoundRow run() {
        search({&condition_});
        if (found_) return {Answer::found, *found_};
        return {unsure_ ? Answer::unknown : Answer::none, {}};
    }

private:
    // Everything in `pending` must hold besides what the domain and sums_ say already. True when a row was found.
    bool search(std::vector<const BoundCondition*> pending) {
        std::vector<const BoundCondition*> choices;
        const Domain domain = domain_;
        const std::size_t sums = sums_.size();
        const bool possible = take(pending, choices);
        const bool done = possible && (choices.empty() ? find_in_box() : choose(choices));
        domain_ = domain;
        sums_.resize(sums);
        return done;
    }

    // Narrows by what must hold in any case; what leaves a choice goes to `choices`. False if nothing is left.
    bool take(std::vector<const BoundCondition*>& pending, std::vector<const BoundCondition*>& choices) {
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
                choices.push_back(&next);
            }
        }
        return groups_possible() && sums_possible();
    }

    bool choose(const std::vector<const BoundCondition*>& choices) {
        if (++boxes_ > most_boxes) {
            unsure_ = true;
            return false;
        }
        // The fewest alternatives first.
        const auto first =
            std::ranges::min_element(choices, {}, [](const BoundCondition* choice) { return choice->operands.size(); });
        for (const BoundCondition& operand : (*first)->operands) {
            std::vector<const BoundCondition*> pending = {&operand};
            for (const BoundCondition* choice : choices)
                if (choice != *first) pending.push_back(choice);
            if (search(std::move(pending))) return true;
        }
        return false;
    }

    // w x + c > 0 or >= 0, as the doubles have it.
    bool narrow(const HalfSpace& half_space) {
        const auto [input, weight] = half_space.terms.front();
        double bound = -half_space.constant / weight;
        std::vector<double> row(static_cast<std::size_t>(domain_.inputs()));
        const auto holds = [&](double x) {
            row[static_cast<std::size_t>(input)] = x;
            return half_space.holds(row.data());
        };
        const double out = weight > 0 ? infinity : -infinity;
        // The quotient is rounded: the first number that holds is one of its neighbours.
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

    [[nodiscard]] std::vector<AffineFunction> sum_functions() const {
        std::vector<AffineFunction> functions;
        for (const HalfSpace* sum : sums_) functions.push_back(sum->function(domain_.inputs()));
        return functions;
    }

    [[nodiscard]] bool sums_possible() const {
        return sums_.empty() || interior_point(domain_, sum_functions()).depth > -rounding;
    }

    bool find_in_box() {
        if (++boxes_ > most_boxes) {
            unsure_ = true;
            return false;
        }
        Vector point = (domain_.lower + domain_.upper) / 2;
        if (!sums_.empty()) {
            const InteriorPoint inside = interior_point(domain_, sum_functions());
            // Where every sum must be above 0, any row of theirs has others around it that lie deeper.
            const bool open = std::ranges::all_of(sums_, &HalfSpace::strict);
            if (inside.depth < (open ? rounding : -rounding)) return false;
            point = inside.point;
        }
        const Vector row = nearest_row(domain_, point);
        if (contains(domain_, row) && condition_.holds(row.data())) {
            found_ = row;
            return true;
        }
        if (sums_.empty()) {  // a box holds all its rows, so this cannot be but for rounding
            unsure_ = true;
            return false;
        }
        return by_cases(point);
    }

    // The whole number of a sum that is furthest from whole, or if all are, one that can still be another.
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
            // Every whole number is fixed: if there are no others, this was the only row; else it is a matter of
            // rounding.
            unsure_ |= !all_whole();
            return false;
        }
        const double nearest = std::round(point[chosen]);
        const double low = domain_.lower[chosen];
        const double high = domain_.upper[chosen];
        for (const auto& [from, to] : {std::pair{nearest, nearest}, {low, nearest - 1}, {nearest + 1, high}}) {
            if (from > to) continue;
            domain_.lower[chosen] = from;
            domain_.upper[chosen] = to;
            const bool done = groups_possible() && find_in_box();
            domain_.lower[chosen] = low;
            domain_.upper[chosen] = high;
            if (done) return true;
        }
        return false;
    }

    const BoundCondition& condition_;
    Domain domain_;
    std::vector<const HalfSpace*> sums_;
    std::optional<Vector> found_;
    bool unsure_ = false;
    int boxes_ = 0;
};

}  // namespace

FoundRow find_row(const Domain& domain, const BoundCondition& condition) {
    return RowSearch(domain, condition).run();
}

}  // namespace polyrx

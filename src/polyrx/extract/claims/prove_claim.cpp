// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/claims/prove_claim.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "polyrx/extract/cells/influence.hpp"
#include "polyrx/extract/claims/counterexample.hpp"
#include "polyrx/extract/claims/exclude.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/rules/compared_sums.hpp"
#include "polyrx/tree/guard.hpp"

namespace polyrx {
namespace {

// Nested cases take memory, and halving real numbers never ends.
constexpr int deepest = 400;

// Above this number of undecided neurons per free input, dividing inputs decides more neurons than dividing neurons.
constexpr std::size_t neurons_per_input = 4;

struct Refuted {
    Vector row;
};
struct CasesSpent {};

// A case of the proof: part of the domain, and the known signs of sums there.
struct ClaimCase {
    Cell cell;
    ComparedSums::Known signs;
    bool narrows_inputs = false;  // the last constraint has few inputs, so it may narrow them
    bool has_climbed = false;     // hill climbing was tried here
    int depth = 0;                // number of enclosing cases
};

// A treatment that could not be excluded, and where.
struct Obstacle {
    int treatment = 0;
    std::vector<Vector> points;
};

class ClaimProver {
public:
    ClaimProver(const Policy& policy, const Ground& ground, const BoundRule& claim, const ClaimManner& manner,
                std::size_t most_cases)
        : policy_(policy),
          domain_(ground.domain),
          claim_(claim),
          rules_(policy.rules.bound.empty() ? BoundRules({}, policy.treatments.size()) : policy.rules.bound),
          sums_(conditions_of(claim, rules_)),
          ground_(ground),
          manner_(manner),
          most_cases_(most_cases),
          rows_(policy, ground.domain, claim) {}

    // Throws Refuted or CasesSpent.
    void prove() { prove(ClaimCase{Cell(ground_), sums_.nothing_known()}); }

    [[nodiscard]] std::size_t cases() const { return cases_; }
    [[nodiscard]] bool met_impossible_row() const { return rows_.met_impossible_row(); }
    // All cases are proved.
    [[nodiscard]] bool is_complete() const { return !given_up_; }

    ClaimProof proof;

private:
    void prove(ClaimCase part) {
        spend_case();
        const std::size_t index = proof.steps.size();
        proof.steps.emplace_back();
        ClaimStep step;
        if (is_closed(part, step)) {
            proof.steps[index] = std::move(step);
            return;
        }
        if (const int open = sums_.first_open(of_claim, part.signs); open >= 0) {
            divide_by_comparison(part, open, step);
        } else {
            const AllowedSets allowed = allowed_sets(rules_, sums_, of_rules, part.signs);
            const std::optional<Obstacle> obstacle = find_obstacle(part, allowed, step);
            if (obstacle && (part.depth > deepest || !divide(part, allowed, *obstacle, step))) give_up();
        }
        proof.steps[index] = std::move(step);
    }

    // No row is left, or the claim does not apply to any.
    [[nodiscard]] bool is_closed(ClaimCase& part, ClaimStep& step) const {
        if (part.narrows_inputs) part.cell.narrow_last(&step.bounds);
        part.narrows_inputs = false;
        part.cell.settle_fills(&step.bounds);
        part.cell.settle_groups();
        return part.cell.is_empty() || !learn_signs(part) || sums_.truth(of_claim, part.signs) == Holds::no;
    }

    [[nodiscard]] bool learn_signs(ClaimCase& part) const {
        const Domain& box = part.cell.box();
        for (std::size_t s = 0; s < sums_.sums().size(); ++s) {
            const HalfSpace& sum = sums_.sums()[s];
            if (std::ranges::all_of(sum.terms, [&](const HalfSpace::Term& term) {
                    return box.lower[term.input] == box.upper[term.input];
                }))
                part.signs[s] &= sign_set(sum.value(box.lower.data()));
            if (part.signs[s] == 0) return false;
        }
        return true;
    }

    // The first treatment that the claim does not allow and that could not be excluded; nothing if there is none.
    [[nodiscard]] std::optional<Obstacle> find_obstacle(ClaimCase& part, const AllowedSets& allowed, ClaimStep& step) {
        const TreatmentSet forbidden = allowed.perhaps & ~claim_.allowed;
        if (forbidden == 0 || is_row_that_satisfies_claim(part)) return std::nullopt;
        part.cell.tighten(&step.bounds);
        for (int k = 0; k < static_cast<int>(policy_.network.outputs()); ++k) {
            if (!has(forbidden, k)) continue;
            Obstacle obstacle{k, {}};
            std::optional<Exclusion> exclusion = exclude(part.cell, k, allowed.surely, manner_.room, obstacle.points);
            if (exclusion) {
                step.exclusions.push_back(std::move(*exclusion));
                continue;
            }
            step.exclusions.clear();
            ask_policy(part, obstacle);
            return obstacle;
        }
        return std::nullopt;
    }

    // Only one row is left: the policy's prescription decides.
    [[nodiscard]] bool is_row_that_satisfies_claim(const ClaimCase& part) {
        if (part.cell.box().lower != part.cell.box().upper) return false;
        const Matrix row = part.cell.box().lower.transpose();
        const int chosen = choose(policy_.rules, row, forward(policy_.network, row)).front();
        return chosen == no_treatment || has(claim_.allowed, chosen) || !claim_.applies.holds(row.data());
    }

    void ask_policy(ClaimCase& part, const Obstacle& obstacle) {
        std::optional<Vector> row = rows_.near(obstacle.points, obstacle.points.back(), part.cell.box());
        // Climbing is costly: it runs when the condition first holds, and then at case counts that are powers of two.
        if (!row && (!part.has_climbed || std::has_single_bit(cases_))) row = rows_.climb(part.cell.box());
        part.has_climbed = true;
        if (row) throw Refuted{rows_.rounded(std::move(*row))};
        if (rows_.met_impossible_row()) give_up();
    }

    // Divides the case in two or more. Returns false if nothing is left to divide by.
    [[nodiscard]] bool divide(ClaimCase& part, const AllowedSets& allowed, const Obstacle& obstacle, ClaimStep& step) {
        const int open = undecided_comparison(part, allowed, obstacle.treatment);
        if (open >= 0 && rules_would_decide(part, allowed, obstacle.treatment)) {
            divide_by_comparison(part, open, step);
            return true;
        }
        if (divide_by_fill(part, obstacle, step)) return true;
        const Cell::Undecided undecided = part.cell.undecided();
        const Vector ranges = part.cell.box().upper - part.cell.box().lower;
        const auto free_inputs = static_cast<std::size_t>((ranges.array() > 0).count());
        if ((manner_.inputs_only || undecided.neurons.size() > neurons_per_input * free_inputs) &&
            divide_by_input(part, obstacle, step))
            return true;
        if (!undecided.neurons.empty()) {
            std::vector<LayerFunction> differences;
            for (int j = 0; j < static_cast<int>(policy_.network.outputs()); ++j)
                if (j != obstacle.treatment && has(allowed.surely, j))
                    differences.push_back(ground_.relaxation.outcome_difference(j, obstacle.treatment));
            const Eigen::Index neuron = most_relaxed(part.cell, undecided, differences, obstacle.points.front());
            divide_by_function(part, part.cell.function_of(undecided.layer, neuron), Neuron{undecided.layer, neuron},
                               step);
            return true;
        }
        if (divide_by_fraction(part, obstacle, step)) return true;
        if (open >= 0) {
            divide_by_comparison(part, open, step);
            return true;
        }
        // For whole numbers only: continues down to single rows.
        for (Eigen::Index input = 0; input < ranges.size(); ++input)
            if (ranges[input] > 0 && !domain_.integer[static_cast<std::size_t>(input)]) return false;
        return divide_by_input(part, obstacle, step);
    }

    // An undecided comparison that affects whether the treatment, or a possibly better one, is allowed and supported.
    [[nodiscard]] int undecided_comparison(const ClaimCase& part, const AllowedSets& allowed, int treatment) const {
        if (allowed.surely == allowed.perhaps) return -1;
        int other = -1;
        for (std::size_t r = 0; r < rules_.rules().size(); ++r) {
            if (sums_.truth(of_rules + r, part.signs) != Holds::perhaps) continue;
            if ((allowed.perhaps & ~rules_.rules()[r].allowed) == 0) continue;
            const int open = sums_.first_open(of_rules + r, part.signs);
            if (!has(rules_.rules()[r].allowed, treatment)) return open;
            if (other < 0) other = open;
        }
        for (std::size_t s = 0; s < rules_.support().size(); ++s) {
            const SupportRule& rule = rules_.support()[s];
            if (!has(allowed.perhaps, rule.treatment)) continue;
            const int open = sums_.first_open(of_rules + rules_.rules().size() + s, part.signs);
            if (open < 0) continue;
            if (rule.treatment == treatment) return open;
            if (other < 0) other = open;
        }
        return other;
    }

    // Whether the case would probably be closed if all rules were decided.
    [[nodiscard]] bool rules_would_decide(ClaimCase& part, const AllowedSets& allowed, int treatment) const {
        if (!has(allowed.surely, treatment)) return true;
        std::vector<Vector> points;
        return exclude(part.cell, treatment, allowed.perhaps, manner_.room, points).has_value();
    }

    // Divides by whether a value is missing if, at a point where the exclusion failed, it differs from its fill value.
    bool divide_by_fill(const ClaimCase& part, const Obstacle& obstacle, ClaimStep& step) {
        constexpr double least = 1e-6;  // smaller values are rounding errors
        const Domain& box = part.cell.box();
        for (const Vector& point : obstacle.points)
            for (const Domain::Fill& fill : domain_.fills) {
                if (box.lower[fill.indicator] == box.upper[fill.indicator] || point[fill.indicator] <= least) continue;
                const double range = domain_.upper[fill.input] - domain_.lower[fill.input];
                if (std::abs(point[fill.input] - fill.value) <= least * range) continue;
                divide_by_function(part, {Vector::Unit(domain_.inputs(), fill.indicator), -0.5}, {}, step);
                return true;
            }
        return false;
    }

    bool divide_by_fraction(const ClaimCase& part, const Obstacle& obstacle, ClaimStep& step) {
        Eigen::Index input = -1;
        double at = 0;
        double most = 1e-6;  // smaller values are rounding errors
        for (const Vector& point : obstacle.points) {
            for (Eigen::Index i = 0; i < point.size(); ++i) {
                const double distance = std::abs(point[i] - std::round(point[i]));
                if (!domain_.integer[static_cast<std::size_t>(i)] || distance <= most) continue;
                most = distance;
                input = i;
                at = point[i];
            }
            if (input >= 0) break;  // uses the first point that is not a row
        }
        if (input < 0) return false;
        divide_by_function(part, {Vector::Unit(domain_.inputs(), input), -std::floor(at) - 0.5}, {}, step);
        return true;
    }

    // Halves the input that affects the outcomes most. Returns false if all inputs have one value.
    bool divide_by_input(const ClaimCase& part, const Obstacle& obstacle, ClaimStep& step) {
        const Domain& box = part.cell.box();
        const Relaxation& relaxation = ground_.relaxation;
        Vector effect = Vector::Constant(box.inputs(), 1e-9);
        for (int j = 0; j < static_cast<int>(policy_.network.outputs()); ++j)
            if (j != obstacle.treatment)
                effect += relaxation.above(relaxation.outcome_difference(j, obstacle.treatment), part.cell.bounds())
                              .weights.cwiseAbs();
        effect = effect.cwiseProduct(box.upper - box.lower);
        Eigen::Index input = 0;
        if (!(effect.maxCoeff(&input) > 0)) return false;
        double middle = box.lower[input] + (box.upper[input] - box.lower[input]) / 2;
        if (domain_.integer[static_cast<std::size_t>(input)])
            middle = std::floor(middle) + 0.5;
        else if (!(box.lower[input] < middle && middle < box.upper[input]))
            return false;
        divide_by_function(part, {Vector::Unit(domain_.inputs(), input), -middle}, {}, step);
        return true;
    }

    struct Neuron {
        std::size_t layer = 0;
        Eigen::Index index = -1;  // -1 = none
    };

    void divide_by_function(const ClaimCase& part, const AffineFunction& function, Neuron neuron, ClaimStep& step) {
        step.cases = Cases{function, 0, 0};
        for (const bool yes : {true, false}) {
            ClaimCase next = part;
            next.narrows_inputs = neuron.index < 0;
            (yes ? step.cases->yes : step.cases->no) = static_cast<int>(proof.steps.size());
            prove_behind(std::move(next), yes ? function : -function, [&](Cell& cell) {
                if (neuron.index >= 0) cell.settle(neuron.layer, neuron.index, yes);
            });
        }
    }

    void divide_by_comparison(const ClaimCase& part, int comparison, ClaimStep& step) {
        step.comparison_cases = ComparisonCases{comparison, 0, 0};
        const auto sum = static_cast<std::size_t>(sums_.comparisons()[static_cast<std::size_t>(comparison)].sum);
        const AffineFunction function = sums_.sums()[sum].function(domain_.inputs());
        const std::optional<double> unit = exact_unit(sums_.sums()[sum], domain_);
        for (const bool yes : {true, false}) {
            (yes ? step.comparison_cases->yes : step.comparison_cases->no) = static_cast<int>(proof.steps.size());
            const ComparedSums::Side side = sums_.side(comparison, yes, part.signs);
            if (side.left == 0) {  // nothing to prove
                proof.steps.emplace_back();
                continue;
            }
            AffineFunction s = side.direction > 0 ? function : -function;
            if (unit)
                s.constant -= (side.left & at_zero) == 0 ? *unit : 0;
            else
                s.constant += 2 * rounding_bound(function, domain_);
            ClaimCase next = part;
            next.signs[sum] = side.left;
            next.narrows_inputs = true;
            prove_behind(std::move(next), s, [](Cell&) {});
        }
    }

    template <class Settle>
    void prove_behind(ClaimCase part, const AffineFunction& s, const Settle& settle) {
        if (!part.cell.constrain(s)) {
            if (std::optional<BoundProof> nothing = part.cell.nothing_left()) {
                spend_case();
                proof.steps.emplace_back().bounds.push_back(std::move(*nothing));
                return;
            }
            // Rounding errors prevent the proof that a sliver is empty: the case continues without the constraint.
        }
        settle(part.cell);
        ++part.depth;
        prove(std::move(part));
    }

    void spend_case() {
        ++cases_;
        if (cases_ > most_cases_) throw CasesSpent{};
    }

    // No proof is possible any more. The search for a row continues for a limited time.
    void give_up() {
        if (!given_up_) most_cases_ = std::min(most_cases_, 2 * cases_ + 1'000);
        given_up_ = true;
    }

    const Policy& policy_;
    const Domain& domain_;
    const BoundRule& claim_;
    BoundRules rules_;
    ComparedSums sums_;
    const Ground& ground_;
    ClaimManner manner_;
    std::size_t most_cases_;
    CounterexampleSearch rows_;
    std::size_t cases_ = 0;
    bool given_up_ = false;
};

}  // namespace

ClaimSearch prove_claim(const Policy& policy, const Ground& ground, const BoundRule& claim, const ClaimManner& manner,
                        std::size_t most_cases) {
    ClaimProver prover(policy, ground, claim, manner, most_cases);
    ClaimSearch search;
    try {
        prover.prove();
        search.end = prover.is_complete() ? ClaimSearch::End::proof : ClaimSearch::End::gaps;
        if (prover.is_complete()) search.proof = std::move(prover.proof);
    } catch (const Refuted& refuted) {
        search.end = ClaimSearch::End::row;
        search.row = refuted.row;
    } catch (const CasesSpent&) {
        search.end = ClaimSearch::End::cases_spent;
    } catch (const BudgetSpent&) {
        search.end = ClaimSearch::End::time_spent;
    }
    search.cases = prover.cases();
    search.met_impossible_row = prover.met_impossible_row();
    return search;
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/check_claim.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/rules/compared_sums.hpp"
#include "polyrx/verify/proof_parts.hpp"
#include "polyrx/verify/rounding.hpp"

namespace polyrx {
namespace {

using namespace checking;

void check_sum(const HalfSpace& sum, Eigen::Index inputs) {
    std::vector<char> seen(static_cast<std::size_t>(inputs));
    for (const HalfSpace::Term& term : sum.terms) {
        if (term.input < 0 || term.input >= inputs || seen[static_cast<std::size_t>(term.input)])
            throw data_error("a comparison of the claim or of a rule names an input twice, or one that does not exist");
        if (!std::isfinite(term.weight)) throw data_error("a comparison of the claim or of a rule is not finite");
        seen[static_cast<std::size_t>(term.input)] = 1;
    }
    if (!std::isfinite(sum.constant)) throw data_error("a comparison of the claim or of a rule is not finite");
}

void check_multipliers(const std::vector<Multiplier>& multipliers, int constraints) {
    for (const Multiplier& multiplier : multipliers) {
        if (multiplier.constraint < 0 || multiplier.constraint >= constraints)
            throw data_error("a multiplier of the proof refers to a constraint that its case does not have");
        if (!(multiplier.value >= 0) || !std::isfinite(multiplier.value))
            throw data_error("a multiplier of the proof is negative or not finite");
    }
}

void check_exclusion(const Exclusion& exclusion, int constraints, Eigen::Index treatments) {
    const auto is_treatment = [&](int k) { return k >= 0 && k < treatments; };
    if (!is_treatment(exclusion.treatment)) throw data_error("the proof excludes a treatment that does not exist");
    for (const TreatmentWeight& other : exclusion.others) {
        if (!is_treatment(other.treatment)) throw data_error("the proof compares with a treatment that does not exist");
        if (!(other.value >= 0) || !std::isfinite(other.value))
            throw data_error("a treatment's weight in the proof is negative or not finite");
    }
    check_multipliers(exclusion.multipliers, constraints);
}

void check_well_formed(const ClaimProof& proof, const ReluNetwork& network, std::size_t comparisons) {
    const auto steps = static_cast<int>(proof.steps.size());
    if (steps == 0) throw data_error("the proof has no steps");
    std::vector<int> constraints(proof.steps.size(), -1);  // by step; -1: not yet a case of another step
    constraints[0] = 0;
    for (int i = 0; i < steps; ++i) {
        const ClaimStep& step = proof.steps[static_cast<std::size_t>(i)];
        const int here = constraints[static_cast<std::size_t>(i)];
        if (here < 0) throw data_error("a step of the proof is not a case of an earlier step");
        check_names(step.bounds, network);
        for (const BoundProof& bound : step.bounds) check_multipliers(bound.multipliers, here);
        for (const Exclusion& exclusion : step.exclusions) check_exclusion(exclusion, here, network.outputs());
        const auto lead_to = [&](int next) {
            if (next <= i || next >= steps || constraints[static_cast<std::size_t>(next)] >= 0)
                throw data_error("the steps of the proof do not form a tree");
            constraints[static_cast<std::size_t>(next)] = here + 1;
        };
        if (step.cases && step.comparison_cases) throw data_error("a step of the proof has two kinds of cases");
        if (step.cases) {
            const AffineFunction& function = step.cases->function;
            if (function.weights.size() != network.inputs() || !function.weights.allFinite() ||
                !std::isfinite(function.constant))
                throw data_error("a case of the proof does not have one finite weight for each input");
            lead_to(step.cases->yes);
            lead_to(step.cases->no);
        }
        if (step.comparison_cases) {
            const ComparisonCases& cases = *step.comparison_cases;
            if (cases.comparison < 0 || static_cast<std::size_t>(cases.comparison) >= comparisons)
                throw data_error("a case of the proof refers to a comparison that does not exist");
            lead_to(cases.yes);
            lead_to(cases.no);
        }
    }
}

// A step of the proof, with what is proved before it.
struct PendingCase {
    std::size_t step = 0;
    Known known;
    ComparedSums::Known signs;
    Constraints constraints;
};

class Checker {
public:
    Checker(const ReluNetwork& network, const Domain& domain, const RuleBook& rules, const BoundRule& claim)
        : network_(network),
          rules_(rules),
          obeyed_(rules.bound.empty() ? BoundRules({}, static_cast<std::size_t>(network.outputs())) : rules.bound),
          claim_(claim),
          sums_(conditions_of(claim, obeyed_)),
          bounds_(network, domain) {
        const Box box(domain);
        for (const HalfSpace& sum : sums_.sums()) {
            check_sum(sum, domain.inputs());
            functions_.push_back(sum.function(domain.inputs()));
            units_.push_back(exact_unit(sum, domain));
            errors_.push_back(split_error(functions_.back(), box));
        }
    }

    ClaimCheck check(const ClaimProof& proof, const Progress& progress) {
        check_well_formed(proof, network_, sums_.comparisons().size());
        ClaimCheck result;
        std::vector<PendingCase> pending;
        pending.push_back({0, bounds_.of_domain(), sums_.nothing_known(), {}});
        while (!pending.empty()) {
            PendingCase now = std::move(pending.back());
            pending.pop_back();
            report(progress, static_cast<double>(result.steps) / static_cast<double>(proof.steps.size()),
                   "checking a proof");
            ++result.steps;
            const ClaimStep& step = proof.steps[now.step];
            if (!now.known.is_empty()) narrow(now.known, step.bounds, now.constraints, bounds_, network_.inputs());
            if (now.known.is_empty() || !learn_signs(now)) continue;  // no rows left
            if (sums_.truth(of_claim, now.signs) == Holds::no) continue;
            if (step.cases) {
                pending.push_back(with(now, step.cases->no, {&step.cases->function, -1, 0}));
                pending.push_back(with(now, step.cases->yes, {&step.cases->function, 1, 0}));
            } else if (step.comparison_cases) {
                for (const bool yes : {false, true})
                    if (std::optional<PendingCase> part = compared(now, *step.comparison_cases, yes))
                        pending.push_back(std::move(*part));
            } else if (!holds(now, step.exclusions)) {
                result.reason =
                    fmt::format("step {} of the proof does not exclude all treatments outside the claim", now.step);
                return result;
            }
        }
        result.proved = true;
        return result;
    }

private:
    static PendingCase with(const PendingCase& now, int step, const Constraint& constraint) {
        PendingCase next = now;
        next.step = static_cast<std::size_t>(step);
        next.constraints.push_back(constraint);
        return next;
    }

    // The case that a comparison holds or not. Nothing if no sign of its sum is left.
    [[nodiscard]] std::optional<PendingCase> compared(const PendingCase& now, const ComparisonCases& cases,
                                                      bool yes) const {
        const auto sum = static_cast<std::size_t>(sums_.comparisons()[static_cast<std::size_t>(cases.comparison)].sum);
        const ComparedSums::Side side = sums_.side(cases.comparison, yes, now.signs);
        if (side.left == 0) return std::nullopt;
        double margin = -errors_[sum];
        if (units_[sum]) margin = (side.left & at_zero) == 0 ? *units_[sum] : 0;
        PendingCase next = with(now, yes ? cases.yes : cases.no, {&functions_[sum], side.direction, margin});
        next.signs[sum] = side.left;
        return next;
    }

    // Determines signs of sums whose inputs have a single value. False if that contradicts what is known.
    [[nodiscard]] bool learn_signs(PendingCase& now) const {
        for (std::size_t s = 0; s < sums_.sums().size(); ++s) {
            const HalfSpace& sum = sums_.sums()[s];
            Vector row = Vector::Zero(network_.inputs());
            bool fixed = true;
            for (const HalfSpace::Term& term : sum.terms) {
                const Interval x = now.known.box[term.input];
                fixed = fixed && x.lower == x.upper;
                row[term.input] = x.lower;
            }
            if (fixed) now.signs[s] &= sign_set(sum.value(row.data()));
            if (now.signs[s] == 0) return false;
        }
        return true;
    }

    // True if no treatment outside the claim is prescribed to any row of the case.
    [[nodiscard]] bool holds(const PendingCase& now, const std::vector<Exclusion>& exclusions) const {
        if (is_row_that_keeps_to_it(now)) return true;
        const AllowedSets allowed = allowed_sets(obeyed_, sums_, of_rules, now.signs);
        const ForwardError error = forward_error(network_, now.known);
        for (int k = 0; k < static_cast<int>(network_.outputs()); ++k) {
            if (!has(allowed.perhaps, k) || has(claim_.allowed, k)) continue;
            if (std::ranges::none_of(exclusions, [&](const Exclusion& exclusion) {
                    return exclusion.treatment == k && excludes(exclusion, now, allowed.surely, error);
                }))
                return false;
        }
        return true;
    }

    [[nodiscard]] bool excludes(const Exclusion& exclusion, const PendingCase& now, TreatmentSet surely,
                                const ForwardError& error) const {
        const int k = exclusion.treatment;
        const std::size_t hidden = network_.layers().size() - 1;
        const LinearForm theirs = bounds_.neuron(hidden, k);
        LinearForm sum{std::vector<Interval>(theirs.weights.size()), 0};
        double rounding = 0;
        bool any = false;
        bool all_before = true;
        for (const TreatmentWeight& other : exclusion.others) {
            const int j = other.treatment;
            if (!(other.value > 0)) continue;
            if (j == k || !has(surely, j)) return false;
            any = true;
            all_before = all_before && j < k;
            const LinearForm ours = bounds_.neuron(hidden, j);
            for (std::size_t i = 0; i < sum.weights.size(); ++i)
                sum.weights[i] = sum.weights[i] + (ours.weights[i] - theirs.weights[i]) * other.value;
            sum.constant = sum.constant + (ours.constant - theirs.constant) * other.value;
            const double errors =
                add_up(error.outcomes[static_cast<std::size_t>(j)], error.outcomes[static_cast<std::size_t>(k)]);
            rounding = add_up(rounding, multiply_up(other.value, errors));
            if (!(errors < infinity)) return false;
            if (const auto gap = gap_by_order(network_, j, k, error.live); gap && prefers(j, k, *gap)) return true;
        }
        if (!any) return false;
        sum =
            lagrangian(bounds_.over_inputs(std::move(sum), hidden, now.known), exclusion.multipliers, now.constraints);
        const double gap = add_up(greatest(sum, now.known.box), rounding);
        return all_before ? gap <= 0 : gap < 0;
    }

    // True if only one row is left and its prescription satisfies the claim.
    [[nodiscard]] bool is_row_that_keeps_to_it(const PendingCase& now) const {
        Matrix row(1, network_.inputs());
        for (Eigen::Index input = 0; input < row.cols(); ++input) {
            const Interval x = now.known.box[input];
            if (x.lower != x.upper) return false;
            row(0, input) = x.lower;
        }
        const Matrix outputs = forward(network_, row);
        if (!outputs.allFinite()) return false;
        const int chosen = choose(rules_, row, outputs).front();
        return chosen == no_treatment || has(claim_.allowed, chosen) || !claim_.applies.holds(row.data());
    }

    const ReluNetwork& network_;
    const RuleBook& rules_;
    BoundRules obeyed_;  // as choose() applies them
    const BoundRule& claim_;
    ComparedSums sums_;
    LinearBounds bounds_;
    std::vector<AffineFunction> functions_;     // by sum
    std::vector<std::optional<double>> units_;  // exact_unit()
    std::vector<double> errors_;                // rounding errors of computed sums on the domain
};

}  // namespace

ClaimCheck check_claim(const ReluNetwork& network, const Domain& domain, const RuleBook& rules, const BoundRule& claim,
                       const ClaimProof& proof, const Progress& progress) {
    if (domain.inputs() != network.inputs())
        throw data_error(
            fmt::format("the domain has {} inputs, but the network has {}", domain.inputs(), network.inputs()));
    return Checker(network, domain, rules, claim).check(proof, progress);
}

}  // namespace polyrx

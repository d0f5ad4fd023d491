// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/plan_support.hpp"

namespace polyrx {
namespace {

class SupportPlanner {
public:
    SupportPlanner(const RuleGround& rules, TreatmentSet allowed, const PlanNetwork& plan_network)
        : rules_(rules), allowed_(allowed), plan_network_(plan_network) {}

    // Plans among the allowed treatments in `left`; the others are not supported here.
    [[nodiscard]] PlanPtr plan(Cell cell, const RuleTruths& truths, TreatmentSet left) const {
        cell.compare_only(left);
        if (left == 0) {
            cell.ground().budget.spend_leaves(1);
            return leaf_plan(no_treatment);
        }
        PlanPtr network = plan_network_(cell);
        return refined(std::move(network), std::move(cell), truths, left);
    }

private:
    // Adds splits of support below the plan's leaves.
    [[nodiscard]] PlanPtr refined(PlanPtr plan, Cell cell, const RuleTruths& truths, TreatmentSet left) const {
        if (plan->is_leaf()) return supported_leaf(plan->treatment, std::move(cell), truths, left);
        for (const bool yes : {true, false}) {
            PlanPtr& side = yes ? plan->yes : plan->no;
            Cell part = cell;
            if (!part.constrain(yes ? plan->function : -plan->function)) continue;
            part.narrow_inputs(Cell::Narrow::whole_numbers);
            if (!part.is_empty()) side = refined(std::move(side), std::move(part), truths, left);
        }
        const std::size_t leaves = plan->yes->leaves + plan->no->leaves;
        PlanPtr both = split_plan(plan->function, plan->origin, std::move(plan->yes), std::move(plan->no));
        cell.ground().budget.save_leaves(leaves - both->leaves);
        return both;
    }

    [[nodiscard]] PlanPtr supported_leaf(int treatment, Cell cell, RuleTruths truths, TreatmentSet left) const {
        for (const NumberedSupport& rule : rules_.numbered.support) {
            if (rule.treatment != treatment || !has(allowed_, rule.instead)) continue;
            const Holds unsupported = truths.learn_support(cell, rule);
            if (unsupported == Holds::no) continue;
            if (unsupported == Holds::yes) {
                cell.ground().budget.save_leaves(1);
                return plan(std::move(cell), truths, left & ~only(treatment));
            }
            return split(rule, *truths.open_in(rule.applies), cell, truths, left);
        }
        return leaf_plan(treatment);
    }

    [[nodiscard]] PlanPtr split(const NumberedSupport& rule, std::size_t half_space, const Cell& cell,
                                const RuleTruths& truths, TreatmentSet left) const {
        const RuleSplit& split = rules_.half_spaces[half_space].split;
        cell.ground().budget.spend_leaves(1);
        PlanPtr sides[2];
        for (const bool yes : {false, true}) {
            Cell part = cell;
            RuleTruths here = truths;
            if (take_side(rules_, half_space, yes, part, here))
                sides[yes ? 1 : 0] = supported_leaf(rule.treatment, std::move(part), std::move(here), left);
            else if (!split.whole)  // rows exactly on the hyperplane still need a leaf
                sides[yes ? 1 : 0] = leaf_plan(rule.treatment);
        }
        for (const int only_side : {0, 1})
            if (!sides[1 - only_side]) {
                cell.ground().budget.save_leaves(1);
                return sides[only_side] ? std::move(sides[only_side]) : leaf_plan(rule.treatment);
            }
        PlanPtr both = unmerged_plan(split.function, {SplitOrigin::Kind::support, rule.treatment, rule.instead},
                                     std::move(sides[1]), std::move(sides[0]));
        both->guard = split.guard;
        return both;
    }

    const RuleGround& rules_;
    TreatmentSet allowed_;
    const PlanNetwork& plan_network_;
};

}  // namespace

PlanPtr plan_support(const RuleGround& rules, Cell cell, TreatmentSet allowed, const PlanNetwork& plan_network) {
    return SupportPlanner(rules, allowed, plan_network).plan(std::move(cell), RuleTruths(rules), allowed);
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/plan_rules.hpp"

#include "polyrx/extract/exact_guard.hpp"
#include "polyrx/extract/prove.hpp"
#include "polyrx/tree/guard.hpp"

namespace polyrx {
namespace {

// A leaf that a split of a rule went through is worth no longer a proof than this.
constexpr std::size_t cases_of_a_merged_leaf = 64;

AffineFunction beyond(const AffineFunction& function, bool yes, double margin) {
    AffineFunction side = yes ? function : -function;
    side.constant -= margin;
    return side;
}

class RulePlanner {
public:
    RulePlanner(const Ground& ground, const RuleGround& rules, const PlanBelow& below, SameSides same_sides)
        : ground_(ground), rules_(rules), below_(below), same_sides_(same_sides) {}

    [[nodiscard]] PlanPtr plan(Cell cell, RuleTruths truths) const {
        truths.learn(cell);
        const TreatmentSet allowed = truths.perhaps_allowed();
        const auto open = truths.first_open(allowed);
        if (!open) return below_(std::move(cell), allowed);
        const RuleSplit& split = rules_.half_spaces[open->half_space].split;
        PlanPtr sides[2];
        for (const bool yes : {false, true}) {
            RuleTruths known = truths;
            known.assume(open->half_space, yes == split.holds_on_yes ? Truth::yes : Truth::no);
            Cell part = cell;
            bool any = part.constrain(beyond(split.function, yes, split.margin));
            if (any) {
                part.narrow_inputs(Cell::Narrow::whole_numbers);
                any = !part.is_empty();
            }
            if (any)
                sides[yes ? 1 : 0] = plan(std::move(part), std::move(known));
            else if (!split.whole)
                // Rows on the hyperplane itself, which only just touches the cell, are still to be kept out.
                sides[yes ? 1 : 0] = empty_leaf(cell, known.perhaps_allowed());
        }
        if (!sides[0] && !sides[1]) return empty_leaf(cell, allowed);
        if (!sides[0]) return std::move(sides[1]);
        if (!sides[1]) return std::move(sides[0]);
        if (same_sides_ == SameSides::merge && same_plan(*sides[0], *sides[1]) && proves(*sides[0], cell)) {
            ground_.budget.save_leaves(sides[1]->leaves);
            return std::move(sides[0]);
        }
        PlanPtr both = unmerged_plan(split.function, {SplitOrigin::Kind::rule, static_cast<int>(open->rule), 0},
                                     std::move(sides[1]), std::move(sides[0]));
        both->guard = split.guard;
        return both;
    }

private:
    [[nodiscard]] PlanPtr empty_leaf(Cell cell, TreatmentSet allowed) const {
        ground_.budget.spend_leaves(1);
        cell.compare_only(allowed);
        return leaf_plan(cell.preferred_at(cell.centre()));
    }

    // Whether every leaf can be proved.
    [[nodiscard]] bool proves(const Plan& plan, const Cell& cell) const {
        if (plan.is_leaf()) return prove_leaf(cell, rules_, plan.treatment, cases_of_a_merged_leaf).has_value();
        const double margin = exact_guard(ground_, plan) - rounding_bound(plan.function, ground_.domain);
        for (const bool yes : {false, true}) {
            Cell part = cell;
            const Plan& side = yes ? *plan.yes : *plan.no;
            const bool any = part.constrain(beyond(plan.function, yes, margin));
            if (any ? !proves(side, part) : !prove_empty_leaf(part)) return false;
        }
        return true;
    }

    const Ground& ground_;
    const RuleGround& rules_;
    const PlanBelow& below_;
    SameSides same_sides_;
};

}  // namespace

PlanPtr plan_rules(const Ground& ground, const RuleGround& rules, const PlanBelow& below, SameSides same_sides) {
    return RulePlanner(ground, rules, below, same_sides).plan(Cell(ground), RuleTruths(rules));
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/plan_rules.hpp"

#include <algorithm>

#include "polyrx/extract/cells/exact_guard.hpp"
#include "polyrx/extract/cells/idle_rules.hpp"
#include "polyrx/extract/cells/prove.hpp"
#include "polyrx/tree/guard.hpp"

namespace polyrx {
namespace {

// A leaf that replaces a split of a rule may need at most this many cases in its proof.
constexpr std::size_t cases_of_a_merged_leaf = 64;

// A part of the domain, and what is known about it.
struct RuledPart {
    Cell cell;
    RuleTruths truths;
    std::vector<AffineFunction> way;  // the constraints of its cell
    IdleRules::Samples samples;
};

class RulePlanner {
public:
    RulePlanner(const Ground& ground, const RuleGround& rules, const PlanBelow& below, SameSides same_sides)
        : ground_(ground),
          rules_(rules),
          below_(below),
          merge_(same_sides == SameSides::merge),
          idle_(ground.network, rules) {}

    [[nodiscard]] PlanPtr plan() const { return plan({Cell(ground_), RuleTruths(rules_), {}, idle_.all()}); }

private:
    [[nodiscard]] PlanPtr plan(RuledPart part) const {
        part.truths.learn(part.cell);
        const TreatmentSet allowed = part.truths.perhaps_allowed();
        const auto open = part.truths.first_open(allowed);
        if (!open) return below_(std::move(part.cell), allowed);
        if (PlanPtr idle = plan_without(open->rule, part)) return idle;
        const RuleSplit& split = rules_.half_spaces[open->half_space].split;
        PlanPtr sides[2];
        for (const bool yes : {false, true}) sides[yes ? 1 : 0] = plan_side(part, open->half_space, yes);
        if (!sides[0] && !sides[1]) return empty_leaf(part.cell, allowed);
        if (!sides[0]) return std::move(sides[1]);
        if (!sides[1]) return std::move(sides[0]);
        if (merge_ && same_plan(*sides[0], *sides[1]) && proves(*sides[0], part.way)) {
            ground_.budget.save_leaves(sides[1]->leaves);
            return std::move(sides[0]);
        }
        PlanPtr both = unmerged_plan(split.function, {SplitOrigin::Kind::rule, static_cast<int>(open->rule), 0},
                                     std::move(sides[1]), std::move(sides[0]));
        both->guard = split.guard;
        return both;
    }

    // Returns nothing if the side has no row.
    [[nodiscard]] PlanPtr plan_side(const RuledPart& part, std::size_t half_space, bool yes) const {
        const RuleSplit& split = rules_.half_spaces[half_space].split;
        RuledPart side = part;
        side.way.push_back(beyond(split.function, yes, split.margin));
        if (take_side(rules_, half_space, yes, side.cell, side.truths)) {
            side.samples = idle_.on_side(part.samples, split.function, yes);
            return plan(std::move(side));
        }
        // Rows exactly on the hyperplane, which only touches the cell, still need a leaf.
        return split.whole ? nullptr : empty_leaf(part.cell, side.truths.perhaps_allowed());
    }

    // Plans the part without the rule. Returns nothing if the rule seems to matter here or the proof fails.
    [[nodiscard]] PlanPtr plan_without(std::size_t rule, const RuledPart& part) const {
        if (!merge_ || !idle_.is_idle(rule, part.samples)) return nullptr;
        RuledPart without = part;
        without.truths.ignore(rule);
        PlanPtr plan_of_others = plan(std::move(without));
        if (proves(*plan_of_others, part.way)) return plan_of_others;
        ground_.budget.save_leaves(plan_of_others->leaves);
        return nullptr;
    }

    [[nodiscard]] PlanPtr empty_leaf(Cell cell, TreatmentSet allowed) const {
        ground_.budget.spend_leaves(1);
        cell.compare_only(allowed);
        return leaf_plan(cell.preferred_at(cell.center()));
    }

    // Whether every leaf can be proved with the method of certify().
    [[nodiscard]] bool proves(const Plan& plan, const std::vector<AffineFunction>& way) const {
        if (!plan.is_leaf()) {
            const double margin = exact_guard(ground_, plan) - rounding_bound(plan.function, ground_.domain);
            for (const bool yes : {false, true}) {
                std::vector<AffineFunction> side = way;
                side.push_back(beyond(plan.function, yes, margin));
                if (!proves(yes ? *plan.yes : *plan.no, side)) return false;
            }
            return true;
        }
        Cell cell(ground_);
        const bool any_rows =
            std::all_of(way.begin(), way.end(), [&](const AffineFunction& s) { return cell.constrain(s); });
        return (any_rows ? prove_leaf(cell, rules_, plan.treatment, cases_of_a_merged_leaf) : prove_empty_leaf(cell))
            .has_value();
    }

    const Ground& ground_;
    const RuleGround& rules_;
    const PlanBelow& below_;
    bool merge_;
    IdleRules idle_;
};

}  // namespace

PlanPtr plan_rules(const Ground& ground, const RuleGround& rules, const PlanBelow& below, SameSides same_sides) {
    return RulePlanner(ground, rules, below, same_sides).plan();
}

}  // namespace polyrx

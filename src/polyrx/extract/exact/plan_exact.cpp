// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/plan_exact.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "polyrx/extract/cells/influence.hpp"
#include "polyrx/extract/exact/plan_rules.hpp"
#include "polyrx/extract/exact/plan_support.hpp"
#include "polyrx/extract/exact/split_order.hpp"

namespace polyrx {
namespace {

using Sign = Simplex::Sign;

// Up to this many treatments, all orders of comparison are tried: about n! of them.
constexpr std::size_t most_compared_in_every_order = 3;

// The treatment that is best on all of the cell, if the relaxation proves it.
std::optional<int> certain_treatment(Cell& cell) {
    const int best = cell.preferred_at(cell.center());
    for (int rival = 0; rival < static_cast<int>(cell.ground().network.outputs()); ++rival)
        if (rival != best && has(cell.compared(), rival) &&
            !cell.proves(best, rival, cell.outcome_gap(best, rival).bound))
            return std::nullopt;
    return best;
}

// All neurons must be decided, so outcomes are affine on the cell.
PlanPtr plan_outcomes(Cell cell, std::vector<int> alive) {
    struct Pair {
        int a;
        int b;
        AffineFunction difference;
    };
    std::vector<Pair> open;
    for (std::size_t i = 0; i < alive.size(); ++i) {
        for (std::size_t j = i + 1; j < alive.size();) {
            AffineFunction difference = cell.difference_of(alive[i], alive[j]);
            if (!cell.reaches(difference, Sign::positive)) {
                alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(j));  // never better than i
            } else if (!cell.reaches(difference, Sign::negative)) {
                alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(i));
                j = i + 1;
            } else {
                open.push_back({alive[i], alive[j], std::move(difference)});
                ++j;
            }
        }
    }
    if (alive.size() == 1) return leaf_plan(alive.front());
    const auto is_alive = [&](int treatment) {
        return std::find(alive.begin(), alive.end(), treatment) != alive.end();
    };
    std::erase_if(open, [&](const Pair& pair) { return !is_alive(pair.a) || !is_alive(pair.b); });
    if (alive.size() > most_compared_in_every_order) {
        // Compares the best treatment at the center of the cell with the second best.
        const Matrix outcomes = forward(cell.ground().network, cell.center().transpose());
        std::sort(open.begin(), open.end(), [&](const Pair& p, const Pair& q) {
            const auto height = [&](const Pair& pair) { return outcomes(0, pair.a) + outcomes(0, pair.b); };
            return std::tuple(height(p), p.a, p.b) < std::tuple(height(q), q.a, q.b);
        });
        open.resize(1);
    }
    PlanPtr best;
    for (const Pair& pair : open) {
        PlanPtr sides[2];
        for (const bool b_is_better : {true, false}) {
            Cell side = cell;
            std::vector<int> left = alive;
            std::erase(left, b_is_better ? pair.a : pair.b);
            (void)side.constrain(b_is_better ? pair.difference : -pair.difference);
            sides[b_is_better ? 1 : 0] = plan_outcomes(std::move(side), std::move(left));
        }
        PlanPtr plan = split_plan(pair.difference, {SplitOrigin::Kind::outcomes, pair.a, pair.b}, std::move(sides[1]),
                                  std::move(sides[0]));
        if (!best || plan->leaves < best->leaves) best = std::move(plan);
    }
    return best;
}

PlanPtr plan_small(Cell cell);

// Splits of one layer in the order with the fewest leaves.
class OrderedSplits {
public:
    OrderedSplits(const Cell& cell, Cell::Undecided undecided)
        : undecided_(std::move(undecided)), prescription_in_the_middle_(cell.preferred_at(cell.center())) {
        for (const Eigen::Index neuron : undecided_.neurons)
            functions_.push_back(cell.function_of(undecided_.layer, neuron));
        plans_.resize(std::size_t{1} << undecided_.neurons.size());
        combine(cell, 0, 0);
    }

    [[nodiscard]] PlanPtr plan() {
        std::vector<Combination> combinations;
        for (const PlanPtr& plan : plans_)
            combinations.push_back(plan ? Combination{plan->treatments, static_cast<std::uint32_t>(plan->leaves)}
                                        : Combination{});
        const SplitOrder order(combinations);
        // No part has a row, but a leaf is needed.
        if (order.treatments(order.whole()) == 0) return leaf_plan(prescription_in_the_middle_);
        return plan_state(order, order.whole());
    }

private:
    void combine(const Cell& cell, std::size_t next, std::size_t signs) {
        if (next == functions_.size()) {
            Cell whole = cell;
            whole.narrow_inputs(Cell::Narrow::whole_numbers);
            if (whole.is_empty()) return;
            whole.tighten();
            plans_[signs] = plan_small(std::move(whole));
            return;
        }
        for (const bool on : {false, true}) {
            Cell part = cell;
            if (!part.reaches(functions_[next], on ? Sign::positive : Sign::negative)) continue;
            if (!part.constrain(on ? functions_[next] : -functions_[next])) continue;
            part.decide(undecided_.layer, undecided_.neurons[next], on);
            combine(part, next + 1, on ? signs | std::size_t{1} << next : signs);
        }
    }

    [[nodiscard]] PlanPtr plan_state(const SplitOrder& order, SplitOrder::State state) {
        const TreatmentSet treatments = order.treatments(state);
        if (std::has_single_bit(treatments)) return leaf_plan(std::countr_zero(treatments));
        const int split = order.split(state);
        if (split < 0) return std::move(plans_[signs_of(state)]);
        const SplitOrder::State off = order.decided(state, split, false);
        const SplitOrder::State on = order.decided(state, split, true);
        if (order.treatments(off) == 0) return plan_state(order, on);
        if (order.treatments(on) == 0) return plan_state(order, off);
        const auto index = static_cast<std::size_t>(split);
        return split_plan(functions_[index],
                          {SplitOrigin::Kind::neuron, static_cast<int>(undecided_.layer),
                           static_cast<int>(undecided_.neurons[index])},
                          plan_state(order, on), plan_state(order, off));
    }

    [[nodiscard]] std::size_t signs_of(SplitOrder::State state) const {
        std::size_t signs = 0;
        for (std::size_t i = 0; i < functions_.size(); ++i, state /= 3) signs |= (state % 3) << i;
        return signs;
    }

    Cell::Undecided undecided_;
    int prescription_in_the_middle_;
    std::vector<AffineFunction> functions_;
    std::vector<PlanPtr> plans_;  // by signs; null if impossible
};

// The cell must be tightened, with at most most_ordered_splits undecided neurons in all layers together.
PlanPtr plan_small(Cell cell) {
    if (const auto treatment = certain_treatment(cell)) return leaf_plan(*treatment);
    const Cell::Undecided undecided = cell.undecided();
    if (!undecided.neurons.empty()) return OrderedSplits(cell, undecided).plan();
    std::vector<int> compared;
    for (int k = 0; k < static_cast<int>(cell.ground().network.outputs()); ++k)
        if (has(cell.compared(), k)) compared.push_back(k);
    return plan_outcomes(std::move(cell), std::move(compared));
}

PlanPtr plan_cell(Cell cell) {
    Budget& budget = cell.ground().budget;
    cell.tighten();
    if (cell.undecided_count() <= most_ordered_splits) {
        PlanPtr plan = plan_small(std::move(cell));
        budget.spend_leaves(plan->leaves);
        return plan;
    }
    if (const auto treatment = certain_treatment(cell)) {
        budget.spend_leaves(1);
        return leaf_plan(*treatment);
    }
    const Cell::Undecided undecided = cell.undecided();
    const Eigen::Index neuron = most_influential(cell, undecided);
    const AffineFunction function = cell.function_of(undecided.layer, neuron);
    PlanPtr sides[2];
    for (const bool on : {false, true}) {
        Cell part = cell;
        if (!part.constrain(on ? function : -function)) continue;
        part.decide(undecided.layer, neuron, on);
        part.narrow_inputs(Cell::Narrow::whole_numbers);
        if (!part.is_empty()) sides[on ? 1 : 0] = plan_cell(std::move(part));
    }
    if (!sides[0] && !sides[1]) {
        budget.spend_leaves(1);
        return leaf_plan(cell.preferred_at(cell.center()));
    }
    if (!sides[0]) return std::move(sides[1]);
    if (!sides[1]) return std::move(sides[0]);
    const std::size_t leaves = sides[0]->leaves + sides[1]->leaves;
    PlanPtr plan =
        split_plan(function, {SplitOrigin::Kind::neuron, static_cast<int>(undecided.layer), static_cast<int>(neuron)},
                   std::move(sides[1]), std::move(sides[0]));
    budget.save_leaves(leaves - plan->leaves);
    return plan;
}

}  // namespace

PlanPtr plan_exact(const Ground& ground, const RuleGround& rules) {
    const auto below = [&](Cell cell, TreatmentSet allowed) {
        if (allowed == 0) {
            ground.budget.spend_leaves(1);
            return leaf_plan(no_treatment);
        }
        return plan_support(rules, std::move(cell), allowed, [](Cell part) { return plan_cell(std::move(part)); });
    };
    return plan_rules(ground, rules, below, SameSides::merge);
}

}  // namespace polyrx

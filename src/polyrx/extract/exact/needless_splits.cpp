// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/needless_splits.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace polyrx {
namespace {

using Sign = Simplex::Sign;
using Rows = std::vector<std::shared_ptr<const Vector>>;

const Plan& side_of(const Plan& split, bool yes) {
    return yes ? *split.yes : *split.no;
}

// The part of a cell on one side of a function; nothing if it is empty.
std::optional<Cell> part_of(Cell& cell, const AffineFunction& function, bool yes) {
    if (!cell.reaches(function, yes ? Sign::positive : Sign::negative)) return std::nullopt;
    Cell part = cell;  // starts at the vertex on that side
    if (!part.constrain(yes ? function : -function)) return std::nullopt;
    return part;
}

// Adds a row of the cell if there is one near its center or near the last vertex.
bool add_row_of(const Cell& cell, Rows& rows) {
    for (const Vector& point : {cell.center(), cell.vertex()})
        if (Vector row = nearest_row(cell.ground().domain, point); cell.has_row(row)) {
            rows.push_back(std::make_shared<const Vector>(std::move(row)));
            return true;
        }
    return false;
}

// Returns false if the cell provably has no row; it may still have points between whole numbers. Otherwise adds a row
// if it finds one. May use up to `divisions_left` divisions.
bool may_have_rows(Cell cell, std::size_t& divisions_left, Rows& rows) {
    if (add_row_of(cell, rows)) return true;
    cell.narrow_inputs(Cell::Narrow::whole_numbers);
    if (cell.is_empty()) return false;
    const std::optional<Eigen::Index> input = cell.fractional_input();
    if (!input || divisions_left == 0) return true;
    --divisions_left;
    const AffineFunction between{Vector::Unit(cell.box().inputs(), *input), -std::floor(cell.vertex()[*input]) - 0.5};
    for (const bool above : {false, true}) {
        std::optional<Cell> part = part_of(cell, between, above);
        if (part && may_have_rows(std::move(*part), divisions_left, rows)) return true;
    }
    return false;
}

const Plan& leaf_at(const Plan& plan, const Vector& point) {
    const Plan* at = &plan;
    while (!at->is_leaf()) at = &side_of(*at, at->function(point) > 0);
    return *at;
}

// Whether two plans prescribe the same to all rows of a cell.
class Comparison {
public:
    // Compares the plans on `rows` first, which shows most differences. A row that shows a new difference is added.
    Comparison(const Plan& one, const Plan& other, Cell& cell, Rows& rows)
        // Equal plans have about as many pairs of overlapping leaves as leaves. The comparison stops if there are many
        // more.
        : steps_left_(64 + 4 * (one.leaves + other.leaves)) {
        for (const auto& row : rows)
            if (const Plan& leaf = leaf_at(one, *row); leaf.treatment != leaf_at(other, *row).treatment) {
                difference_ = &leaf;
                return;
            }
        same_ = compare(cell, one, other, rows);
    }

    [[nodiscard]] bool is_same() const { return same_; }
    // The leaf of the first plan where a difference was found, if any.
    [[nodiscard]] const Plan* difference() const { return difference_; }

private:
    [[nodiscard]] bool compare(Cell& cell, const Plan& a, const Plan& b, Rows& rows) {
        if (a.is_leaf() && b.is_leaf()) {
            if (a.treatment == b.treatment || !may_have_rows(cell, divisions_left_, rows)) return true;
            difference_ = &a;
            return false;
        }
        if (steps_left_ == 0) return false;
        --steps_left_;
        const Plan& split = a.is_leaf() ? b : a;
        for (const bool yes : {false, true}) {
            std::optional<Cell> part = part_of(cell, split.function, yes);
            if (part && !compare(*part, a.is_leaf() ? a : side_of(a, yes), a.is_leaf() ? side_of(b, yes) : b, rows))
                return false;
        }
        return true;
    }

    std::size_t steps_left_;
    std::size_t divisions_left_ = 64;
    bool same_ = false;
    const Plan* difference_ = nullptr;
};

// Puts a plan in the place of a leaf of another.
struct Graft {
    const Plan* leaf;
    const Plan* plan;
};

bool holds(const Plan& plan, const Plan* leaf) {
    return &plan == leaf || (!plan.is_leaf() && (holds(*plan.yes, leaf) || holds(*plan.no, leaf)));
}

PlanPtr copy_of(const Plan& plan, const Graft* graft = nullptr) {
    if (graft && &plan == graft->leaf) return copy_of(*graft->plan);
    if (plan.is_leaf()) return leaf_plan(plan.treatment);
    PlanPtr copy = unmerged_plan(plan.function, plan.origin, copy_of(*plan.yes, graft), copy_of(*plan.no, graft));
    copy->guard = plan.guard;
    return copy;
}

// For both sides together. Rearranging takes most of the linear programs, and larger trees are hard to read.
constexpr std::size_t most_leaves_to_rearrange = 64;
constexpr std::size_t most_leaves_of_a_tree_to_rearrange = 500;

// A part of the domain, with some of its rows.
struct SampledPart {
    Cell cell;
    Rows rows = {};
    bool rearranges = true;  // whether one side may replace a leaf of the other
};

// One side of a split.
struct Side {
    std::optional<SampledPart> place;  // nothing if it is empty
    PlanPtr plan;

    // Whether another plan prescribes the same there.
    [[nodiscard]] Comparison compared_with(const Plan& other) { return {other, *plan, place->cell, place->rows}; }
};

PlanPtr simplified(SampledPart& place, const Plan& plan, const Graft* graft = nullptr);

// A plan for the whole place without the split between two sides, if one side suffices, perhaps with the other in the
// place of one of its leaves: `a < 1 ? (a < 0 ? B : A) : (a < 2 ? A : B)` becomes `a < 0 ? B : (a < 2 ? A : B)`.
PlanPtr without_split(SampledPart& place, Side (&sides)[2]) {
    const int smaller = sides[1].plan->leaves <= sides[0].plan->leaves ? 1 : 0;
    const Plan* difference[2] = {};
    for (const int kept : {smaller, 1 - smaller}) {
        const Comparison comparison = sides[1 - kept].compared_with(*sides[kept].plan);
        if (comparison.is_same()) return std::move(sides[kept].plan);
        difference[kept] = comparison.difference();
    }
    if (!place.rearranges || sides[0].plan->leaves + sides[1].plan->leaves > most_leaves_to_rearrange) return nullptr;
    for (const int kept : {smaller, 1 - smaller}) {
        if (!difference[kept]) continue;
        const Graft graft{difference[kept], sides[1 - kept].plan.get()};
        const PlanPtr joined = copy_of(*sides[kept].plan, &graft);
        if (std::all_of(std::begin(sides), std::end(sides),
                        [&](Side& side) { return side.compared_with(*joined).is_same(); }))
            return simplified(place, *sides[kept].plan, &graft);
    }
    return nullptr;
}

// With a graft, the plan is already simple, so only the parts that the graft changes are simplified.
PlanPtr simplified(SampledPart& place, const Plan& plan, const Graft* graft) {
    if (graft && &plan == graft->leaf) return simplified(place, *graft->plan);
    if (graft && !holds(plan, graft->leaf)) return copy_of(plan);
    if (plan.is_leaf()) {
        (void)add_row_of(place.cell, place.rows);
        return leaf_plan(plan.treatment);
    }
    const bool is_rule = is_of_rules(plan.origin);
    Side sides[2];
    for (const int yes : {0, 1}) {
        Side& side = sides[yes];
        if (auto part = part_of(place.cell, plan.function, yes == 1)) {
            side.place = SampledPart{std::move(*part), {}, place.rearranges};
            std::ranges::copy_if(place.rows, std::back_inserter(side.place->rows),
                                 [&](const auto& row) { return side.place->cell.has_row(*row); });
            side.plan = simplified(*side.place, side_of(plan, yes == 1), graft);
        } else if (is_rule) {
            side.plan = copy_of(side_of(plan, yes == 1));  // rows on a rule's border need a leaf
        }
    }
    if (!sides[0].plan && !sides[1].plan) return copy_of(plan);
    const auto gather_rows = [&] {
        place.rows.clear();
        for (const Side& side : sides)
            if (side.place) std::ranges::copy(side.place->rows, std::back_inserter(place.rows));
    };
    gather_rows();
    if (is_rule) {
        // If the sides were the same before, plan_rules() has already decided to keep the split.
        if (same_plan(*sides[0].plan, *sides[1].plan) && !same_plan(*plan.no, *plan.yes))
            return std::move(sides[1].plan);
        PlanPtr both = unmerged_plan(plan.function, plan.origin, std::move(sides[1].plan), std::move(sides[0].plan));
        both->guard = plan.guard;
        return both;
    }
    for (const int only : {0, 1})
        if (!sides[1 - only].plan) return std::move(sides[only].plan);
    if (PlanPtr without = without_split(place, sides)) return without;
    gather_rows();  // comparisons may have added rows
    return split_plan(plan.function, plan.origin, std::move(sides[1].plan), std::move(sides[0].plan));
}

}  // namespace

PlanPtr without_needless_splits(const Plan& plan, const Ground& ground) {
    SampledPart whole{Cell(ground), {}, plan.leaves <= most_leaves_of_a_tree_to_rearrange};
    return simplified(whole, plan);
}

}  // namespace polyrx

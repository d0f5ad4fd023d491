// SPDX-License-Identifier: Apache-2.0
// Linear programs on a polyhedron that grows one constraint at a time: the maximum of an affine function over it.
//
// A bounded-variable primal simplex on a dense dictionary. The searches of this library solve many thousands of linear
// programs on polyhedra that differ by one constraint. A Simplex is therefore a value: a copy for each branch continues
// from the vertex of its original, so phase 1 is never needed. Answers are subject to rounding. Proofs use the
// multipliers and weak duality instead (tree/certificate.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

// A polyhedron lies on both sides of a hyperplane only if it extends at least this far beyond it, in units of
// scale(row). Less is within rounding.
inline constexpr double thinnest = 1e-9;

class Simplex {
public:
    // Starts with the domain, ignoring integrality. Inputs with an infinite bound are fixed at the value nearest to 0
    // and must have weight 0 in all functions. The domain must not be empty.
    explicit Simplex(const Domain& domain);

    // Adds a function to optimize or constrain. Returns its row number, counted from 0.
    int add(const AffineFunction& function);
    [[nodiscard]] int rows() const { return static_cast<int>(row_scale_.size()); }

    enum class Sign { positive, negative };
    // Constrains the row to >= 0 or <= 0. The current vertex must satisfy this up to rounding.
    void require(int row, Sign sign);
    // Removes the constraint on the row.
    void release(int row);
    // Constrains an input to at least (positive) or at most (negative) `bound`. False if the polyhedron becomes empty.
    [[nodiscard]] bool narrow(Eigen::Index input, Sign direction, double bound);

    // The value at the current vertex.
    [[nodiscard]] double value(int row) const;
    [[nodiscard]] double input_value(Eigen::Index input) const;
    [[nodiscard]] Vector point() const;

    enum class Answer {
        exceeds,  // the current vertex is beyond `enough`
        optimal,  // the current vertex is optimal
        stuck     // too many steps; only rounding can cause this
    };
    // Moves to vertices with larger values of the row (positive) until it is > enough, or smaller values (negative)
    // until it is < -enough.
    Answer push(int row, Sign direction, double enough);
    Answer push_input(Eigen::Index input, Sign direction, double enough);

    // y >= 0 for a required row.
    struct RowMultiplier {
        int row;
        double value;
    };
    // The dual multipliers after push() returned `optimal`, with g = row (positive) or g = -row (negative). They are
    // the y for which g + sum y |row_i| has its maximum over box and groups at the current vertex. Omitted rows have 0.
    [[nodiscard]] std::vector<RowMultiplier> multipliers(int row, Sign direction) const;
    [[nodiscard]] std::vector<RowMultiplier> input_multipliers(Eigen::Index input, Sign direction) const;

    // A row's value divided by this changes by about 1 at most when one input crosses its range.
    [[nodiscard]] double scale(int row) const { return row_scale_[static_cast<std::size_t>(row)]; }

    // Drops the rows without a required sign and renumbers the others in order.
    void keep_required();
    // Drops the last row, which must not have a required sign.
    void drop_last();

private:
    // Variables are the free inputs, scaled to 0..1, then one per group (the member that is 1 minus the others), then
    // the rows.
    struct Input {
        int variable = -1;  // -1 if fixed
        double shift = 0;   // value = shift + scale * variable
        double scale = 0;
    };
    struct Inputs {
        std::vector<Input> each;
        std::vector<std::vector<int>> groups;  // free variables of each group
        std::vector<Eigen::Index> eliminated;  // by group: the input that is 1 minus the others
        std::vector<int> group_of;             // by input; -1 if none
        int variables = 0;                     // number of free inputs and groups
    };
    enum class At : char { lower, upper, fixed, free };

    [[nodiscard]] double* line(std::size_t index) { return cells_.data() + index * stride_; }
    [[nodiscard]] const double* line(std::size_t index) const { return cells_.data() + index * stride_; }
    [[nodiscard]] int variable_of(int row) const { return inputs_->variables + row; }
    [[nodiscard]] double variable_value(int variable) const;
    int add_line(std::vector<double> weights, double constant, double lower, double upper);
    void set_bounds(int variable, double lower, double upper);
    void set_at(std::size_t column, At at);
    Answer push_variable(int variable, double sign, double enough);
    [[nodiscard]] int choose_entering(const double* objective, double sign, bool first) const;
    [[nodiscard]] bool step(std::size_t column, double direction);
    void pivot(std::size_t leaving, std::size_t column);
    [[nodiscard]] std::vector<RowMultiplier> multipliers_of(int variable, double sign, double scale) const;

    std::shared_ptr<const Inputs> inputs_;
    std::size_t stride_ = 0;
    AlignedDoubles cells_;               // the dictionary: one line per basic variable, in terms of the nonbasic ones
    std::vector<double> basic_value_;    // by line
    std::vector<int> basic_;             // by line: its variable
    std::vector<int> nonbasic_;          // by column: its variable
    std::vector<double> column_value_;   // by column: the bound that its variable is at
    std::vector<At> at_;                 // by column
    std::vector<double> way_;            // by column: 1 if it can only rise, -1 if it can only fall, 0 if neither
    std::vector<double> lower_, upper_;  // by variable
    std::vector<int> place_;             // by variable: its column, or -1 - its line
    std::vector<double> row_scale_;
};

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Linear programs on a polyhedron that grows constraint by constraint: how large can an affine function become on it?
//
// A bounded-variable primal simplex on a dense dictionary. The searches of this library ask many thousands of questions
// about polyhedra that differ by one constraint, so a Simplex is a value: copied for each branch, it goes on from the
// vertex where its original stood, and no phase 1 is ever needed. What it answers is subject to rounding; a claim that
// must hold is proved from its multipliers, by weak duality (see tree/certificate.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "polyrx/geometry/affine.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

// A polyhedron must reach this far beyond a hyperplane, in units of scale(row), or the hyperplane counts as its border:
// less is within the rounding of the answers.
inline constexpr double thinnest = 1e-9;

class Simplex {
public:
    // The domain, except that linear programs know no whole numbers. An input with an infinite bound stays at
    // the value nearest to 0, and may have no weight in any function. The domain must not be empty.
    explicit Simplex(const Domain& domain);

    // A function to ask about, or to require a sign of. Returns its row's number, counted from 0.
    int add(const AffineFunction& function);
    [[nodiscard]] int rows() const { return static_cast<int>(row_scale_.size()); }

    enum class Sign { positive, negative };
    // From here on the row is >= 0, or <= 0. The present vertex must have it so, up to rounding.
    void require(int row, Sign sign);
    // The row may have any value again.
    void release(int row);
    // From here on an input is at least (positive) or at most (negative) `bound`. False if no point would be left.
    [[nodiscard]] bool narrow(Eigen::Index input, Sign direction, double bound);

    // At the present vertex.
    [[nodiscard]] double value(int row) const;
    [[nodiscard]] double input_value(Eigen::Index input) const;
    [[nodiscard]] Vector point() const;

    enum class Answer {
        exceeds,  // the present vertex is beyond `enough`
        optimal,  // the present vertex is as far as it gets
        stuck     // no answer after too many steps, which only rounding can cause
    };
    // Moves to vertices with a larger value of the row (positive), until it is > enough; or with a smaller one
    // (negative), until it is < -enough.
    Answer push(int row, Sign direction, double enough);
    Answer push_input(Eigen::Index input, Sign direction, double enough);

    // y >= 0 for a required row.
    struct RowMultiplier {
        int row;
        double value;
    };
    // After push() was answered `optimal`, with g = row (positive) or g = -row (negative): the y for which g + sum y
    // |row_i| has its maximum over box and groups at the present vertex. Rows that are not named have 0.
    [[nodiscard]] std::vector<RowMultiplier> multipliers(int row, Sign direction) const;
    [[nodiscard]] std::vector<RowMultiplier> input_multipliers(Eigen::Index input, Sign direction) const;

    // A row's values, divided by this, change by at most about 1 for each input that crosses its range.
    [[nodiscard]] double scale(int row) const { return row_scale_[static_cast<std::size_t>(row)]; }

    // Forgets the rows without a required sign; the others are numbered anew in their order.
    void keep_required();
    // Forgets the last row, which must not have a required sign.
    void drop_last();

private:
    // Variables are the free inputs, scaled to 0..1, then one for each group (the member that is 1 minus the others),
    // then the rows.
    struct Input {
        int variable = -1;  // -1 if its value never changes
        double shift = 0;   // value = shift + scale * variable
        double scale = 0;
    };
    struct Inputs {
        std::vector<Input> each;
        std::vector<std::vector<int>> groups;  // free variables of each group
        std::vector<Eigen::Index> eliminated;  // the input that each group's own variable stands for
        std::vector<int> group_of;             // by input: -1 for none
        int variables = 0;                     // free inputs and groups
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
    AlignedDoubles cells_;               // the dictionary: a line for each basic variable, in terms of the others
    std::vector<double> basic_value_;    // by line
    std::vector<int> basic_;             // by line: its variable
    std::vector<int> nonbasic_;          // by column: its variable
    std::vector<double> column_value_;   // by column: the bound at which its variable is
    std::vector<At> at_;                 // by column
    std::vector<double> way_;            // by column: 1 if it can only rise, -1 if it can only fall, 0 if neither
    std::vector<double> lower_, upper_;  // by variable
    std::vector<int> place_;             // by variable: its column, or -1 - its line
    std::vector<double> row_scale_;
};

}  // namespace polyrx

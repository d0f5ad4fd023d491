// SPDX-License-Identifier: Apache-2.0
// Looks for rows of the user's table that break a statement about a policy.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

class CounterexampleSearch {
public:
    // A row breaks the claim if its condition holds and the policy prescribes something else than it allows. All must
    // outlive the search.
    CounterexampleSearch(const Policy& policy, const Domain& domain, const BoundRule& claim);

    // At the rows of the box nearest to the points, and between them and `inside` or the middle of the box, where
    // comparisons that are strict may hold. The row is what the encoder makes of the table's row.
    [[nodiscard]] std::optional<Vector> near(const std::vector<Vector>& points, const Vector& inside,
                                             const Domain& box);

    // From random rows of the box, one input after the other towards treatments that the claim does not allow.
    [[nodiscard]] std::optional<Vector> climb(const Domain& box);

    // The same with as few digits as break the claim too, for people.
    [[nodiscard]] Vector rounded(Vector row) const;

    // Whether a row of the domain broke the claim that stands for no row of a table: a value that is said to be
    // missing, or a derived feature that does not follow from its columns.
    [[nodiscard]] bool met_impossible_row() const { return met_impossible_row_; }

private:
    struct Best {
        Eigen::Index row = -1;
        double score = 0;
    };
    // How much worse than the best treatment the best one that the claim does not allow is, at least 0; infinite for
    // rows that the claim is not about. Stops at one that breaks it. The rows become such as a table can have.
    [[nodiscard]] Best look_at(Matrix& rows);
    // Derived features follow from their columns. Rows of which one has no value stay as they are.
    void derive(Matrix& rows) const;
    [[nodiscard]] bool breaks(const Matrix& rows, Eigen::Index row, int chosen) const;
    [[nodiscard]] std::optional<Vector> as_table_row(const Eigen::Ref<const Vector>& row) const;
    [[nodiscard]] Matrix neighbors(const Vector& row, const Domain& box) const;

    const Policy& policy_;
    const Domain& domain_;
    const BoundRule& claim_;
    bool has_derived_ = false;
    std::uint64_t climbs_ = 0;
    std::optional<Vector> found_;
    bool met_impossible_row_ = false;
};

}  // namespace polyrx

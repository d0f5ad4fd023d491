// SPDX-License-Identifier: Apache-2.0
// Searches for rows of the user's table that break a statement about a policy.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

class CounterexampleSearch {
public:
    // A row breaks the claim if its condition holds and the policy prescribes a treatment that it does not allow. The
    // arguments must outlive the search.
    CounterexampleSearch(const Policy& policy, const Domain& domain, const BoundRule& claim);

    // Tries the rows of the box nearest to the points, and rows between the points and `inside` or the center of the
    // box, where strict comparisons may hold. The result is an encoded row of the table.
    [[nodiscard]] std::optional<Vector> near(const std::vector<Vector>& points, const Vector& inside,
                                             const Domain& box);

    // Hill climbing from random rows of the box, one input at a time, toward treatments that the claim does not allow.
    [[nodiscard]] std::optional<Vector> climb(const Domain& box);

    // Rounds the row to as few digits as still break the claim, for readability.
    [[nodiscard]] Vector rounded(Vector row) const;

    // Whether a row of the domain broke the claim but is not a row of any table: a value marked as missing, or a
    // derived feature that does not follow from its columns.
    [[nodiscard]] bool met_impossible_row() const { return met_impossible_row_; }

private:
    struct Best {
        Eigen::Index row = -1;
        double score = 0;
    };
    // For each row: how much worse the best treatment that the claim does not allow is than the best one, at least 0;
    // infinite if the condition does not hold. Stops at a row that breaks the claim. Replaces the rows by rows that a
    // table can contain.
    [[nodiscard]] Best look_at(Matrix& rows);
    // Computes derived features from their columns. Rows where one has no value stay unchanged.
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

// SPDX-License-Identifier: Apache-2.0
// Checked observational data: features, treatments, outcomes, weights.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/study/splits/rank_rows.hpp"
#include "polyrx/table/schema.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// The role of each column, by name.
struct Roles {
    std::string treatment = {};
    std::string outcome = {};
    std::string weight = {};                 // empty: all weights are 1
    std::vector<std::string> features = {};  // empty: every column that has no other role
    std::vector<std::string> ignore = {};    // columns that are not features
    std::string group = {};                  // rows with the same value form a group; empty: no groups
    // Known propensities in the format of known_design.hpp; empty if unknown.
    std::vector<std::string> propensities = {};
    std::size_t least_rows = 2;  // per treatment; fewer are a data error
};

struct Observations {
    Table features;
    std::vector<int> treatment;           // index into treatments
    std::vector<std::string> treatments;  // labels
    std::vector<double> outcome;
    std::vector<double> weight;  // empty when every row counts once

    std::string treatment_name;
    std::string outcome_name;
    std::string weight_name;  // empty when every row counts once
    // Notes about inferred roles and types that the user may not expect.
    std::vector<std::string> notes;

    // Groups, such as the patients of one clinic; empty if there are none.
    std::vector<std::size_t> group = {};   // index into groups
    std::vector<std::string> groups = {};  // labels of all groups in the file
    std::string group_name = {};
    // Known propensities, rows x treatments; 0 rows if unknown.
    Matrix design = {};
    std::string design_name = {};  // as given
    // Set if rows of weight 0 were left out: ranks from before that. Use ranked_rows().
    std::optional<RankedRows> ranked = {};

    [[nodiscard]] std::size_t rows() const { return outcome.size(); }
    [[nodiscard]] bool has_design() const { return design.rows() > 0; }
    // The known propensities, or nullptr.
    [[nodiscard]] const Matrix* known_design() const { return has_design() ? &design : nullptr; }
};

// Checks the data and leaves out rows of weight 0. Throws a data error for: no rows; only one treatment; a treatment
// that the schema does not declare, or with fewer than `least_rows` rows; a missing, non-numeric, infinite or constant
// outcome; a feature without values; negative weights, or only zero weights; a missing group.
[[nodiscard]] Observations observe(const Table& table, const Roles& roles, const Schema& schema = {});

// Ranks among rows with equal features, including rows of weight 0.
[[nodiscard]] RankedRows ranked_rows(const Observations& observations);

// A hash of the features, treatment and outcome of each row.
[[nodiscard]] std::vector<std::uint64_t> content_hashes(const Observations& observations);

// The given rows, in the given order, as a data set of their own: ranks are computed again.
[[nodiscard]] Observations take(const Observations& observations, std::span<const std::size_t> rows);

// SHA-256 of the contents, independent of the file or data frame they came from.
[[nodiscard]] std::string fingerprint(const Observations& observations);

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Observational data ready to learn from: features, treatment given, outcome, weight; checked.
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

// Which column is what, by header name.
struct Roles {
    std::string treatment = {};
    std::string outcome = {};
    std::string weight = {};                 // empty: every row counts once
    std::vector<std::string> features = {};  // empty: every column that has no other role
    std::vector<std::string> ignore = {};    // left out of "every column"
    std::string group = {};                  // rows with one value belong together; empty: each row is on its own
    // The known probability of each treatment, as known_design.hpp reads it; empty: unknown.
    std::vector<std::string> propensities = {};
    std::size_t least_rows = 2;  // of each treatment; with fewer, there is a data error
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
    // Sentences about what was taken to be what, where a person might have expected something else.
    std::vector<std::string> notes;

    // Rows that belong together, as patients of one clinic do; empty where each row is on its own.
    std::vector<std::size_t> group = {};   // index into groups
    std::vector<std::string> groups = {};  // labels, of all groups in the file
    std::string group_name = {};
    // Rows x treatments: the known probability of each treatment; without rows where it is unknown.
    Matrix design = {};
    std::string design_name = {};  // as it was given
    // Where rows of weight 0 were left out: ranks that were counted before. Use ranked_rows().
    std::optional<RankedRows> ranked = {};

    [[nodiscard]] std::size_t rows() const { return outcome.size(); }
    [[nodiscard]] bool has_design() const { return design.rows() > 0; }
    // The design, or nullptr where it is unknown.
    [[nodiscard]] const Matrix* known_design() const { return has_design() ? &design : nullptr; }
};

// Throws a data error for anything that cannot be learned from: no rows, one treatment only, a treatment with
// fewer than two rows, a missing, non-numeric, infinite or constant outcome, a feature without values, weights
// that are negative or all zero, a missing group, a treatment that the schema does not declare.
// Rows of weight 0 are left out.
[[nodiscard]] Observations observe(const Table& table, const Roles& roles, const Schema& schema = {});

// Ranks among rows with equal features, counted before rows of weight 0 were left out.
[[nodiscard]] RankedRows ranked_rows(const Observations& observations);

// A hash of what is in each row: features, treatment and outcome.
[[nodiscard]] std::vector<std::uint64_t> content_hashes(const Observations& observations);

// These rows, in this order. They are then a data set of their own: their ranks are counted anew.
[[nodiscard]] Observations take(const Observations& observations, std::span<const std::size_t> rows);

// SHA-256 of everything in the observations, whatever file or frame they came from.
[[nodiscard]] std::string fingerprint(const Observations& observations);

}  // namespace polyrx

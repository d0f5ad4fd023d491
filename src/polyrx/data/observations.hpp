// SPDX-License-Identifier: Apache-2.0
// Observational data ready to learn from: features, treatment given, outcome, weight; checked.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "polyrx/data/schema.hpp"
#include "polyrx/data/table.hpp"

namespace polyrx {

// Which column is what, by header name.
struct Roles {
    std::string treatment = {};
    std::string outcome = {};
    std::string weight = {};                 // empty: every row counts once
    std::vector<std::string> features = {};  // empty: every column that has no other role
    std::vector<std::string> ignore = {};    // left out of "every column"
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

    [[nodiscard]] std::size_t rows() const { return outcome.size(); }
};

// Throws a data error for anything that cannot be learned from: no rows, one treatment only, a treatment with
// fewer than two rows, a missing, non-numeric, infinite or constant outcome, a feature without values, weights
// that are negative or all zero, a treatment that the schema does not declare.
// Rows of weight 0 are left out.
[[nodiscard]] Observations observe(const Table& table, const Roles& roles, const Schema& schema = {});

// These rows, in this order.
[[nodiscard]] Observations take(const Observations& observations, std::span<const std::size_t> rows);

// SHA-256 of everything in the observations, whatever file or frame they came from.
[[nodiscard]] std::string fingerprint(const Observations& observations);

}  // namespace polyrx

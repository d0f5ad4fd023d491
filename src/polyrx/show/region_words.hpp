// SPDX-License-Identifier: Apache-2.0
// A region in words and as JSON.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "polyrx/network/region.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/show/split_words.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// How many rows of data lie in a region.
struct RowsInRegion {
    std::size_t all = 0;
    std::vector<std::size_t> received;  // by the treatment given; empty if unknown
};

// A paragraph: treatment, pattern, rows, inequalities, a point inside, outcomes. Without `rows`: no data.
[[nodiscard]] std::string region_words(const Region& region, std::size_t number, const Policy& policy,
                                       const Domain& domain, const RowsInRegion* rows, const WordOptions& options);

// One object on one line, without a line end. Outcomes are in the user's direction.
[[nodiscard]] std::string region_json(const Region& region, const Policy& policy, const RowsInRegion* rows);

// "10110 01": a group of signs for each hidden layer; 1 is on.
[[nodiscard]] std::string pattern_words(const Pattern& pattern);

}  // namespace polyrx

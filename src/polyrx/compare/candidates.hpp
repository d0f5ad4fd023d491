// SPDX-License-Identifier: Apache-2.0
// The candidates of a comparison: baselines, the network in each recipe, and the observed treatments.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polyrx/fit/fit.hpp"

namespace polyrx {

// One line of a comparison. Its name stands for its options, in tables and journals.
struct Candidate {
    std::string name;
    std::optional<FitOptions> options;  // empty: nothing is learned, and each row gets its observed treatment
};

// network-fast, network-paper, the other methods in the order of method.hpp, and `observed`.
[[nodiscard]] const std::vector<Candidate>& all_candidates();

// The candidates that support this number of treatments.
[[nodiscard]] std::vector<Candidate> candidates_for(std::size_t treatments);

// The candidates with these names, in the order of all_candidates(). Throws a usage error for a name that is unknown
// (with the nearest known one), repeated, or does not support the number of treatments.
[[nodiscard]] std::vector<Candidate> candidates_named(std::span<const std::string> names, std::size_t treatments);

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// What a comparison compares: the methods, the network in each of its recipes, and what was done.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "polyrx/fit/fit.hpp"

namespace polyrx {

// One line of a comparison. Its name stands for its options, in tables and in journals.
struct Candidate {
    std::string name;
    std::optional<FitOptions> options;  // none: nothing is learned, each row gets the treatment that it was given
};

// network-fast, network-paper, the other methods in the order of method.hpp, and `observed`.
[[nodiscard]] const std::vector<Candidate>& all_candidates();

// Those that can choose among so many treatments.
[[nodiscard]] std::vector<Candidate> candidates_for(std::size_t treatments);

// Those of these names, in the order of all_candidates(), whatever the order of the names. Throws a usage error for a
// name that is unknown (with the nearest that is known), given twice, or of a method for another number of treatments.
[[nodiscard]] std::vector<Candidate> candidates_named(std::span<const std::string> names, std::size_t treatments);

}  // namespace polyrx

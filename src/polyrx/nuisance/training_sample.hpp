// SPDX-License-Identifier: Apache-2.0
// Of many rows, those that nuisance models are trained on: more of them hardly make predictions better.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polyrx {

inline constexpr std::size_t most_training_rows = 50'000;

// Places 0 .. treatment.size()-1, ascending: all of them, or of more than `most` about so many, drawn with the same
// share of every treatment.
[[nodiscard]] std::vector<std::size_t> stratified_sample(std::span<const int> treatment, std::size_t most,
                                                         std::uint64_t seed);

// How many rows of each treatment to train on, when each has a model of its own: at most `most` together, and equally
// many wherever there are as many, so that a rare treatment keeps its rows.
[[nodiscard]] std::vector<std::size_t> equal_shares(std::vector<std::size_t> rows_of_treatment, std::size_t most);

}  // namespace polyrx

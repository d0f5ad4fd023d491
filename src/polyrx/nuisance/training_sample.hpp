// SPDX-License-Identifier: Apache-2.0
// Samples rows to train nuisance models on. Beyond this number, more rows hardly improve predictions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace polyrx {

inline constexpr std::size_t most_training_rows = 50'000;

// Returns places 0 .. treatment.size()-1 in ascending order. If there are more than `most`, returns a sample of about
// this number, stratified by treatment.
[[nodiscard]] std::vector<std::size_t> stratified_sample(std::span<const int> treatment, std::size_t most,
                                                         std::uint64_t seed);

// The number of training rows per treatment, if each has its own model: at most `most` in total, and equal numbers
// where possible, so that a rare treatment keeps its rows.
[[nodiscard]] std::vector<std::size_t> equal_shares(std::vector<std::size_t> rows_of_treatment, std::size_t most);

}  // namespace polyrx

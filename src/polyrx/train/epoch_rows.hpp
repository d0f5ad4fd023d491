// SPDX-License-Identifier: Apache-2.0
// The rows of one epoch in training order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/train/training_rows.hpp"

namespace polyrx {

// The order of `rows` rows in epoch `epoch` (0-based).
[[nodiscard]] std::vector<std::size_t> epoch_order(std::size_t rows, std::uint64_t seed, int epoch);

// Copies rows in this order, so that a batch is a contiguous range. Reuses the memory of `gathered`.
void gather(const TrainingRows& rows, std::span<const std::size_t> order, TrainingRows& gathered);

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// The rows of one epoch, in the order of their visit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/train/training_rows.hpp"

namespace polyrx {

// The order in which epoch `epoch` (0-based) visits `rows` rows.
[[nodiscard]] std::vector<std::size_t> epoch_order(std::size_t rows, std::uint64_t seed, int epoch);

// Copies rows in this order: a batch is then a piece of them. `gathered` may hold those of an earlier epoch.
void gather(const TrainingRows& rows, std::span<const std::size_t> order, TrainingRows& gathered);

}  // namespace polyrx

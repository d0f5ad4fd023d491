// SPDX-License-Identifier: Apache-2.0
// Encodes a table's rows for a policy in blocks, and rejects rows that could overflow its network.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "polyrx/encode/input_columns.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

// Calls act(first, rows) for each block of encoded rows; `first` is the table row where the block begins. Several
// threads call it at once if the options allow. Throws a data error for rows that encode() rejects.
void for_encoded_blocks(const InputReader& reader, const Table& table, const PrescribeOptions& options,
                        const Progress& progress,
                        const std::function<void(std::size_t first, const InputColumns& rows)>& act);
// The same in row-major form, with a reader of all inputs.
void for_encoded_rows(const InputReader& reader, const Table& table, const PrescribeOptions& options,
                      const Progress& progress, const std::function<void(std::size_t first, const Matrix& rows)>& act);

// Limits that prevent overflow of the network, which would make prescriptions meaningless. The first `count` inputs,
// which are the ones that the network uses, must not exceed `largest` in magnitude.
struct SafeInputs {
    Eigen::Index count = 0;
    double largest = 0;
};
[[nodiscard]] SafeInputs safe_inputs(const ReluNetwork& network);

// Throws a data error for the first unsafe row; the block begins at row `first` of the table. Checks all rows, or those
// in `which`, in order.
void check_safe(const Matrix& rows, const SafeInputs& safe, const Table& table, std::size_t first,
                std::span<const Eigen::Index> which);
void check_safe(const Matrix& rows, const SafeInputs& safe, const Table& table, std::size_t first);

// Stores the outputs of a network in `outcomes` from row `first` on, in the user's direction.
void store_outcomes(const Policy& policy, const Matrix& outputs, std::size_t first, Matrix& outcomes);

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// The way of a table's rows to a policy's network, block by block: encoded, and refused where they could overflow it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "polyrx/encode/input_columns.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

// Calls act(first, rows) for each block of rows, which begins at row `first` of the table, with the inputs that are
// read; from several threads at once if the options say so. Throws a data error for rows that encode() refuses.
void for_encoded_blocks(const InputReader& reader, const Table& table, const PrescribeOptions& options,
                        const Progress& progress,
                        const std::function<void(std::size_t first, const InputColumns& rows)>& act);
// The same row by row, with a reader of all inputs.
void for_encoded_rows(const InputReader& reader, const Table& table, const PrescribeOptions& options,
                      const Progress& progress, const std::function<void(std::size_t first, const Matrix& rows)>& act);

// Values far outside of what a network was trained on can overflow it, and a prescription then means nothing: the
// first `count` inputs, which are those that the network does not ignore, must not be beyond `largest`.
struct SafeInputs {
    Eigen::Index count = 0;
    double largest = 0;
};
[[nodiscard]] SafeInputs safe_inputs(const ReluNetwork& network);

// Throws a data error for the first of these rows, which begins at row `first` of the table, that is not safe. Looks at
// all rows, or at those that `which` names, in order.
void check_safe(const Matrix& rows, const SafeInputs& safe, const Table& table, std::size_t first,
                std::span<const Eigen::Index> which);
void check_safe(const Matrix& rows, const SafeInputs& safe, const Table& table, std::size_t first);

// Puts what the network says into rows first.. of `outcomes`, in the direction of the user.
void store_outcomes(const Policy& policy, const Matrix& outputs, std::size_t first, Matrix& outcomes);

}  // namespace polyrx

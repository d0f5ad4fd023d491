// SPDX-License-Identifier: Apache-2.0
// The two inner loops of the simplex in SIMD, with run-time dispatch. Every target gives the same bits as a scalar
// loop.
#pragma once

#include <cstddef>

namespace polyrx {

// `stride` must be a multiple of this.
inline constexpr std::size_t dictionary_step = 4;

struct DictionaryLines {
    double* cells;  // preferably aligned to 64 bytes
    std::size_t lines;
    std::size_t stride;
};

// Pivots: exchanges the variable of line `leaving` with that of the column, in all lines.
void exchange(const DictionaryLines& dictionary, std::size_t leaving, std::size_t column);

// The first column with the largest sign * objective * way above `least`; -1 if there is none.
[[nodiscard]] int steepest_column(const double* objective, const double* way, std::size_t stride, double sign,
                                  double least);

}  // namespace polyrx

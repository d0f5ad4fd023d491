// SPDX-License-Identifier: Apache-2.0
// The two loops of the simplex over whole lines of its dictionary, in vectors as wide as the machine has them, chosen
// when the program runs. Every target gives the bits of the plain loop.
#pragma once

#include <cstddef>

namespace polyrx {

// Lines of `stride` doubles each, a multiple of this.
inline constexpr std::size_t dictionary_step = 4;

struct DictionaryLines {
    double* cells;  // best on a 64-byte boundary
    std::size_t lines;
    std::size_t stride;
};

// The variable of line `leaving` and that of the column change places: in the line, and in all lines that it enters.
void exchange(const DictionaryLines& dictionary, std::size_t leaving, std::size_t column);

// The column with the largest sign * objective * way above `least`, the first of equal ones; -1 if there is none.
[[nodiscard]] int steepest_column(const double* objective, const double* way, std::size_t stride, double sign,
                                  double least);

}  // namespace polyrx

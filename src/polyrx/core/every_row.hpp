// SPDX-License-Identifier: Apache-2.0
// All row indices 0 .. n-1.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace polyrx {

[[nodiscard]] inline std::vector<std::size_t> every_row(std::size_t count) {
    std::vector<std::size_t> rows(count);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
}

}  // namespace polyrx

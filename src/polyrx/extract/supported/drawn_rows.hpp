// SPDX-License-Identifier: Apache-2.0
// Rows drawn like those of the data, for the network to label: it can be asked as often as one likes (Craven & Shavlik
// 1996), so a split deep down the tree need not be chosen on the few rows that arrive there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "polyrx/core/matrix.hpp"
#include "polyrx/geometry/domain.hpp"

namespace polyrx {

// Each drawn row is a crossing of two random members: it has some inputs of the one and the others of the other, groups
// as a whole, and so lies in the domain as they do. Row i depends on the seed, i and the members only.
[[nodiscard]] Matrix draw_rows(const Domain& domain, const Matrix& rows, std::span<const Eigen::Index> members,
                               std::size_t count, std::uint64_t seed);

}  // namespace polyrx

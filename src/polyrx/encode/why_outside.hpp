// SPDX-License-Identifier: Apache-2.0
// Why a row of a table is not in a domain, in the words of the table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// "age 130 is outside of the tree's domain (18 to 90)", of the first feature that is; empty only if the row is inside.
// `whose` is "the tree's". A category that the training rows did not have is outside.
[[nodiscard]] std::string why_outside(const Encoder& encoder, const Domain& domain, const Table& table, std::size_t row,
                                      std::string_view whose);

}  // namespace polyrx

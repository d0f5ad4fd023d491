// SPDX-License-Identifier: Apache-2.0
// Explains why a row is not in a domain, in terms of table columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// "age 130 is outside of the tree's domain (18 to 90)", for the first feature outside. Empty only if the row is inside.
// `whose` is "the tree's". Categories not in the training rows are outside.
[[nodiscard]] std::string why_outside(const Encoder& encoder, const Domain& domain, const Table& table, std::size_t row,
                                      std::string_view whose);

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Converts table rows to what trees read: one value per feature, NaN where missing.
#pragma once

#include "polyrx/encode/encoder.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// Converts rows first .. first+count-1. If a feature without an indicator is missing, it has the encoder's fill value.
// Throws like Encoder::encode().
[[nodiscard]] FeatureRows feature_rows(const Encoder& encoder, const Table& table, std::size_t first, std::size_t count,
                                       Unseen unseen);
[[nodiscard]] inline FeatureRows feature_rows(const Encoder& encoder, const Table& table,
                                              Unseen unseen = Unseen::error) {
    return feature_rows(encoder, table, 0, table.rows(), unseen);
}

}  // namespace polyrx

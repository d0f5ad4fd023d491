// SPDX-License-Identifier: Apache-2.0
// Rows of a table as trees see them: one value for each feature, categories undivided, missing cells missing.
#pragma once

#include "polyrx/encode/encoder.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// Rows first .. first+count-1 of the table. A feature without an indicator had no missing cells when the encoder was
// made; one that is missing now has the value that the encoder fills in. Throws as Encoder::encode() does.
[[nodiscard]] FeatureRows feature_rows(const Encoder& encoder, const Table& table, std::size_t first, std::size_t count,
                                       Unseen unseen);
[[nodiscard]] inline FeatureRows feature_rows(const Encoder& encoder, const Table& table,
                                              Unseen unseen = Unseen::error) {
    return feature_rows(encoder, table, 0, table.rows(), unseen);
}

}  // namespace polyrx

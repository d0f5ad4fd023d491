// SPDX-License-Identifier: Apache-2.0
// Features read back from encoded rows, which feature_rows() takes from the table.
#pragma once

#include "polyrx/encode/encoder.hpp"
#include "polyrx/table/feature_rows.hpp"
#include "tests/support/not_a_number.hpp"

namespace polyrx::test {

// A cell is missing where its indicator says so, or where a category is none of those that are known.
inline FeatureRows decoded_features(const Encoder& encoder, const Matrix& encoded) {
    const auto count = static_cast<Eigen::Index>(encoder.features().size());
    FeatureRows rows{Eigen::MatrixXd::Constant(encoded.rows(), count, not_a_number), {}};
    for (const Feature& feature : encoder.features())
        rows.levels.push_back(feature.type == ColumnType::categorical ? static_cast<int>(feature.categories.size())
                                                                      : 0);
    for (std::size_t c = 0; c < encoder.columns().size(); ++c) {
        const EncodedColumn& column = encoder.columns()[c];
        for (Eigen::Index i = 0; i < encoded.rows(); ++i) {
            const double input = encoded(i, static_cast<Eigen::Index>(c));
            double& value = rows.values(i, static_cast<Eigen::Index>(column.feature));
            if (column.kind == InputKind::value) value = input;
            if (column.kind == InputKind::category && input == 1) value = static_cast<double>(column.category);
            if (column.kind == InputKind::indicator && input == 1) value = not_a_number;
        }
    }
    return rows;
}

}  // namespace polyrx::test

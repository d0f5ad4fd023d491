// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/feature_rows.hpp"

#include <limits>

namespace polyrx {

FeatureRows feature_rows(const Encoder& encoder, const Matrix& encoded) {
    constexpr double missing = std::numeric_limits<double>::quiet_NaN();
    const auto count = static_cast<Eigen::Index>(encoder.features().size());
    FeatureRows rows{Eigen::MatrixXd::Constant(encoded.rows(), count, missing), {}};
    for (const Feature& feature : encoder.features())
        rows.levels.push_back(feature.type == ColumnType::categorical ? static_cast<int>(feature.categories.size())
                                                                      : 0);
    for (std::size_t c = 0; c < encoder.columns().size(); ++c) {
        const EncodedColumn& column = encoder.columns()[c];
        const auto from = encoded.col(static_cast<Eigen::Index>(c));
        auto to = rows.values.col(static_cast<Eigen::Index>(column.feature));
        switch (column.kind) {
            case InputKind::value:
                to = from;
                break;
            case InputKind::category:
                to = (from.array() == 1).select(static_cast<double>(column.category), to);
                break;
            case InputKind::indicator:  // stands behind the feature's other inputs
                to = (from.array() == 1).select(missing, to);
                break;
        }
    }
    return rows;
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/feature_rows.hpp"

#include "polyrx/encode/encode_feature.hpp"

namespace polyrx {

FeatureRows feature_rows(const Encoder& encoder, const Table& table, std::size_t first, std::size_t count,
                         Unseen unseen) {
    const std::vector<Feature>& features = encoder.features();
    FeatureRows rows{Eigen::MatrixXd(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(features.size())), {}};
    for (std::size_t f = 0; f < features.size(); ++f) {
        const bool is_categorical = features[f].type == ColumnType::categorical;
        rows.levels.push_back(is_categorical ? static_cast<int>(features[f].categories.size()) : 0);
        feature_values(features[f], {table, first, count}, unseen,
                       rows.values.col(static_cast<Eigen::Index>(f)).data());
    }
    return rows;
}

}  // namespace polyrx

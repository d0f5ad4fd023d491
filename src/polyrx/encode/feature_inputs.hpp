// SPDX-License-Identifier: Apache-2.0
// Finds the inputs of each feature in an encoded row.
#pragma once

#include <vector>

#include "polyrx/encode/encoder.hpp"

namespace polyrx {

struct FeatureInputs {
    Eigen::Index value = -1;                    // numeric and boolean features
    std::vector<Eigen::Index> categories = {};  // by category
    Eigen::Index indicator = -1;                // -1: never missing
};

// Indexed by feature.
[[nodiscard]] inline std::vector<FeatureInputs> feature_inputs(const Encoder& encoder) {
    std::vector<FeatureInputs> inputs(encoder.features().size());
    for (std::size_t c = 0; c < encoder.columns().size(); ++c) {
        const EncodedColumn& column = encoder.columns()[c];
        const auto input = static_cast<Eigen::Index>(c);
        FeatureInputs& its = inputs[column.feature];
        if (column.kind == InputKind::value) its.value = input;
        if (column.kind == InputKind::category) its.categories.push_back(input);
        if (column.kind == InputKind::indicator) its.indicator = input;
    }
    return inputs;
}

}  // namespace polyrx

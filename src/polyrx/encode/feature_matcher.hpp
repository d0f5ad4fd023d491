// SPDX-License-Identifier: Apache-2.0
// Matches a feature to the column of a table, and its categories to those of the column.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "polyrx/encode/encoder.hpp"

namespace polyrx {

// Used in place of a category index for a category not in the training rows.
inline constexpr int unseen_category = -2;

struct MatchedColumn {
    const Column* column = nullptr;  // nullptr if the table lacks it, and for derived features
    std::vector<int> categories;  // by category of the column: index among the feature's categories, or unseen_category
};

// Prepared once per feature, for any number of tables. The feature must outlive it.
class FeatureMatcher {
public:
    // Looks for the column at `place` first, then by name.
    explicit FeatureMatcher(const Feature& feature, std::size_t place = 0);

    [[nodiscard]] const Feature& feature() const { return *feature_; }
    // The table must outlive the match.
    [[nodiscard]] MatchedColumn in(const Table& table) const;

private:
    const Feature* feature_;
    std::size_t place_;
    std::unordered_map<std::string_view, int> categories_;
};

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Finds the column of a table that a feature is of, and which of the feature's categories the column's are.
#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "polyrx/encode/encoder.hpp"

namespace polyrx {

// In place of the index of a category: the training rows did not have it.
inline constexpr int unseen_category = -2;

struct MatchedColumn {
    const Column* column = nullptr;  // none where the table has no such column, and of a derived feature
    std::vector<int> categories;     // by category of the column: the index of the feature's, or unseen_category
};

// Made once for a feature, and used for any number of tables. The feature must outlive it.
class FeatureMatcher {
public:
    // The column is looked for at `place` first, then by name.
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

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/feature_matcher.hpp"

namespace polyrx {

FeatureMatcher::FeatureMatcher(const Feature& feature, std::size_t place) : feature_(&feature), place_(place) {
    for (std::size_t i = 0; i < feature.categories.size(); ++i)
        categories_.emplace(feature.categories[i], static_cast<int>(i));
}

MatchedColumn FeatureMatcher::in(const Table& table) const {
    MatchedColumn matched;
    if (feature_->formula) return matched;
    const std::vector<Column>& columns = table.columns();
    const bool in_place = place_ < columns.size() && columns[place_].name == feature_->name;
    matched.column = in_place ? &columns[place_] : table.find(feature_->name);
    if (!matched.column) return matched;
    const auto* categorical = std::get_if<CategoricalColumn>(&matched.column->values);
    if (!categorical) return matched;
    matched.categories.reserve(categorical->categories.size());
    for (const std::string& category : categorical->categories) {
        const auto found = categories_.find(category);
        matched.categories.push_back(found == categories_.end() ? unseen_category : found->second);
    }
    return matched;
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Options that have a text for each treatment: --truth, --propensities.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

// One text for each treatment, in their order: given in that order, or as LABEL=TEXT in any. `option` is "--truth",
// and `whose` begins the sentence about how many there should be: "the model has".
[[nodiscard]] std::vector<std::string> texts_by_treatment(std::string_view option,
                                                          const std::vector<std::string>& treatments,
                                                          std::span<const std::string> given, std::string_view whose);

// The same of columns, which must be distinct.
[[nodiscard]] std::vector<std::string> columns_by_treatment(std::string_view option,
                                                            const std::vector<std::string>& treatments,
                                                            std::span<const std::string> given, std::string_view whose);

// Throws a usage error for a column that is named for two treatments.
void check_distinct(std::string_view option, std::span<const std::string> columns);

}  // namespace polyrx

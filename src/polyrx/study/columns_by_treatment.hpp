// SPDX-License-Identifier: Apache-2.0
// Parses options with one value per treatment: --truth, --propensities.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyrx {

// Returns one value per treatment, in their order. Accepts values in that order, or LABEL=VALUE in any order. `option`
// is "--truth"; `whose` is the start of the error about their number: "the model has".
[[nodiscard]] std::vector<std::string> texts_by_treatment(std::string_view option,
                                                          const std::vector<std::string>& treatments,
                                                          std::span<const std::string> given, std::string_view whose);

// The same for column names, which must be distinct.
[[nodiscard]] std::vector<std::string> columns_by_treatment(std::string_view option,
                                                            const std::vector<std::string>& treatments,
                                                            std::span<const std::string> given, std::string_view whose);

// Throws a usage error if two treatments have the same column.
void check_distinct(std::string_view option, std::span<const std::string> columns);

}  // namespace polyrx

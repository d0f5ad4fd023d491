// SPDX-License-Identifier: Apache-2.0
// --truth: which column holds the true outcome of which treatment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polyrx::cli {

// One column for each treatment, in their order: given in that order, or as LABEL=COLUMN in any. `whose` begins the
// sentence about how many there should be: "the model has".
[[nodiscard]] std::vector<std::string> truth_columns(const std::vector<std::string>& treatments,
                                                     const std::vector<std::string>& given, std::string_view whose);

}  // namespace polyrx::cli

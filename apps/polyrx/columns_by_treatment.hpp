// SPDX-License-Identifier: Apache-2.0
// Options that name a column for each treatment: --truth, --propensities.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polyrx::cli {

// One column for each treatment, in their order: given in that order, or as LABEL=COLUMN in any. `option` is "--truth",
// and `whose` begins the sentence about how many there should be: "the model has".
[[nodiscard]] std::vector<std::string> columns_by_treatment(std::string_view option,
                                                            const std::vector<std::string>& treatments,
                                                            const std::vector<std::string>& given,
                                                            std::string_view whose);

}  // namespace polyrx::cli

// SPDX-License-Identifier: Apache-2.0
// Arguments of `polyrx fit`, and their conversion to options of the library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "observed_data.hpp"
#include "option_table.hpp"
#include "polyrx/fit/fit_request.hpp"

namespace polyrx::cli {

struct FitArguments {
    ObservedData data;
    std::optional<Recipe> recipe;
    OptionTexts given;  // of the library's fields, by name
    std::string tuning_log;
    std::string rules;
    bool no_recommendation = false;
    std::optional<int> leaves;  // of the distilled tree
    double test_fraction = 0;
    std::string test_file;
    bool no_row_sketch = false;
    std::uint64_t seed = 1;
    int threads = 0;
    std::string output = "model.json";
    bool timings = false;
    bool json = false;
    bool quiet = false;
};

[[nodiscard]] std::vector<Option> options_of(FitArguments& arguments);

// Given arguments override the recipe. Throws a usage error for options without effect.
[[nodiscard]] FitOptions fit_options(const FitArguments& arguments);

}  // namespace polyrx::cli

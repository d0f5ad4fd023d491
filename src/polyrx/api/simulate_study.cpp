// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/simulate_study.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

// Converts "f3" to 3.
std::vector<int> numbers_of(const std::vector<std::string>& functions) {
    std::vector<int> numbers;
    for (const std::string& function : functions) {
        if (function.size() != 2 || function[0] != 'f' || function[1] < '1' || function[1] > '4')
            throw usage_error(fmt::format("--functions: {} is not one of f1, f2, f3, f4", in_quotes(function)));
        numbers.push_back(function[1] - '0');
    }
    return numbers;
}

}  // namespace

Table simulate_study(const std::string& dataset, const std::vector<std::string>& functions,
                     const SimulateOptions& options) {
    const bool custom = dataset == "custom";
    if (dataset == "clinic" && options.variant == Variant::literal)
        throw usage_error("--variant goes with 1..6 and custom: clinic has one form only");
    if (custom && functions.empty())
        throw usage_error("custom needs --functions: a base and one or two effects, as f3,f2");
    if (!custom && !functions.empty()) throw usage_error("--functions goes with custom");
    if (dataset == "clinic") return simulate_clinic(options);
    if (custom) return simulate_design(numbers_of(functions), options);
    if (dataset.size() != 1 || dataset[0] < '1' || dataset[0] > '6')
        throw usage_error(fmt::format("{} is no dataset: expected 1 to 6, custom or clinic", in_quotes(dataset)));
    return simulate_paper(dataset.front() - '0', options);
}

}  // namespace polyrx

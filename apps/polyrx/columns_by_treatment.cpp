// SPDX-License-Identifier: Apache-2.0
#include "columns_by_treatment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "polyrx/core/error.hpp"

namespace polyrx::cli {

std::vector<std::string> columns_by_treatment(std::string_view option, const std::vector<std::string>& treatments,
                                              const std::vector<std::string>& given, std::string_view whose) {
    if (given.size() != treatments.size())
        throw usage_error(fmt::format("{} names {} column{}, but {} {} treatments ({})", option, given.size(),
                                      given.size() == 1 ? "" : "s", whose, treatments.size(),
                                      fmt::join(treatments, ", ")));
    std::vector<std::string> columns(treatments.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        std::size_t place = i;
        std::string column = given[i];
        for (std::size_t k = 0; k < treatments.size(); ++k) {
            const std::string label = treatments[k] + "=";
            if (!given[i].starts_with(label)) continue;
            place = k;
            column = given[i].substr(label.size());
        }
        if (!columns[place].empty())
            throw usage_error(fmt::format("{} names two columns for treatment {}", option, treatments[place]));
        if (std::ranges::find(columns, column) != columns.end())
            throw usage_error(fmt::format("{} names the column '{}' for two treatments", option, column));
        columns[place] = column;
    }
    return columns;
}

}  // namespace polyrx::cli

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/columns_by_treatment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "polyrx/core/error.hpp"

namespace polyrx {

std::vector<std::string> texts_by_treatment(std::string_view option, const std::vector<std::string>& treatments,
                                            std::span<const std::string> given, std::string_view whose) {
    if (given.size() != treatments.size())
        throw usage_error(fmt::format("{} names {} column{}, but {} {} treatments ({})", option, given.size(),
                                      given.size() == 1 ? "" : "s", whose, treatments.size(),
                                      fmt::join(treatments, ", ")));
    std::vector<std::string> texts(treatments.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        std::size_t place = i;
        std::string text = given[i];
        for (std::size_t k = 0; k < treatments.size(); ++k) {
            const std::string label = treatments[k] + "=";
            if (!given[i].starts_with(label)) continue;
            place = k;
            text = given[i].substr(label.size());
        }
        if (!texts[place].empty())
            throw usage_error(fmt::format("{} names two columns for treatment {}", option, treatments[place]));
        texts[place] = text;
    }
    return texts;
}

std::vector<std::string> columns_by_treatment(std::string_view option, const std::vector<std::string>& treatments,
                                              std::span<const std::string> given, std::string_view whose) {
    std::vector<std::string> columns = texts_by_treatment(option, treatments, given, whose);
    check_distinct(option, columns);
    return columns;
}

void check_distinct(std::string_view option, std::span<const std::string> columns) {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (std::ranges::find(columns.first(i), columns[i]) != columns.first(i).end())
            throw usage_error(fmt::format("{} names the column '{}' for two treatments", option, columns[i]));
}

}  // namespace polyrx

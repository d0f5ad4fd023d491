// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/text/closest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

std::string without_case_and_spaces(std::string_view name) {
    std::string bare;
    for (const char c : name)
        if (!std::isspace(static_cast<unsigned char>(c)))
            bare += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return bare;
}

// Optimal string alignment: the Levenshtein distance plus transpositions of adjacent characters.
std::size_t typing_errors(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
    }
    return row[b.size()];
}

}  // namespace

std::optional<std::string> closest_name(std::string_view wanted, std::span<const std::string> known) {
    const std::string bare = without_case_and_spaces(wanted);
    for (const std::string& name : known)
        if (without_case_and_spaces(name) == bare) return name;

    std::optional<std::string> closest;
    std::size_t fewest = 3;
    for (const std::string& name : known) {
        const std::size_t longer = std::max(name.size(), wanted.size());
        if (longer > std::min(name.size(), wanted.size()) + 2) continue;
        const std::size_t errors = typing_errors(wanted, name);
        if (errors < fewest && 2 * errors < longer) {
            closest = name;
            fewest = errors;
        }
    }
    return closest;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> known) {
    const auto closest = closest_name(wanted, known);
    return closest ? fmt::format(" (did you mean {}?)", in_quotes(*closest)) : "";
}

}  // namespace polyrx

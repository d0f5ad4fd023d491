// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/domain_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

using Group = std::vector<Eigen::Index>;

bool has_group(const Domain& domain, const Group& group) {
    return std::ranges::find(domain.groups, group) != domain.groups.end();
}

// Compares the inputs first .. end-1, which belong to one feature.
bool same_inputs(const Domain& a, const Domain& b, Eigen::Index first, Eigen::Index end) {
    for (Eigen::Index i = first; i < end; ++i)
        if (a.lower[i] != b.lower[i] || a.upper[i] != b.upper[i] ||
            a.integer[static_cast<std::size_t>(i)] != b.integer[static_cast<std::size_t>(i)])
            return false;
    return true;
}

std::string number_words(const Domain& domain, const Domain& other, Eigen::Index input) {
    const auto place = static_cast<std::size_t>(input);
    const bool whole = domain.integer[place] != 0;
    // Mentioned only if the other domain differs.
    const bool mentioned = whole != (other.integer[place] != 0);
    return range_words(domain.lower[input], domain.upper[input], whole && mentioned) +
           (mentioned && !whole ? ", fractions included" : "");
}

std::string truth_words(const Domain& domain, const Domain& other, Eigen::Index input) {
    const double lower = domain.lower[input];
    const double upper = domain.upper[input];
    if (lower == upper && (lower == 0 || lower == 1)) return lower == 1 ? "true" : "false";
    return number_words(domain, other, input);
}

// The allowed categories: "F or M", "missing".
std::string category_words(const Feature& feature, const Domain& domain, Eigen::Index first, Eigen::Index end) {
    std::vector<std::string> allowed;
    for (Eigen::Index i = first; i < end; ++i) {
        if (domain.upper[i] < 1) continue;
        const auto category = static_cast<std::size_t>(i - first);
        const std::string name = category < feature.categories.size() ? feature.categories[category] : "missing";
        if (domain.lower[i] > 0) allowed.clear();
        allowed.push_back(name);
        if (domain.lower[i] > 0) break;
    }
    if (allowed.empty()) return "none of its categories";
    return fmt::format("{}", fmt::join(allowed, " or "));
}

std::string feature_words(const Feature& feature, const Domain& domain, const Domain& other, Eigen::Index first,
                          Eigen::Index end) {
    if (feature.type == ColumnType::categorical) return category_words(feature, domain, first, end);
    std::string words;
    if (!same_inputs(domain, other, first, first + 1))
        words = feature.type == ColumnType::boolean ? truth_words(domain, other, first)
                                                    : number_words(domain, other, first);
    if (same_inputs(domain, other, first + 1, end)) return words;
    const char* const missing = domain.upper[first + 1] < 1   ? "never missing"
                                : domain.lower[first + 1] > 0 ? "always missing"
                                                              : "missing or not";
    return words.empty() ? missing : fmt::format("{} and {}", words, missing);
}

std::string names_of_inputs(const Encoder& encoder, const Group& group) {
    std::vector<std::string> names;
    for (const Eigen::Index input : group)
        names.push_back(in_quotes(encoder.columns()[static_cast<std::size_t>(input)].name));
    return names.empty() ? "no inputs" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string range_words(double lower, double upper, bool whole) {
    const std::string numbers = whole ? "whole numbers " : "";
    if (std::isinf(lower) && std::isinf(upper)) return whole ? "whole numbers" : "any number";
    if (std::isinf(upper)) return fmt::format("{}from {}", numbers, lower);
    if (std::isinf(lower)) return fmt::format("{}up to {}", numbers, upper);
    if (lower == upper) return fmt::format("{}", lower);
    return fmt::format("{}{}{} to {}", numbers, whole ? "from " : "", lower, upper);
}

bool is_within(const Domain& inner, const Domain& outer) {
    for (Eigen::Index i = 0; i < inner.inputs(); ++i) {
        const auto place = static_cast<std::size_t>(i);
        if (inner.lower[i] < outer.lower[i] || inner.upper[i] > outer.upper[i]) return false;
        if (outer.integer[place] && !inner.integer[place]) return false;
    }
    return std::ranges::all_of(outer.groups, [&](const Group& group) { return has_group(inner, group); });
}

std::vector<std::string> domain_differences(const Encoder& encoder, const Domain& domain, const Domain& other) {
    std::vector<std::string> differences;
    const auto inputs = static_cast<Eigen::Index>(encoder.columns().size());
    for (Eigen::Index first = 0; first < inputs;) {
        const std::size_t f = encoder.columns()[static_cast<std::size_t>(first)].feature;
        Eigen::Index end = first;
        while (end < inputs && encoder.columns()[static_cast<std::size_t>(end)].feature == f) ++end;
        const Feature& feature = encoder.features()[f];
        if (!same_inputs(domain, other, first, end))
            differences.push_back(
                fmt::format("{} {}", feature.name, feature_words(feature, domain, other, first, end)));
        first = end;
    }
    for (const Group& group : domain.groups)
        if (!has_group(other, group))
            differences.push_back(fmt::format("exactly one of {} is 1", names_of_inputs(encoder, group)));
    for (const Group& group : other.groups)
        if (!has_group(domain, group))
            differences.push_back(fmt::format("not exactly one of {} has to be 1", names_of_inputs(encoder, group)));
    if (differences.empty() && domain != other) differences.emplace_back("its groups are in another order");
    return differences;
}

}  // namespace polyrx

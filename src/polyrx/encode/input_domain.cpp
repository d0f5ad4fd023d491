// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/input_domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

constexpr const char* missing_word = "missing";

std::vector<std::string> names_of(const std::vector<Feature>& features) {
    std::vector<std::string> names;
    names.reserve(features.size());
    for (const Feature& feature : features) names.push_back(feature.name);
    return names;
}

// " (did you mean 'age'?)", otherwise " (there are age, sex)".
std::string hint(std::string_view wanted, const std::vector<std::string>& known) {
    const std::string guess = did_you_mean(wanted, known);
    return guess.empty() ? fmt::format(" (there are {})", listed(known, 10)) : guess;
}

// Parses "18:90"; either side may be empty. Returns false for other text.
bool parse_range(std::string_view text, DomainOverride& into) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return false;
    const auto parse_side = [](std::string_view side, std::optional<double>& bound) {
        side = trimmed(side);
        if (side.empty()) return true;
        bound = parse_number(side);
        return bound.has_value();
    };
    std::optional<double> lower;
    std::optional<double> upper;
    if (!parse_side(text.substr(0, colon), lower) || !parse_side(text.substr(colon + 1), upper)) return false;
    if (!lower && !upper) return false;
    into.lower = lower;
    into.upper = upper;
    return true;
}

// The position of a feature's inputs.
struct Inputs {
    Eigen::Index first = 0;
    Eigen::Index count = 0;
};

void restrict_range(const Feature& feature, const DomainOverride& wanted, double& lower, double& upper) {
    const std::string shown = in_quotes(feature.name);
    if (!wanted.lower && !wanted.upper)
        throw usage_error(fmt::format(
            "the feature {} is numeric: expected a range such as {}=18:90{}", shown, feature.name,
            wanted.categories.empty() ? std::string() : fmt::format(", not {}", in_quotes(wanted.categories.front()))));
    for (const auto& [bound, which] : {std::pair{wanted.lower, "lower"}, std::pair{wanted.upper, "upper"}})
        if (bound && std::isnan(*bound))
            throw usage_error(fmt::format("the {} bound of {} is not a number", which, shown));
    lower = wanted.lower.value_or(lower);
    upper = wanted.upper.value_or(upper);
}

void check_not_empty(const Feature& feature, double lower, double upper) {
    // -inf:-inf contains no finite number.
    if (lower <= upper && lower < infinity && upper > -infinity &&
        (!feature.integer || std::ceil(lower) <= std::floor(upper)))
        return;
    throw usage_error(fmt::format("the domain of {} is empty: no {} lies between {} and {}", in_quotes(feature.name),
                                  feature.integer ? "whole number" : "number", lower, upper));
}

void set_numeric(const Feature& feature, const DomainOverride* wanted, Eigen::Index input, Domain& domain) {
    double lower = feature.lower;
    double upper = feature.upper;
    if (wanted) restrict_range(feature, *wanted, lower, upper);
    check_not_empty(feature, lower, upper);
    domain.integer[static_cast<std::size_t>(input)] = feature.integer ? 1 : 0;
    domain.lower[input] = feature.integer ? std::ceil(lower) : lower;
    domain.upper[input] = feature.integer ? std::floor(upper) : upper;
}

// The bounds of a derived feature follow from its columns. Where these leave it unbounded, its learned bounds apply.
void set_derived(const Feature& feature, const std::vector<Range>& ranges, const std::vector<Feature>& features,
                 Eigen::Index input, Domain& domain) {
    const Range range = range_of(*feature.formula, [&](const std::string& name) {
        return ranges[static_cast<std::size_t>(std::ranges::find(features, name, &Feature::name) - features.begin())];
    });
    domain.integer[static_cast<std::size_t>(input)] = feature.integer ? 1 : 0;
    domain.lower[input] = std::isfinite(range.lower) ? range.lower : feature.lower;
    domain.upper[input] = std::isfinite(range.upper) ? range.upper : feature.upper;
}

void set_boolean(const Feature& feature, const DomainOverride& wanted, Eigen::Index input, Domain& domain) {
    bool allowed[2] = {false, false};
    for (const std::string& word : wanted.categories) {
        const auto truth = parse_truth(word);
        if (!truth)
            throw usage_error(fmt::format("the feature {} is true or false: expected {}=true or {}=false, not {}",
                                          in_quotes(feature.name), feature.name, feature.name, in_quotes(word)));
        allowed[truth->value ? 1 : 0] = true;
    }
    if (!allowed[0] && !allowed[1])
        throw usage_error(fmt::format("the feature {} is true or false: expected {}=true or {}=false",
                                      in_quotes(feature.name), feature.name, feature.name));
    domain.lower[input] = allowed[0] ? 0 : 1;
    domain.upper[input] = allowed[1] ? 1 : 0;
}

void restrict_categories(const Feature& feature, const DomainOverride& wanted, Inputs inputs, Domain& domain) {
    if (wanted.categories.empty())
        throw usage_error(fmt::format("the feature {} is categorical: expected some of its categories, such as {}={}",
                                      in_quotes(feature.name), feature.name, feature.categories.front()));
    std::vector<std::string> members = feature.categories;
    if (feature.indicator) members.emplace_back(missing_word);  // its input is last in the group
    std::set<std::ptrdiff_t> allowed;
    for (const std::string& category : wanted.categories) {
        const auto found = std::ranges::find(members, category);
        if (found == members.end() && category == missing_word)
            throw usage_error(
                fmt::format("the feature {} was never missing in the training data, so '{}' is not among its "
                            "categories ({})",
                            in_quotes(feature.name), missing_word, listed(members, 10)));
        if (found == members.end())
            throw usage_error(fmt::format("the feature {} has no category {}{}", in_quotes(feature.name),
                                          in_quotes(category), hint(category, members)));
        allowed.insert(found - members.begin());
    }
    for (Eigen::Index i = 0; i < inputs.count; ++i)
        if (!allowed.contains(i)) domain.upper[inputs.first + i] = 0;
}

void set_feature(const Feature& feature, const DomainOverride* wanted, Inputs inputs, Domain& domain) {
    // Inputs are 0/1 by default: categories, booleans and indicators.
    if (feature.type == ColumnType::numeric) {
        set_numeric(feature, wanted, inputs.first, domain);
    } else if (feature.type == ColumnType::boolean) {
        if (wanted) set_boolean(feature, *wanted, inputs.first, domain);
    } else {
        std::vector<Eigen::Index>& group = domain.groups.emplace_back();
        for (Eigen::Index i = 0; i < inputs.count; ++i) group.push_back(inputs.first + i);
        if (wanted) restrict_categories(feature, *wanted, inputs, domain);
    }
}

// The override of each feature, or nullptr.
std::vector<const DomainOverride*> assign(const std::vector<Feature>& features,
                                          const std::vector<DomainOverride>& overrides) {
    const std::vector<std::string> names = names_of(features);
    std::vector<const DomainOverride*> assigned(features.size());
    for (const DomainOverride& wanted : overrides) {
        const auto found = std::ranges::find(names, wanted.feature);
        if (found == names.end())
            throw usage_error(
                fmt::format("there is no feature {}{}", in_quotes(wanted.feature), hint(wanted.feature, names)));
        const DomainOverride*& place = assigned[static_cast<std::size_t>(found - names.begin())];
        if (place) throw usage_error(fmt::format("the domain of {} is given twice", in_quotes(wanted.feature)));
        place = &wanted;
    }
    return assigned;
}

}  // namespace

DomainOverride parse_override(const std::string& text) {
    constexpr const char* expected = "expected FEATURE=LOWER:UPPER or FEATURE=CATEGORY|CATEGORY";
    const auto equals = text.find('=');
    if (equals == std::string::npos) throw usage_error(fmt::format("{}: {}", in_quotes(text), expected));
    DomainOverride wanted;
    wanted.feature = std::string(trimmed(std::string_view(text).substr(0, equals)));
    std::string_view said = trimmed(std::string_view(text).substr(equals + 1));
    if (wanted.feature.empty() || said.empty()) throw usage_error(fmt::format("{}: {}", in_quotes(text), expected));
    parse_range(said, wanted);
    for (;;) {
        const auto bar = said.find('|');
        const std::string_view category = trimmed(said.substr(0, bar));
        if (category.empty())
            throw usage_error(fmt::format("{}: one of the categories between the | is empty", in_quotes(text)));
        wanted.categories.emplace_back(category);
        if (bar == std::string_view::npos) return wanted;
        said.remove_prefix(bar + 1);
    }
}

std::vector<DomainOverride> parse_overrides(const std::vector<std::string>& texts) {
    std::vector<DomainOverride> overrides;
    for (const std::string& text : texts) overrides.push_back(parse_override(text));
    return overrides;
}

Domain domain_of(const Encoder& encoder, const std::vector<DomainOverride>& overrides) {
    const std::vector<EncodedColumn>& columns = encoder.columns();
    const auto count = static_cast<Eigen::Index>(columns.size());
    Domain domain{Vector::Zero(count), Vector::Ones(count), std::vector<char>(columns.size(), 1), {}};
    const std::vector<Feature>& features = encoder.features();
    const std::vector<const DomainOverride*> assigned = assign(features, overrides);
    std::vector<Range> ranges;  // by feature
    for (std::size_t first = 0; first < columns.size();) {
        const std::size_t feature = columns[first].feature;
        std::size_t end = first;
        while (end < columns.size() && columns[end].feature == feature) ++end;
        const auto input = static_cast<Eigen::Index>(first);
        if (features[feature].formula && !assigned[feature])
            set_derived(features[feature], ranges, features, input, domain);
        else
            set_feature(features[feature], assigned[feature], {input, static_cast<Eigen::Index>(end - first)}, domain);
        // A fill value may lie outside of an override. The formula is missing in that case.
        ranges.push_back({domain.lower[input], domain.upper[input]});
        first = end;
    }
    return domain;
}

std::vector<LearnedBounds> learned_bounds(const Encoder& encoder) {
    std::vector<LearnedBounds> learned;
    for (std::size_t c = 0; c < encoder.columns().size(); ++c) {
        const EncodedColumn& column = encoder.columns()[c];
        const Feature& feature = encoder.features()[column.feature];
        if (!feature.formula || column.kind != InputKind::value) continue;
        const Range range = derived_range(encoder, *feature.formula);
        if (!std::isfinite(range.lower) || !std::isfinite(range.upper))
            learned.push_back({static_cast<Eigen::Index>(c), column.feature});
    }
    return learned;
}

Domain without_learned_bounds(const Encoder& encoder, Domain domain) {
    constexpr double far = 1e20;
    for (const LearnedBounds& learned : learned_bounds(encoder)) {
        const Range range = derived_range(encoder, *encoder.features()[learned.feature].formula);
        if (!std::isfinite(range.lower)) domain.lower[learned.input] = -far;
        if (!std::isfinite(range.upper)) domain.upper[learned.input] = far;
    }
    return domain;
}

Domain with_fills(const Encoder& encoder, Domain domain) {
    const auto& columns = encoder.columns();
    // Adds the input and value that encode a missing cell of a feature.
    const auto fill = [&](std::size_t f, Eigen::Index indicator) {
        const Feature& feature = encoder.features()[f];
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (columns[c].feature != f) continue;
            const auto input = static_cast<Eigen::Index>(c);
            if (columns[c].kind == InputKind::value) domain.fills.push_back({indicator, input, feature.fill});
            // If it has an indicator, a missing category sets no category input.
            if (columns[c].kind == InputKind::category && !feature.indicator &&
                columns[c].category == static_cast<std::size_t>(feature.fill))
                domain.fills.push_back({indicator, input, 1});
        }
    };
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const Feature& feature = encoder.features()[columns[c].feature];
        const auto input = static_cast<Eigen::Index>(c);
        if (columns[c].kind == InputKind::indicator) fill(columns[c].feature, input);
        if (!feature.says_missing()) continue;
        const auto column = std::ranges::find(encoder.features(), feature.formula->name, &Feature::name);
        fill(static_cast<std::size_t>(column - encoder.features().begin()), input);
    }
    return domain;
}

}  // namespace polyrx

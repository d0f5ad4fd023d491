// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/split_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "polyrx/core/error.hpp"
#include "polyrx/show/draw/label_text.hpp"

namespace polyrx {
namespace {

constexpr int fewest_digits = 4;  // minimum number shown

struct Term {
    Eigen::Index input = 0;
    double weight = 0;
    double size = 0;
};

using Pieces = std::vector<std::string>;
using Group = std::vector<Eigen::Index>;

const EncodedColumn& column_of(const Encoder& encoder, Eigen::Index input) {
    return encoder.columns()[static_cast<std::size_t>(input)];
}

const Feature& feature_of(const Encoder& encoder, Eigen::Index input) {
    return encoder.features()[column_of(encoder, input).feature];
}

std::string name_of_feature(const Encoder& encoder, Eigen::Index input) {
    return one_line(feature_of(encoder, input).name);
}

// For example "F", or "missing" for the member that represents a missing value.
std::string name_of_member(const Encoder& encoder, Eigen::Index input) {
    const EncodedColumn& column = column_of(encoder, input);
    return column.kind == InputKind::category ? one_line(feature_of(encoder, input).categories[column.category])
                                              : std::string("missing");
}

// The name in a weighted sum.
std::string name_of_term(const Encoder& encoder, Eigen::Index input) {
    const std::string feature = name_of_feature(encoder, input);
    return column_of(encoder, input).kind == InputKind::value
               ? feature
               : fmt::format("[{} is {}]", feature, name_of_member(encoder, input));
}

// The range of an input in the domain; if infinite, in the training rows.
double range_of(const Encoder& encoder, const Domain& domain, Eigen::Index input) {
    const double range = domain.upper[input] - domain.lower[input];
    if (std::isfinite(range)) return range;
    const Feature& feature = feature_of(encoder, input);
    const double seen = feature.upper - feature.lower;
    return std::isfinite(seen) && seen > 0 ? seen : 1;
}

Group free_members(const Group& group, const Domain& domain) {
    Group free;
    std::copy_if(group.begin(), group.end(), std::back_inserter(free),
                 [&](Eigen::Index input) { return domain.upper[input] > 0; });
    return free;
}

// The most common weight of the members; if all differ, 0 or else the lower median, which leaves few and small terms.
double reference_weight(const Group& members, const Vector& weights) {
    std::vector<double> sorted;
    for (const Eigen::Index input : members) sorted.push_back(weights[input]);
    std::sort(sorted.begin(), sorted.end());
    const auto times = [&](double weight) { return std::count(sorted.begin(), sorted.end(), weight); };
    double best = times(0) > 0 ? 0 : sorted[(sorted.size() - 1) / 2];
    for (const double weight : sorted)
        if (times(weight) > times(best)) best = weight;
    return best;
}

// An equal function on the domain with fewer terms: inputs that cannot vary join the constant, and one reference
// category of every group has no term.
AffineFunction reduced(AffineFunction function, const Domain& domain) {
    for (const Group& group : domain.groups) {
        const Group members = free_members(group, domain);
        if (members.empty()) continue;
        const double reference = reference_weight(members, function.weights);
        for (const Eigen::Index input : group) function.weights[input] -= reference;
        function.constant += reference;
    }
    for (Eigen::Index input = 0; input < function.weights.size(); ++input) {
        if (domain.lower[input] != domain.upper[input] || function.weights[input] == 0) continue;
        function.constant += function.weights[input] * domain.lower[input];
        function.weights[input] = 0;
    }
    return function;
}

std::vector<Term> terms_of(const AffineFunction& function, const Encoder& encoder, const Domain& domain) {
    std::vector<Term> terms;
    for (Eigen::Index input = 0; input < function.weights.size(); ++input) {
        const double weight = function.weights[input];
        if (weight != 0) terms.push_back({input, weight, std::abs(weight) * range_of(encoder, domain, input)});
    }
    std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.size > b.size; });
    return terms;
}

Pieces settled(bool yes) {
    return {yes ? "always" : "never"};
}

// The group that contains all terms, if any.
const Group* group_of(const std::vector<Term>& terms, const Domain& domain) {
    for (const Group& group : domain.groups)
        if (std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
                return std::find(group.begin(), group.end(), term.input) != group.end();
            }))
            return &group;
    return nullptr;
}

// For example "F", "I, II or missing", "I, II, ... (+5)".
Pieces listed_members(const Group& members, const Encoder& encoder, std::size_t most, const char* last_word) {
    const std::size_t shown = most > 0 ? std::min(most, members.size()) : members.size();
    Pieces pieces;
    for (std::size_t i = 0; i < shown; ++i) {
        const bool last = i > 0 && i + 1 == members.size();
        const bool comma = shown < members.size() || i + 2 < shown;
        pieces.push_back((last ? last_word : "") + name_of_member(encoder, members[i]) + (comma ? "," : ""));
    }
    if (shown < members.size()) pieces.push_back(fmt::format("... (+{})", members.size() - shown));
    return pieces;
}

Pieces words_of_group(const Group& group, const AffineFunction& function, const Encoder& encoder, const Domain& domain,
                      std::size_t most) {
    Group yes;
    Group no;
    for (const Eigen::Index input : free_members(group, domain))
        (function.weights[input] + function.constant > 0 ? yes : no).push_back(input);
    if (yes.empty() || no.empty()) return settled(no.empty());
    const bool name_the_others = no.size() < yes.size();
    const Group& named = name_the_others ? no : yes;
    const char* const is = !name_the_others ? "is" : named.size() == 1 ? "is not" : "is neither";
    Pieces pieces = listed_members(named, encoder, most, name_the_others ? "nor " : "or ");
    pieces.front() = fmt::format("{} {} {}", name_of_feature(encoder, named.front()), is, pieces.front());
    return pieces;
}

Pieces words_of_truth(const Term& term, double constant, const Encoder& encoder) {
    const bool at_zero = constant > 0;
    const bool at_one = term.weight + constant > 0;
    if (at_zero == at_one) return settled(at_one);
    const std::string name = name_of_feature(encoder, term.input);
    if (column_of(encoder, term.input).kind == InputKind::indicator)
        return {fmt::format("{} is {}", name, at_one ? "missing" : "not missing")};
    // The name "age is missing" cannot be negated by a prefix, so the sentence is composed.
    if (feature_of(encoder, term.input).says_missing())
        return {fmt::format("{} is {}", one_line(feature_of(encoder, term.input).formula->name),
                            at_one ? "missing" : "not missing")};
    return {at_one ? name : "not " + name};
}

// The smallest whole number on the yes side for a positive weight, the largest for a negative one. The quotient may be
// off by a rounding error, so its neighbors are checked too.
double whole_threshold(double weight, double constant) {
    const double step = weight > 0 ? 1 : -1;
    const double quotient = -constant / weight;
    double threshold = weight > 0 ? std::floor(quotient) - 1 : std::ceil(quotient) + 1;
    for (int i = 0; i < 3 && !(weight * threshold + constant > 0); ++i) threshold += step;
    return threshold;
}

Pieces words_of_number(const Term& term, double constant, const Encoder& encoder, const Domain& domain) {
    const double threshold = -constant / term.weight;
    const bool above = term.weight > 0;
    const std::string name = name_of_feature(encoder, term.input);
    const std::string unit = one_line(column_of(encoder, term.input).unit);
    const std::string of_unit = unit.empty() ? "" : " " + unit;
    const bool whole = domain.integer[static_cast<std::size_t>(term.input)] && std::abs(threshold) < 1e15;
    if (whole && domain.lower[term.input] == 0 && domain.upper[term.input] == 1) {
        const bool at_zero = constant > 0;
        const bool at_one = term.weight + constant > 0;
        if (at_zero == at_one) return settled(at_one);
        return {name, fmt::format("= {}{}", at_one ? 1 : 0, of_unit)};
    }
    if (whole)
        return {name,
                fmt::format("{} {:.0f}{}", above ? ">=" : "<=", whole_threshold(term.weight, constant) + 0.0, of_unit)};
    const double resolution = range_of(encoder, domain, term.input) / 1000;
    return {name,
            fmt::format("{} {}{}", above ? ">" : "<", shown_number(threshold, fewest_digits, resolution), of_unit)};
}

bool is_truth(const Term& term, const Encoder& encoder) {
    return column_of(encoder, term.input).kind != InputKind::value ||
           feature_of(encoder, term.input).type == ColumnType::boolean ||
           feature_of(encoder, term.input).says_missing();
}

bool is_scaled(Eigen::Index input, const WordOptions& options) {
    return options.scaled && (options.scaled->shift[input] != 0 || options.scaled->scale[input] != 1);
}

// For example "0.5 smoker", without the sign; a coefficient of 1 is omitted.
std::string product(double coefficient, const std::string& name) {
    const std::string number = shown_number(std::abs(coefficient), fewest_digits);
    return number == "1" ? name : fmt::format("{} {}", number, name);
}

// The term whose coefficient becomes 1: the largest one of a quantity, whose units the threshold then has; if
// quantities hardly matter, the largest of all.
const Term& unit_term(std::span<const Term> terms, const Encoder& encoder, const Domain& domain) {
    const auto quantity = std::find_if(terms.begin(), terms.end(), [&](const Term& term) {
        return !is_truth(term, encoder) && range_of(encoder, domain, term.input) != 1;
    });
    return quantity != terms.end() && quantity->size >= 0.05 * terms.front().size ? *quantity : terms.front();
}

Pieces words_of_sum(std::vector<Term> terms, double constant, const Encoder& encoder, const Domain& domain,
                    const WordOptions& options) {
    for (Term& term : terms) {  // w x + c = (w scale) z + (c + w shift)
        if (!is_scaled(term.input, options)) continue;
        constant += term.weight * options.scaled->shift[term.input];
        term.weight *= options.scaled->scale[term.input];
    }
    const std::size_t shown = options.max_terms > 0 ? std::min(options.max_terms, terms.size()) : terms.size();
    double unit = unit_term({terms.data(), shown}, encoder, domain).weight;
    if (!std::isfinite(constant / unit) || !std::isfinite(terms.front().weight / unit)) unit = 1;
    Pieces pieces;
    for (std::size_t i = 0; i < shown; ++i) {
        const double coefficient = terms[i].weight / unit;
        const std::string plain = name_of_term(encoder, terms[i].input);
        const std::string name = is_scaled(terms[i].input, options) ? fmt::format("z({})", plain) : plain;
        const char* const sign = coefficient < 0 ? (i == 0 ? "-" : "- ") : (i == 0 ? "" : "+ ");
        pieces.push_back(sign + product(coefficient, name));
    }
    if (const std::size_t rest = terms.size() - shown; rest > 0)
        pieces.push_back(fmt::format("... (+{} {})", rest, rest == 1 ? "term" : "terms"));
    const double resolution = terms.front().size / std::abs(unit) / 1000;
    pieces.push_back(
        fmt::format("{} {}", unit > 0 ? ">" : "<", shown_number(-constant / unit, fewest_digits, resolution)));
    return pieces;
}

}  // namespace

std::vector<std::string> word_pieces(const AffineFunction& function, const Encoder& encoder, const Domain& domain,
                                     const WordOptions& options) {
    const auto inputs = static_cast<Eigen::Index>(encoder.columns().size());
    const auto check = [&](Eigen::Index count, const char* what) {
        if (count != inputs)
            throw data_error(fmt::format("the {} has {} inputs, but the policy has {}", what, count, inputs));
    };
    check(function.weights.size(), "split");
    check(domain.inputs(), "domain of the tree");
    if (options.scaled) check(std::min(options.scaled->shift.size(), options.scaled->scale.size()), "scaling");

    const AffineFunction plain = reduced(function, domain);
    const std::vector<Term> terms = terms_of(plain, encoder, domain);
    if (terms.empty()) return settled(plain.constant > 0);
    if (const Group* group = group_of(terms, domain))
        return words_of_group(*group, plain, encoder, domain, options.max_terms);
    if (terms.size() == 1 && is_truth(terms.front(), encoder))
        return words_of_truth(terms.front(), plain.constant, encoder);
    if (terms.size() == 1 && !is_scaled(terms.front().input, options))
        return words_of_number(terms.front(), plain.constant, encoder, domain);
    return words_of_sum(terms, plain.constant, encoder, domain, options);
}

std::string words_of(const AffineFunction& function, const Encoder& encoder, const Domain& domain,
                     const WordOptions& options) {
    return fmt::format("{}", fmt::join(word_pieces(function, encoder, domain, options), " "));
}

std::string origin_words(const SplitOrigin& origin, const Policy& policy) {
    const auto treatment = [&](int k) {
        const auto index = static_cast<std::size_t>(k);
        return index < policy.treatments.size() ? one_line(policy.treatments[index]) : fmt::format("treatment {}", k);
    };
    switch (origin.kind) {
        case SplitOrigin::Kind::neuron:
            return fmt::format("neuron {} of layer {}", origin.second + 1, origin.first + 1);
        case SplitOrigin::Kind::outcomes:
            return fmt::format("{} against {}", treatment(origin.first), treatment(origin.second));
        case SplitOrigin::Kind::rule:
            return fmt::format("rule {}", origin.first + 1);
        case SplitOrigin::Kind::support:
            return fmt::format("support of {} against {}", treatment(origin.first), treatment(origin.second));
        case SplitOrigin::Kind::cut:
            break;
    }
    const auto input = static_cast<std::size_t>(origin.first);
    return input < policy.encoder.columns().size() ? "a cut of " + one_line(policy.encoder.columns()[input].name)
                                                   : "a cut";
}

std::string shown_number(double value, int digits, double resolution) {
    if (value == 0) return "0";
    if (!std::isfinite(value)) return fmt::format("{}", value);
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
    if (exponent < -5 || exponent >= 15) return fmt::format("{:.{}g}", value, digits);
    int decimals = digits - 1 - exponent;
    if (resolution > 0) decimals = std::max(decimals, static_cast<int>(std::ceil(-std::log10(resolution))));
    std::string text = fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 15));
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.ends_with('.')) text.pop_back();
    }
    return text;
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/bind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/linear_form.hpp"

namespace polyrx {
namespace {

using Bound = BoundCondition;

// A comparison with resolved names: of a category, or of a weighted sum with 0.
struct Compared {
    const Feature* category_of = nullptr;
    std::size_t category = 0;
    LinearForm sum = {};
    Relation relation = Relation::equal;
    std::vector<std::string> columns = {};  // the comparison is undecided where these are missing
};

std::string spelled(const Formula& formula) {
    return formula.kind == Formula::Kind::number ? fmt::format("{}", formula.number) : formula.name;
}

bool is_label(const Formula& formula) {
    return formula.kind == Formula::Kind::name || formula.kind == Formula::Kind::number;
}

const Feature* column_named(const Formula& formula, const NameScope& scope) {
    return formula.kind == Formula::Kind::name ? scope.column(formula.name) : nullptr;
}

Compared compare_category(const Feature& feature, const Formula& at, const Formula& label, Relation relation,
                          const NameScope& scope) {
    if (relation != Relation::equal && relation != Relation::not_equal)
        scope.fail(at, fmt::format("{} has categories, which have no order: use = or !=", in_quotes(feature.name)));
    const auto found =
        is_label(label) ? std::ranges::find(feature.categories, spelled(label)) : feature.categories.end();
    if (found == feature.categories.end()) {
        if (!is_label(label) || label.kind == Formula::Kind::number)
            scope.fail(label, fmt::format("{} is compared with a number, but has categories: {}",
                                          in_quotes(feature.name), listed(feature.categories, 10)));
        const std::string hint = did_you_mean(label.name, feature.categories);
        scope.fail(label, fmt::format("{} has no category {}{}", in_quotes(feature.name), in_quotes(label.name),
                                      hint.empty() ? fmt::format(" ({})", listed(feature.categories, 10)) : hint));
    }
    return {&feature, static_cast<std::size_t>(found - feature.categories.begin()), {}, relation, {feature.name}};
}

// In "smoker = yes", "yes" is a number if smoker is a truth value.
Formula truth_as_number(const Formula& formula, const Formula& other, const NameScope& scope) {
    const Feature* compared = column_named(other, scope);
    if (!compared || compared->type != ColumnType::boolean || formula.kind != Formula::Kind::name ||
        scope.column(formula.name) || scope.is_let(formula.name))
        return formula;
    const auto truth = parse_truth(formula.name);
    if (!truth)
        scope.fail(formula, fmt::format("{} is true or false, so it cannot be compared with {}", in_quotes(other.name),
                                        in_quotes(formula.name)));
    Formula number;
    number.number = truth->value ? 1 : 0;
    return number;
}

Compared compare(const Condition& condition, const NameScope& scope) {
    const Formula& left = condition.left;
    const Formula& right = condition.right;
    for (const auto& [side, other] : {std::pair{&left, &right}, std::pair{&right, &left}}) {
        const Feature* feature = column_named(*side, scope);
        if (feature && feature->type == ColumnType::categorical)
            return compare_category(*feature, *side, *other, condition.relation, scope);
    }
    Formula difference;
    difference.kind = Formula::Kind::subtract;
    difference.operands = {truth_as_number(left, right, scope), truth_as_number(right, left, scope)};
    Compared compared{nullptr, 0, linear_form(difference, scope), condition.relation};
    // Includes columns whose weights cancel: x = x is undecided if x is missing.
    scope.add_value_columns(difference, compared.columns);
    return compared;
}

void for_each_comparison(const Condition& condition, const std::function<void(const Condition&)>& visit) {
    if (condition.kind == Condition::Kind::comparison) return visit(condition);
    for (const Condition& operand : condition.operands) for_each_comparison(operand, visit);
}

Bound half_space(HalfSpace half_space) {
    if (half_space.terms.empty()) {  // always or never true
        const bool holds = half_space.strict ? half_space.constant > 0 : half_space.constant >= 0;
        return {holds ? Bound::Kind::all_of : Bound::Kind::any_of, {}, {}};
    }
    return {Bound::Kind::half_space, std::move(half_space), {}};
}

// The condition that a 0/1 input is 1.
Bound is_one(Eigen::Index input) {
    return half_space({{{input, 1}}, -0.5, true});
}

// Message for an unknown treatment. "Low or High" could be a label, but is most likely meant as a list.
std::string no_treatment_words(const std::string& label, const std::vector<std::string>& treatments) {
    const std::string words = fmt::format("there is no treatment {}", in_quotes(label));
    for (const std::string_view joint : {" or ", " and "})
        if (label.find(joint) != std::string::npos)
            return fmt::format("{} (treatments are listed with commas: {})", words, listed(treatments, 10));
    const std::string hint = did_you_mean(label, treatments);
    return words + (hint.empty() ? fmt::format(" ({})", listed(treatments, 10)) : hint);
}

class Binder {
public:
    Binder(const Rules& rules, const Encoder& encoder, WhenMissing when_missing, std::string_view source)
        : encoder_(encoder), scope_(encoder, rules, source), when_missing_(when_missing) {
        const auto& columns = encoder.columns();
        first_input_.resize(encoder.features().size());
        for (std::size_t c = columns.size(); c-- > 0;) {
            const Feature& feature = encoder.features()[columns[c].feature];
            const auto input = static_cast<Eigen::Index>(c);
            first_input_[columns[c].feature] = input;
            if (columns[c].kind == InputKind::value) inputs_[feature.name] = input;
        }
        // An indicator goes before a derived feature of the same name.
        for (std::size_t c = columns.size(); c-- > 0;)
            if (const Feature& feature = encoder.features()[columns[c].feature];
                columns[c].kind == InputKind::indicator && !feature.formula)
                inputs_[name_of_missing(feature.name)] = static_cast<Eigen::Index>(c);
    }

    [[nodiscard]] Bound applies(const Rule& rule) const {
        return bound(rule.condition, when_missing_ == WhenMissing::apply);
    }

    [[nodiscard]] TreatmentSet allowed(const Rule& rule, const std::vector<std::string>& treatments) const {
        const auto fail = [&](std::size_t label, const std::string& sentence) {
            const bool has_place = label < rule.treatment_columns.size();
            scope_.fail_at(has_place ? rule.line : 0, has_place ? rule.treatment_columns[label] : 0, sentence);
        };
        TreatmentSet named = 0;
        for (std::size_t i = 0; i < rule.treatments.size(); ++i) {
            const std::string& label = rule.treatments[i];
            const auto found = std::ranges::find(treatments, label);
            if (found == treatments.end()) fail(i, no_treatment_words(label, treatments));
            named |= TreatmentSet{1} << (found - treatments.begin());
        }
        const TreatmentSet allowed = rule.exclude ? all_treatments(treatments.size()) & ~named : named;
        if (allowed == 0) fail(0, "the rule excludes every treatment");
        return allowed;
    }

private:
    // In three-valued logic: whether a condition is perhaps or surely true. "not" swaps the two.
    [[nodiscard]] Bound bound(const Condition& condition, bool perhaps) const {
        switch (condition.kind) {
            case Condition::Kind::comparison:
                return comparison(compare(condition, scope_), perhaps);
            case Condition::Kind::negation:
                return bound(condition.operands.front(), !perhaps).complement();
            case Condition::Kind::all_of:
            case Condition::Kind::any_of:
                break;
        }
        Bound result;
        result.kind = condition.kind == Condition::Kind::all_of ? Bound::Kind::all_of : Bound::Kind::any_of;
        for (const Condition& operand : condition.operands) {
            Bound each = bound(operand, perhaps);
            // "a and b and c" becomes one list, even if it was parsed as a chain of bounds.
            if (each.kind == result.kind)
                std::ranges::move(each.operands, std::back_inserter(result.operands));
            else
                result.operands.push_back(std::move(each));
        }
        return result;
    }

    [[nodiscard]] Bound comparison(const Compared& compared, bool perhaps) const {
        Bound known = compared.category_of ? category(compared) : sum(compared);
        if (compared.columns.empty()) return known;
        // Perhaps: it holds, or a cell is missing. Surely: it holds, and no cell is missing.
        Bound result;
        result.kind = perhaps ? Bound::Kind::any_of : Bound::Kind::all_of;
        if (known.kind == result.kind)
            result.operands = std::move(known.operands);
        else
            result.operands.push_back(std::move(known));
        for (const std::string& column : compared.columns) {
            const Bound missing = is_one(input_of(name_of_missing(column)));
            result.operands.push_back(perhaps ? missing : missing.complement());
        }
        return result;
    }

    [[nodiscard]] Bound category(const Compared& compared) const {
        const auto f = static_cast<std::size_t>(compared.category_of - encoder_.features().data());
        const Bound is = is_one(first_input_[f] + static_cast<Eigen::Index>(compared.category));
        return compared.relation == Relation::equal ? is : is.complement();
    }

    [[nodiscard]] Bound sum(const Compared& compared) const {
        HalfSpace above;  // sum > 0
        for (const auto& [name, weight] : compared.sum.terms) above.terms.push_back({input_of(name), weight});
        std::ranges::sort(above.terms, {}, &HalfSpace::Term::input);
        above.constant = compared.sum.constant;
        HalfSpace not_below = above;  // sum >= 0
        not_below.strict = false;
        switch (compared.relation) {
            case Relation::greater:
                return half_space(above);
            case Relation::greater_equal:
                return half_space(not_below);
            case Relation::less:
                return half_space(not_below).complement();
            case Relation::less_equal:
                return half_space(above).complement();
            case Relation::equal:
                return {Bound::Kind::all_of, {}, {half_space(not_below), half_space(above).complement()}};
            case Relation::not_equal:
                return {Bound::Kind::any_of, {}, {half_space(above), half_space(not_below).complement()}};
        }
        return {};
    }

    // The input of a feature's value, or of whether a column is missing.
    [[nodiscard]] Eigen::Index input_of(const std::string& name) const {
        const auto found = inputs_.find(name);
        if (found == inputs_.end())
            throw data_error(fmt::format("the rules need an input {}, which the model does not have", in_quotes(name)));
        return found->second;
    }

    const Encoder& encoder_;
    NameScope scope_;
    WhenMissing when_missing_;
    std::vector<Eigen::Index> first_input_;                 // by feature
    std::unordered_map<std::string, Eigen::Index> inputs_;  // by name
};

}  // namespace

std::string_view name_of(WhenMissing when_missing) {
    return when_missing == WhenMissing::apply ? "apply" : "skip";
}

std::vector<DerivedFeature> needed_features(const Rules& rules, const Encoder& encoder, std::string_view source) {
    const NameScope scope(encoder, rules, source);
    std::vector<DerivedFeature> needed = scope.lets();
    std::vector<DerivedFeature> watchers;
    NameIndex names_needed(needed, &DerivedFeature::name);
    NameIndex watched;
    for (const Rule& rule : rules.rules)
        for_each_comparison(rule.condition, [&](const Condition& condition) {
            const Compared compared = compare(condition, scope);
            for (const DerivedFeature& each : compared.sum.derived)
                if (names_needed.add(each.name)) needed.push_back(each);
            for (const std::string& column : compared.columns) {
                if (scope.column(column)->indicator || !watched.add(column)) continue;
                Formula missing;
                missing.kind = Formula::Kind::missing;
                missing.name = column;
                watchers.push_back({name_of_missing(column), std::move(missing)});
            }
        });
    std::ranges::move(watchers, std::back_inserter(needed));
    const NameIndex features(encoder.features(), &Feature::name);
    std::erase_if(needed, [&](const DerivedFeature& each) {
        const auto same = features.find(each.name);
        return same && encoder.features()[*same].formula == each.formula;
    });
    for (const DerivedFeature& each : needed)
        if (features.contains(each.name))
            throw data_error(
                fmt::format("{}{}the rules need a derived feature {}, and there is another one of that name", source,
                            source.empty() ? "" : ": ", in_quotes(each.name)));
    return needed;
}

BoundRules bind_rules(const Rules& rules, const Encoder& encoder, const std::vector<std::string>& treatments,
                      WhenMissing when_missing, std::string_view source) {
    const Binder binder(rules, encoder, when_missing, source);
    std::vector<BoundRule> bound;
    for (const Rule& rule : rules.rules) {
        const TreatmentSet allowed = binder.allowed(rule, treatments);
        bound.push_back({binder.applies(rule), allowed});
    }
    return {std::move(bound), treatments.size()};
}

}  // namespace polyrx

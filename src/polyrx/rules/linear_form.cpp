// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/linear_form.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/data/closest_name.hpp"
#include "polyrx/data/utf8.hpp"
#include "polyrx/rules/rules_text.hpp"
#include "polyrx/rules/text_error.hpp"

namespace polyrx {
namespace {

using Kind = Formula::Kind;

void add(LinearForm& sum, const LinearForm& other, double factor) {
    for (const auto& [name, weight] : other.terms) {
        const auto same = std::ranges::find(sum.terms, name, &std::pair<std::string, double>::first);
        if (same == sum.terms.end())
            sum.terms.emplace_back(name, factor * weight);
        else
            same->second += factor * weight;
    }
    sum.constant += factor * other.constant;
    for (const DerivedFeature& each : other.derived)
        if (std::ranges::find(sum.derived, each.name, &DerivedFeature::name) == sum.derived.end())
            sum.derived.push_back(each);
}

LinearForm scaled(const LinearForm& form, double factor) {
    LinearForm result;
    add(result, form, factor);
    return result;
}

// Numbers only: its value, by the same arithmetic as a column's.
double constant_value(const Formula& formula) {
    const Table one_row({{"none", NumericColumn{{0}}}});
    return evaluate(formula, one_row, 0, 1, to_text(formula)).front();
}

// Of a derived feature: it is missing where one of its columns is.
Formula any_missing(const std::vector<std::string>& columns) {
    std::vector<Formula> each;
    for (const std::string& column : columns) each.push_back({.kind = Kind::missing, .name = column});
    if (each.size() == 1) return each.front();
    return {.kind = Kind::max, .operands = std::move(each)};
}

class Linear {
public:
    explicit Linear(const NameScope& scope) : scope_(scope) {}

    [[nodiscard]] LinearForm operator()(const Formula& formula) const {
        if (formula.kind != Kind::number && names_in(formula).empty()) return constant(formula);
        switch (formula.kind) {
            case Kind::number:
                return {{}, formula.number, {}};
            case Kind::name:
                return named(formula);
            case Kind::negate:
                return scaled((*this)(formula.operands[0]), -1);
            case Kind::add:
                return sum(formula, 1);
            case Kind::subtract:
                return sum(formula, -1);
            case Kind::multiply:
                if (names_in(formula.operands[0]).empty())
                    return scaled((*this)(formula.operands[1]), (*this)(formula.operands[0]).constant);
                if (names_in(formula.operands[1]).empty())
                    return scaled((*this)(formula.operands[0]), (*this)(formula.operands[1]).constant);
                return derived(formula);
            case Kind::divide:
                if (names_in(formula.operands[1]).empty()) return divided(formula);
                return derived(formula);
            default:
                return derived(formula);
        }
    }

private:
    [[nodiscard]] LinearForm sum(const Formula& formula, double sign) const {
        LinearForm result = (*this)(formula.operands[0]);
        add(result, (*this)(formula.operands[1]), sign);
        return result;
    }

    [[nodiscard]] LinearForm divided(const Formula& formula) const {
        const double divisor = (*this)(formula.operands[1]).constant;
        if (divisor == 0) scope_.fail(formula.operands[1], "a division by zero");
        LinearForm result = (*this)(formula.operands[0]);
        // Dividing gives the nearest number, multiplying by an inverse may not.
        for (auto& term : result.terms) term.second /= divisor;
        result.constant /= divisor;
        return result;
    }

    [[nodiscard]] LinearForm constant(const Formula& formula) const {
        try {
            return {{}, constant_value(formula), {}};
        } catch (const Error&) {
            scope_.fail(formula, fmt::format("{} has no value", to_text(formula)));
        }
    }

    [[nodiscard]] LinearForm named(const Formula& formula) const {
        if (!scope_.is_let(formula.name)) (void)scope_.in_columns(formula);  // for its errors
        return {{{formula.name, 1}}, 0, {}};
    }

    [[nodiscard]] LinearForm derived(const Formula& formula) const {
        const std::string name = to_text(formula);
        return {{{name, 1}}, 0, {{name, scope_.in_columns(formula)}}};
    }

    const NameScope& scope_;
};

}  // namespace

NameScope::NameScope(const Encoder& encoder, const Rules& rules, std::string_view source)
    : encoder_(encoder), lines_(rules.lines), source_(source) {
    for (const Let& let : rules.lets) {
        if (column(let.name))
            fail(let.formula,
                 fmt::format("there is a feature {} already; a derived one needs another name", in_quotes(let.name)));
        if (names_in(let.formula).empty())
            fail(let.formula, fmt::format("{} is the same number for every row; write the number itself in the rule",
                                          in_quotes(let.name)));
        lets_.push_back({let.name, in_columns(let.formula)});
    }
}

const Feature* NameScope::column(std::string_view name) const {
    const auto found = std::ranges::find(encoder_.features(), name, &Feature::name);
    return found == encoder_.features().end() || found->formula ? nullptr : &*found;
}

bool NameScope::is_let(std::string_view name) const {
    return std::ranges::find(lets_, name, &DerivedFeature::name) != lets_.end();
}

Formula NameScope::in_columns(const Formula& formula) const {
    if (formula.kind == Kind::missing) {
        const auto let = std::ranges::find(lets_, formula.name, &DerivedFeature::name);
        if (let != lets_.end()) return any_missing(names_in(let->formula));
        if (!column(formula.name)) fail_unknown(formula);
        return formula;
    }
    if (formula.kind == Kind::name) {
        const auto let = std::ranges::find(lets_, formula.name, &DerivedFeature::name);
        if (let != lets_.end()) return let->formula;
        const Feature* found = column(formula.name);
        if (!found) fail_unknown(formula);
        if (found->type == ColumnType::categorical)
            fail(formula, fmt::format("{} has categories ({}), and numbers are needed here", in_quotes(formula.name),
                                      listed(found->categories, 5)));
        return formula;
    }
    Formula result = formula;
    for (Formula& operand : result.operands) operand = in_columns(operand);
    return result;
}

void NameScope::fail(const Formula& at, const std::string& sentence) const {
    fail_at(at.line, at.column, sentence);
}

void NameScope::fail_at(int line, int column, const std::string& sentence) const {
    if (source_.empty()) throw data_error(sentence);
    if (line == 0) throw data_error(fmt::format("{}: {}", source_, sentence));
    if (static_cast<std::size_t>(line) <= lines_.size())
        Line{source_, line, lines_[static_cast<std::size_t>(line) - 1]}.fail_at_column(column, sentence);
    throw data_error(fmt::format("{}:{}:{}: {}", source_, line, column, sentence));
}

void NameScope::fail_unknown(const Formula& name) const {
    std::vector<std::string> known = encoder_.read_columns();
    for (const DerivedFeature& let : lets_) known.push_back(let.name);
    const std::string hint = did_you_mean(name.name, known);
    fail(name, fmt::format("there is no feature {}{}", in_quotes(name.name),
                           hint.empty() ? fmt::format(" ({})", listed(known, 20)) : hint));
}

LinearForm linear_form(const Formula& formula, const NameScope& scope) {
    LinearForm form = Linear(scope)(formula);
    std::erase_if(form.terms, [](const auto& term) { return term.second == 0; });
    return form;
}

}  // namespace polyrx

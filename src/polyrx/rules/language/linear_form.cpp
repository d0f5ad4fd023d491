// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/linear_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/rational.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/rules/language/text_error.hpp"

namespace polyrx {
namespace {

using Kind = Formula::Kind;

// A number, rounded as doubles are and, as far as it can be had, exact.
struct Coefficient {
    double rounded = 0;
    std::optional<Rational> exact = Rational();
};

Coefficient written(double number) {
    return {number, Rational::decimal(number)};
}

using Operation = std::optional<Rational> (*)(const Rational&, const Rational&);

std::optional<Rational> both(Operation operation, const Coefficient& a, const Coefficient& b) {
    return a.exact && b.exact ? operation(*a.exact, *b.exact) : std::nullopt;
}
Coefficient operator+(const Coefficient& a, const Coefficient& b) {
    return {a.rounded + b.rounded, both(add, a, b)};
}
Coefficient operator*(const Coefficient& a, const Coefficient& b) {
    return {a.rounded * b.rounded, both(multiply, a, b)};
}
Coefficient operator/(const Coefficient& a, const Coefficient& b) {
    return {a.rounded / b.rounded, both(divide, a, b)};
}

// A weighted sum on its way.
struct Sum {
    std::vector<std::pair<std::string, Coefficient>> terms;
    Coefficient constant;
    std::vector<DerivedFeature> derived;
};

void add(Sum& sum, const Sum& other, const Coefficient& factor) {
    for (const auto& [name, weight] : other.terms) {
        const auto same = std::ranges::find(sum.terms, name, &std::pair<std::string, Coefficient>::first);
        if (same == sum.terms.end())
            sum.terms.emplace_back(name, factor * weight);
        else
            same->second = same->second + factor * weight;
    }
    sum.constant = sum.constant + factor * other.constant;
    for (const DerivedFeature& each : other.derived)
        if (std::ranges::find(sum.derived, each.name, &DerivedFeature::name) == sum.derived.end())
            sum.derived.push_back(each);
}

Sum scaled(const Sum& sum, const Coefficient& factor) {
    Sum result;
    add(result, sum, factor);
    return result;
}

// What the sum is multiplied by, a number above 0, so that doubles can say it: a single feature stands alone, and other
// weights become whole numbers if they are not doubles already. "x / 10 <= 0.3" is "x <= 3", and 3 keeps to it.
// Nothing: it stays as it was rounded.
std::optional<Rational> best_factor(const Sum& sum) {
    if (!sum.constant.exact) return std::nullopt;
    if (sum.terms.size() == 1) {
        const std::optional<Rational>& weight = sum.terms.front().second.exact;
        if (!weight) return std::nullopt;
        return divide(Rational::decimal(weight->numerator() < 0 ? -1 : 1).value(), *weight);
    }
    bool all_doubles = true;
    Rational::Whole multiple = sum.constant.exact->denominator();
    Rational::Whole divisor = sum.constant.exact->numerator();
    for (const auto& term : sum.terms) {
        if (!term.second.exact) return std::nullopt;
        all_doubles = all_doubles && term.second.exact->is_double();
        const std::optional<Rational::Whole> more = common_multiple(multiple, term.second.exact->denominator());
        if (!more) return std::nullopt;
        multiple = *more;
    }
    if (all_doubles) return Rational::decimal(1);
    std::optional<Rational> factor = Rational::fraction(multiple, 1);
    for (const auto& term : sum.terms) {
        const std::optional<Rational> whole = multiply(*term.second.exact, *factor);
        if (!whole) return std::nullopt;
        divisor = common_divisor(divisor, whole->numerator());
    }
    if (const std::optional<Rational> whole = multiply(*sum.constant.exact, *factor))
        divisor = common_divisor(divisor, whole->numerator());
    return Rational::fraction(multiple, divisor);
}

LinearForm in_doubles(const Sum& sum) {
    LinearForm form;
    form.derived = sum.derived;
    const std::optional<Rational> factor = best_factor(sum);
    const auto exactly = [&](const Coefficient& number) -> std::optional<double> {
        if (!factor || !number.exact) return std::nullopt;
        const std::optional<Rational> product = multiply(*number.exact, *factor);
        return product ? product->to_double() : std::nullopt;
    };
    bool exact = exactly(sum.constant).has_value();
    for (const auto& term : sum.terms) exact = exact && exactly(term.second).has_value();
    for (const auto& [name, weight] : sum.terms)
        form.terms.emplace_back(name, exact ? *exactly(weight) : weight.rounded);
    form.constant = exact ? *exactly(sum.constant) : sum.constant.rounded;
    return form;
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

    [[nodiscard]] Sum operator()(const Formula& formula) const {
        switch (formula.kind) {
            case Kind::number:
                return {{}, written(formula.number), {}};
            case Kind::name:
                return named(formula);
            case Kind::negate:
                return scaled((*this)(formula.operands[0]), written(-1));
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
            case Kind::missing:
                return scope_.column(formula.name) ? missing(formula) : derived(formula);
            default:
                return names_in(formula).empty() ? constant(formula) : derived(formula);
        }
    }

private:
    [[nodiscard]] Sum sum(const Formula& formula, double sign) const {
        Sum result = (*this)(formula.operands[0]);
        add(result, (*this)(formula.operands[1]), written(sign));
        return result;
    }

    [[nodiscard]] Sum divided(const Formula& formula) const {
        const Coefficient divisor = (*this)(formula.operands[1]).constant;
        if (divisor.rounded == 0) scope_.fail(formula.operands[1], "a division by zero");
        Sum result = (*this)(formula.operands[0]);
        // Dividing gives the nearest number, multiplying by an inverse may not.
        for (auto& term : result.terms) term.second = term.second / divisor;
        result.constant = result.constant / divisor;
        return result;
    }

    // Of functions and powers.
    [[nodiscard]] Sum constant(const Formula& formula) const {
        try {
            return {{}, {constant_value(formula), std::nullopt}, {}};
        } catch (const Error&) {
            scope_.fail(formula, fmt::format("{} has no value", to_text(formula)));
        }
    }

    [[nodiscard]] Sum named(const Formula& formula) const {
        if (!scope_.is_let(formula.name)) (void)scope_.in_columns(formula);  // for its errors
        return {{{formula.name, written(1)}}, {}, {}};
    }

    // Of a column. One that has an indicator has an input for it already.
    [[nodiscard]] Sum missing(const Formula& formula) const {
        const std::string name = name_of_missing(formula.name);
        Sum result{{{name, written(1)}}, {}, {}};
        if (!scope_.column(formula.name)->indicator) result.derived.push_back({name, formula});
        return result;
    }

    [[nodiscard]] Sum derived(const Formula& formula) const {
        const std::string name = to_text(formula);
        return {{{name, written(1)}}, {}, {{name, scope_.in_columns(formula)}}};
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

std::string name_of_missing(const std::string& column) {
    return column + " is missing";
}

LinearForm linear_form(const Formula& formula, const NameScope& scope) {
    Sum sum = Linear(scope)(formula);
    std::erase_if(sum.terms, [](const auto& term) {
        const Coefficient& weight = term.second;
        return weight.exact ? weight.exact->is_zero() : weight.rounded == 0;
    });
    return in_doubles(sum);
}

}  // namespace polyrx

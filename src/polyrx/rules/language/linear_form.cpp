// SPDX-License-Identifier: Apache-2.0
#include "polyrx/rules/language/linear_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/closest_name.hpp"
#include "polyrx/core/text/text_table.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/rules/language/expression.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "polyrx/rules/language/rational.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/rules/language/text_error.hpp"

namespace polyrx {
namespace {

using Kind = Formula::Kind;

// A rounded number and, if available, its exact value.
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

// A weighted sum under construction.
struct Sum {
    std::vector<std::pair<std::string, Coefficient>> terms;
    Coefficient constant;
    std::vector<DerivedFeature> derived;
};

void add(Sum& sum, const Sum& other, const Coefficient& factor) {
    NameIndex places(sum.terms, &std::pair<std::string, Coefficient>::first);
    for (const auto& [name, weight] : other.terms) {
        if (const auto place = places.find(name)) {
            sum.terms[*place].second = sum.terms[*place].second + factor * weight;
        } else {
            places.add(name);
            sum.terms.emplace_back(name, factor * weight);
        }
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

// A positive factor that makes the sum exact in doubles: a single feature gets weight 1 or -1, and other weights become
// whole numbers unless they already are doubles. "x / 10 <= 0.3" becomes "x <= 3", which is exact. Empty if no such
// factor exists; the sum then keeps its rounded weights.
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

// The value of a formula without names, by the same arithmetic as for columns.
double constant_value(const Formula& formula) {
    const Table one_row({{"none", NumericColumn{{0}}}});
    return evaluate(formula, one_row, 0, 1, to_text(formula)).front();
}

// The condition under which a derived feature is missing: any of its columns is missing.
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
                if (!has_names(formula.operands[0]))
                    return scaled((*this)(formula.operands[1]), (*this)(formula.operands[0]).constant);
                if (!has_names(formula.operands[1]))
                    return scaled((*this)(formula.operands[0]), (*this)(formula.operands[1]).constant);
                return derived(formula);
            case Kind::divide:
                if (!has_names(formula.operands[1])) return divided(formula);
                return derived(formula);
            case Kind::missing:
                return scope_.column(formula.name) ? missing(formula) : derived(formula);
            default:
                return has_names(formula) ? derived(formula) : constant(formula);
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
        // Division gives the nearest double; multiplication by an inverse may not.
        for (auto& term : result.terms) term.second = term.second / divisor;
        result.constant = result.constant / divisor;
        return result;
    }

    // Evaluates functions and powers of constants.
    [[nodiscard]] Sum constant(const Formula& formula) const {
        try {
            return {{}, {constant_value(formula), std::nullopt}, {}};
        } catch (const Error&) {
            scope_.fail(formula, fmt::format("{} has no value", to_text(formula)));
        }
    }

    [[nodiscard]] Sum named(const Formula& formula) const {
        scope_.check(formula);
        return {{{formula.name, written(1)}}, {}, {}};
    }

    // missing(column). Uses the encoder's indicator if the column has one.
    [[nodiscard]] Sum missing(const Formula& formula) const {
        const std::string name = name_of_missing(formula.name);
        Sum result{{{name, written(1)}}, {}, {}};
        if (!scope_.column(formula.name)->indicator) result.derived.push_back({name, formula});
        return result;
    }

    [[nodiscard]] Sum derived(const Formula& formula) const {
        const std::string name = to_text(formula);
        if (scope_.is_let(name))
            scope_.fail(formula, fmt::format("a 'let' gives the name {} to another formula", in_quotes(name)));
        return {{{name, written(1)}}, {}, {{name, scope_.in_columns(formula, name)}}};
    }

    const NameScope& scope_;
};

}  // namespace

NameScope::NameScope(const Encoder& encoder, const Rules& rules, std::string_view source)
    : encoder_(encoder), lines_(rules.lines), source_(source), features_(encoder.features(), &Feature::name) {
    for (const Let& let : rules.lets) {
        if (column(let.name))
            fail(let.formula,
                 fmt::format("there is a feature {} already; a derived one needs another name", in_quotes(let.name)));
        if (!has_names(let.formula))
            fail(let.formula, fmt::format("{} is the same number for every row; write the number itself in the rule",
                                          in_quotes(let.name)));
        lets_.push_back({let.name, in_columns(let.formula, let.name)});
        std::vector<std::string> columns;
        add_value_columns(let.formula, columns);
        let_columns_.push_back(std::move(columns));
        let_sizes_.push_back(count_parts(lets_.back().formula));
        let_names_.add(let.name);
    }
}

const Feature* NameScope::column(std::string_view name) const {
    const auto place = features_.find(name);
    return !place || encoder_.features()[*place].formula ? nullptr : &encoder_.features()[*place];
}

const DerivedFeature* NameScope::let(std::string_view name) const {
    const auto place = let_names_.find(name);
    return place ? &lets_[*place] : nullptr;
}

bool NameScope::is_let(std::string_view name) const {
    return let(name) != nullptr;
}

void NameScope::check(const Formula& name) const {
    if (is_let(name.name)) return;
    const Feature* found = column(name.name);
    if (!found) fail_unknown(name);
    if (name.kind == Kind::name && found->type == ColumnType::categorical)
        fail(name, fmt::format("{} has categories ({}), and numbers are needed here", in_quotes(name.name),
                               listed(found->categories, 5)));
}

const Formula& NameScope::in_columns(const Formula& formula, const std::string& name) const {
    if (const auto known = written_out_.find(name); known != written_out_.end()) return known->second;
    written_ += size_in_columns(formula);
    if (written_ > most_written_out)
        fail(formula, fmt::format("{} is too long: in terms of columns, the derived features of all rules have more "
                                  "than {} names, numbers and operators; use fewer derived features in each other",
                                  in_quotes(name), grouped(most_written_out)));
    Formula written = replaced(formula);
    // Checks the limits by reading it back, as from a model: expanded features can exceed the nesting limit.
    try {
        written = parse_formula(to_text(written), name);
    } catch (const TextError&) {
        fail(formula, fmt::format("{} is nested too deep: in terms of columns, it has more than {} levels of "
                                  "parentheses, or {} of operators",
                                  in_quotes(name), deepest_nesting, highest_formula));
    }
    return written_out_.emplace(name, std::move(written)).first->second;
}

void NameScope::add_value_columns(const Formula& formula, std::vector<std::string>& columns) const {
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(columns, name) == columns.end()) columns.push_back(name);
    };
    if (formula.kind == Kind::name) {
        if (const auto place = let_names_.find(formula.name))
            std::ranges::for_each(let_columns_[*place], add);
        else
            add(formula.name);
    }
    for (const Formula& operand : formula.operands) add_value_columns(operand, columns);
}

// The size after expansion, computed without expanding.
std::size_t NameScope::size_in_columns(const Formula& formula) const {
    std::size_t size = 1;
    if (formula.kind == Kind::name || formula.kind == Kind::missing) {
        check(formula);
        if (const auto place = let_names_.find(formula.name)) size = let_sizes_[*place];
    }
    for (const Formula& operand : formula.operands) size += size_in_columns(operand);
    return size;
}

Formula NameScope::replaced(const Formula& formula) const {
    if (formula.kind == Kind::missing || formula.kind == Kind::name) {
        const DerivedFeature* derived = let(formula.name);
        if (!derived) return formula;
        return formula.kind == Kind::name ? derived->formula : any_missing(names_in(derived->formula));
    }
    Formula result = formula;
    for (Formula& operand : result.operands) operand = replaced(operand);
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

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/encode/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"
#include "polyrx/core/text/utf8.hpp"

namespace polyrx {
namespace {

using Kind = Formula::Kind;

void collect_names(const Formula& formula, std::unordered_set<std::string_view>& seen,
                   std::vector<std::string>& names) {
    if ((formula.kind == Kind::name || formula.kind == Kind::missing) && seen.insert(formula.name).second)
        names.push_back(formula.name);
    for (const Formula& operand : formula.operands) collect_names(operand, seen, names);
}

double apply(Kind kind, double a, double b) {
    switch (kind) {
        case Kind::negate:
            return -a;
        case Kind::add:
            return a + b;
        case Kind::subtract:
            return a - b;
        case Kind::multiply:
            return a * b;
        case Kind::divide:
            return a / b;
        case Kind::power:
            return std::pow(a, b);
        case Kind::log:
            return std::log(a);
        case Kind::exp:
            return std::exp(a);
        case Kind::sqrt:
            return std::sqrt(a);
        case Kind::min:
            return std::min(a, b);
        case Kind::max:
            return std::max(a, b);
        case Kind::number:
        case Kind::name:
        case Kind::missing:
            break;
    }
    return 0;
}

// Explains a non-finite result of finite operands.
std::string reason(Kind kind, double a, double b) {
    if (kind == Kind::divide && b == 0) return "a division by zero";
    if (kind == Kind::log && a <= 0) return fmt::format("the logarithm of {}", a);
    if (kind == Kind::sqrt && a < 0) return fmt::format("the square root of {}", a);
    if (kind == Kind::power && a == 0) return fmt::format("0 to the power of {}", b);
    if (kind == Kind::power && a < 0 && std::trunc(b) != b) return fmt::format("{} to the power of {}", a, b);
    return "too large a number";
}

class Evaluation {
public:
    Evaluation(const Table& table, std::size_t first, std::size_t count, std::string_view what)
        : table_(table), first_(first), count_(count), what_(what) {}

    [[nodiscard]] std::vector<double> operator()(const Formula& formula) const {
        switch (formula.kind) {
            case Kind::number:
                return std::vector<double>(count_, formula.number);
            case Kind::name:
                return cells(formula.name);
            case Kind::missing:
                return missing_cells(formula.name);
            default:
                break;
        }
        std::vector<double> values = (*this)(formula.operands.front());
        if (formula.operands.size() == 1) combine(formula.kind, values, values);
        for (std::size_t i = 1; i < formula.operands.size(); ++i)
            combine(formula.kind, values, (*this)(formula.operands[i]));
        return values;
    }

private:
    [[nodiscard]] std::vector<double> cells(const std::string& name) const {
        const Column& column = table_.at(name);
        const auto begin = static_cast<std::ptrdiff_t>(first_);
        if (const auto* numeric = std::get_if<NumericColumn>(&column.values)) {
            const auto from = numeric->values.begin() + begin;
            return {from, from + static_cast<std::ptrdiff_t>(count_)};
        }
        const auto* boolean = std::get_if<BooleanColumn>(&column.values);
        if (!boolean)
            throw data_error(fmt::format("{}: column {} is categorical, but {} needs numbers", table_.where(),
                                         in_quotes(name), what_));
        std::vector<double> values(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            const auto value = boolean->values[first_ + i];
            values[i] = value == BooleanColumn::missing ? NumericColumn::missing : value;
        }
        return values;
    }

    [[nodiscard]] std::vector<double> missing_cells(const std::string& name) const {
        const Column& column = table_.at(name);
        std::vector<double> values(count_);
        for (std::size_t i = 0; i < count_; ++i) values[i] = column.is_missing(first_ + i) ? 1 : 0;
        return values;
    }

    void combine(Kind kind, std::vector<double>& values, const std::vector<double>& others) const {
        for (std::size_t i = 0; i < count_; ++i) {
            const double a = values[i];
            const double b = others[i];
            if (std::isnan(a) || std::isnan(b)) {
                values[i] = NumericColumn::missing;
                continue;
            }
            values[i] = apply(kind, a, b);
            if (!std::isfinite(values[i]))
                throw data_error(
                    fmt::format("{}: {} has no finite value: {}", table_.where(first_ + i), what_, reason(kind, a, b)));
        }
    }

    const Table& table_;
    std::size_t first_, count_;
    std::string_view what_;
};

// ---- ranges

constexpr Range unbounded{-infinity, infinity};

Range hull(std::initializer_list<double> values) {
    Range range{infinity, -infinity};
    for (const double value : values) {
        if (std::isnan(value)) return unbounded;
        range.lower = std::min(range.lower, value);
        range.upper = std::max(range.upper, value);
    }
    return range;
}

Range power(Range a, Range b) {
    // For a positive base: exp(b log(a)) at its corners. Otherwise only constant integer exponents.
    if (a.lower > 0)
        return hull({std::pow(a.lower, b.lower), std::pow(a.lower, b.upper), std::pow(a.upper, b.lower),
                     std::pow(a.upper, b.upper)});
    if (b.lower != b.upper || std::trunc(b.lower) != b.lower || b.lower < 0) return unbounded;
    Range range = hull({std::pow(a.lower, b.lower), std::pow(a.upper, b.lower)});
    if (std::fmod(b.lower, 2) == 0 && a.upper > 0) range.lower = b.lower == 0 ? 1 : 0;
    return range;
}

Range combine(Kind kind, Range a, Range b) {
    switch (kind) {
        case Kind::negate:
            return {-a.upper, -a.lower};
        case Kind::add:
            return {a.lower + b.lower, a.upper + b.upper};
        case Kind::subtract:
            return {a.lower - b.upper, a.upper - b.lower};
        case Kind::multiply:
            return hull({a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper});
        case Kind::divide:
            if (b.lower <= 0 && b.upper >= 0) return unbounded;
            return hull({a.lower / b.lower, a.lower / b.upper, a.upper / b.lower, a.upper / b.upper});
        case Kind::power:
            return power(a, b);
        case Kind::log:
            return a.lower > 0 ? Range{std::log(a.lower), std::log(a.upper)} : unbounded;
        case Kind::exp:
            return {std::exp(a.lower), std::exp(a.upper)};
        case Kind::sqrt:
            return a.lower >= 0 ? Range{std::sqrt(a.lower), std::sqrt(a.upper)} : unbounded;
        case Kind::min:
            return {std::min(a.lower, b.lower), std::min(a.upper, b.upper)};
        case Kind::max:
            return {std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
        case Kind::number:
        case Kind::name:
        case Kind::missing:
            break;
    }
    return unbounded;
}

// Operations and C library functions are accurate to a few units in the last place; this margin is much larger.
Range widened(Range range) {
    constexpr double relative = 1e-14;
    constexpr double least = std::numeric_limits<double>::min();
    if (std::isnan(range.lower) || std::isnan(range.upper)) return unbounded;
    return {range.lower - (std::abs(range.lower) * relative + least),
            range.upper + (std::abs(range.upper) * relative + least)};
}

// True for operations that are exact in floating point.
bool is_exact(Kind kind) {
    return kind == Kind::negate || kind == Kind::min || kind == Kind::max;
}

}  // namespace

std::vector<std::string> names_in(const Formula& formula) {
    std::vector<std::string> names;
    std::unordered_set<std::string_view> seen;
    collect_names(formula, seen, names);
    return names;
}

bool has_names(const Formula& formula) {
    return formula.kind == Kind::name || formula.kind == Kind::missing ||
           std::ranges::any_of(formula.operands, has_names);
}

std::size_t count_parts(const Formula& formula) {
    std::size_t size = 1;
    for (const Formula& operand : formula.operands) size += count_parts(operand);
    return size;
}

std::vector<double> evaluate(const Formula& formula, const Table& table, std::size_t first, std::size_t count,
                             std::string_view what) {
    return Evaluation(table, first, count, what)(formula);
}

Range range_of(const Formula& formula, const std::function<Range(const std::string&)>& range_of_name) {
    switch (formula.kind) {
        case Kind::number:
            return {formula.number, formula.number};
        case Kind::name:
            return range_of_name(formula.name);
        case Kind::missing:
            return {0, 1};
        default:
            break;
    }
    Range range = range_of(formula.operands.front(), range_of_name);
    const std::size_t operands = formula.operands.size();
    for (std::size_t i = operands == 1 ? 0 : 1; i < operands; ++i) {
        const Range other = operands == 1 ? range : range_of(formula.operands[i], range_of_name);
        range = combine(formula.kind, range, other);
        if (!is_exact(formula.kind)) range = widened(range);
    }
    return range;
}

}  // namespace polyrx

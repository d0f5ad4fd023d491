// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twin of bound rules: a rule's text on one row of a table, with three truth values.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/rules/bind.hpp"
#include "polyrx/rules/language/rules.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx::test {

// Nothing: unknown, because something is missing.
using Truth3 = std::optional<bool>;

class SlowRules {
public:
    SlowRules(const Rules& rules, const Table& table, std::size_t row) : rules_(rules), table_(table), row_(row) {}

    // Nothing where a value is missing.
    [[nodiscard]] std::optional<double> value(const Formula& formula) const {
        using Kind = Formula::Kind;
        if (formula.kind == Kind::number) return formula.number;
        if (formula.kind == Kind::missing) return table_.at(formula.name).is_missing(row_) ? 1 : 0;
        if (formula.kind == Kind::name) return named(formula.name);
        std::vector<double> operands;
        for (const Formula& operand : formula.operands) {
            const auto found = value(operand);
            if (!found) return {};
            operands.push_back(*found);
        }
        switch (formula.kind) {
            case Kind::negate:
                return -operands[0];
            case Kind::add:
                return operands[0] + operands[1];
            case Kind::subtract:
                return operands[0] - operands[1];
            case Kind::multiply:
                return operands[0] * operands[1];
            case Kind::divide:
                return operands[0] / operands[1];
            case Kind::power:
                return std::pow(operands[0], operands[1]);
            case Kind::log:
                return std::log(operands[0]);
            case Kind::exp:
                return std::exp(operands[0]);
            case Kind::sqrt:
                return std::sqrt(operands[0]);
            case Kind::min:
                return *std::ranges::min_element(operands);
            default:
                return *std::ranges::max_element(operands);
        }
    }

    [[nodiscard]] Truth3 truth(const Condition& condition) const {
        if (condition.kind == Condition::Kind::comparison) return comparison(condition);
        if (condition.kind == Condition::Kind::negation) {
            const Truth3 inner = truth(condition.operands.front());
            return inner ? Truth3(!*inner) : Truth3();
        }
        const bool all = condition.kind == Condition::Kind::all_of;
        bool unknown = false;
        for (const Condition& operand : condition.operands) {
            const Truth3 each = truth(operand);
            if (!each)
                unknown = true;
            else if (*each != all)
                return !all;
        }
        return unknown ? Truth3() : Truth3(all);
    }

    [[nodiscard]] std::vector<std::string> allowed(const std::vector<std::string>& treatments,
                                                   WhenMissing when_missing) const {
        std::vector<std::string> left = treatments;
        for (const Rule& rule : rules_.rules) {
            if (!truth(rule.condition).value_or(when_missing == WhenMissing::apply)) continue;
            std::erase_if(left, [&](const std::string& label) {
                return (std::ranges::find(rule.treatments, label) != rule.treatments.end()) == rule.exclude;
            });
        }
        return left;
    }

private:
    [[nodiscard]] std::optional<double> named(const std::string& name) const {
        for (const Let& let : rules_.lets)
            if (let.name == name) return value(let.formula);
        const Column& column = table_.at(name);
        if (column.is_missing(row_)) return {};
        if (const auto* numeric = std::get_if<NumericColumn>(&column.values)) return numeric->values[row_];
        return std::get<BooleanColumn>(column.values).values[row_];
    }

    [[nodiscard]] Truth3 comparison(const Condition& condition) const {
        const Column* left = condition.left.kind == Formula::Kind::name ? table_.find(condition.left.name) : nullptr;
        if (left && left->type() == ColumnType::categorical) {
            if (left->is_missing(row_)) return {};
            return (left->text(row_) == condition.right.name) == (condition.relation == Relation::equal);
        }
        const auto a = value(condition.left);
        const auto b = value(condition.right);
        if (!a || !b) return {};
        switch (condition.relation) {
            case Relation::less:
                return *a < *b;
            case Relation::less_equal:
                return *a <= *b;
            case Relation::greater:
                return *a > *b;
            case Relation::greater_equal:
                return *a >= *b;
            case Relation::equal:
                return *a == *b;
            case Relation::not_equal:
                return *a != *b;
        }
        return {};
    }

    const Rules& rules_;
    const Table& table_;
    std::size_t row_;
};

}  // namespace polyrx::test

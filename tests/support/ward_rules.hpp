// SPDX-License-Identifier: Apache-2.0
// A small table with every kind of column and missing cells, and random rules about it.
#pragma once

#include "polyrx/core/rng.hpp"
#include "polyrx/rules/language/rules.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx::test {

inline const std::vector<std::string> ward_treatments = {"Low", "Medium", "High"};

// age: whole, sometimes missing. dose: eighths, so that sums are exact. smoker, ward: sometimes missing.
inline Table ward_table(Rng& rng, std::size_t rows) {
    NumericColumn age;
    NumericColumn dose;
    BooleanColumn smoker;
    CategoricalColumn ward{{"north", "south", "west"}, {}};
    for (std::size_t i = 0; i < rows; ++i) {
        age.values.push_back(rng.bernoulli(0.1) ? NumericColumn::missing : static_cast<double>(20 + rng.below(70)));
        dose.values.push_back(static_cast<double>(1 + rng.below(80)) / 8);
        smoker.values.push_back(rng.bernoulli(0.1) ? BooleanColumn::missing : static_cast<std::int8_t>(rng.below(2)));
        ward.codes.push_back(rng.bernoulli(0.1) ? CategoricalColumn::missing : static_cast<std::int32_t>(rng.below(3)));
    }
    return Table({{"age", age}, {"dose", dose}, {"smoker", smoker}, {"ward", ward}});
}

inline Formula named(std::string name) {
    return {.kind = Formula::Kind::name, .name = std::move(name)};
}
inline Formula number(double value) {
    return {.kind = Formula::Kind::number, .number = value};
}

inline Condition random_ward_condition(Rng& rng, int depth) {
    using Kind = Condition::Kind;
    if (depth > 0 && rng.bernoulli(0.6)) {
        Condition joined;
        joined.kind = rng.bernoulli(0.25) ? Kind::negation : rng.bernoulli(0.5) ? Kind::all_of : Kind::any_of;
        const int operands = joined.kind == Kind::negation ? 1 : 2 + static_cast<int>(rng.below(2));
        for (int i = 0; i < operands; ++i) joined.operands.push_back(random_ward_condition(rng, depth - 1));
        return joined;
    }
    Condition comparison;
    comparison.relation = static_cast<Relation>(rng.below(6));
    const auto kind = rng.below(5);
    if (kind == 0) {
        constexpr const char* wards[] = {"north", "south", "west"};
        comparison.left = named("ward");
        comparison.right = named(wards[rng.below(3)]);
        comparison.relation = rng.bernoulli(0.5) ? Relation::equal : Relation::not_equal;
    } else if (kind == 1) {
        comparison.left = named("smoker");
        comparison.right = number(static_cast<double>(rng.below(2)));
        comparison.relation = rng.bernoulli(0.5) ? Relation::equal : Relation::not_equal;
    } else if (kind == 2) {
        comparison.left = named("age");
        comparison.right = number(static_cast<double>(20 + rng.below(70)));
    } else if (kind == 3) {  // a sum
        comparison.left = {.kind = Formula::Kind::add, .operands = {named("age"), named("dose")}};
        comparison.right = number(static_cast<double>(20 + rng.below(80)));
    } else {  // not linear: dose * dose, of which every value is exact
        comparison.left = {.kind = Formula::Kind::multiply, .operands = {named("dose"), named("dose")}};
        comparison.right = number(static_cast<double>(rng.below(100)));
    }
    return comparison;
}

inline Rules random_ward_rules(Rng& rng, std::size_t count) {
    Rules rules;
    for (std::size_t i = 0; i < count; ++i) {
        Rule rule;
        rule.condition = random_ward_condition(rng, 2);
        rule.exclude = rng.bernoulli(0.5);
        rule.treatments = {ward_treatments[rng.below(3)]};
        if (!rule.exclude && rng.bernoulli(0.7)) {
            const std::string& other = ward_treatments[rng.below(3)];
            if (other != rule.treatments.front()) rule.treatments.push_back(other);
        }
        rules.rules.push_back(std::move(rule));
    }
    return rules;
}

}  // namespace polyrx::test

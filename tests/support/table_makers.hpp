// SPDX-License-Identifier: Apache-2.0
// Small tables for tests, and what it takes to compare them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/table/schema.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx::test {

inline Column numbers(std::string name, std::vector<double> values) {
    return {std::move(name), NumericColumn{std::move(values)}};
}

inline Column texts(std::string name, std::vector<std::string> categories, std::vector<std::int32_t> codes) {
    return {std::move(name), CategoricalColumn{std::move(categories), std::move(codes)}};
}

inline Column truths(std::string name, std::vector<std::int8_t> values) {
    return {std::move(name), BooleanColumn{std::move(values)}};
}

// The types and categories of the table, declared.
inline Schema schema_of(const Table& table) {
    Schema schema;
    for (const Column& column : table.columns()) {
        ColumnSchema declared;
        declared.name = column.name;
        declared.type = column.type();
        if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values))
            declared.categories = categorical->categories;
        schema.columns.push_back(declared);
    }
    return schema;
}

// Same names, types, categories and values; where a missing number equals a missing number.
inline bool same_values(const Table& a, const Table& b) {
    if (a.columns().size() != b.columns().size() || a.rows() != b.rows()) return false;
    for (std::size_t i = 0; i < a.columns().size(); ++i) {
        const Column& x = a.columns()[i];
        const Column& y = b.columns()[i];
        if (x.name != y.name || x.type() != y.type()) return false;
        if (const auto* categorical = std::get_if<CategoricalColumn>(&x.values))
            if (categorical->categories != std::get<CategoricalColumn>(y.values).categories) return false;
        if (const auto* boolean = std::get_if<BooleanColumn>(&x.values)) {
            // Whatever words the files had for true and false.
            if (boolean->values != std::get<BooleanColumn>(y.values).values) return false;
            continue;
        }
        for (std::size_t row = 0; row < a.rows(); ++row)
            if (x.is_missing(row) != y.is_missing(row) || x.text(row) != y.text(row)) return false;
    }
    return true;
}

// The sentence of the Error that the call throws, which must be of this kind.
template <class Call>
std::string sentence_of(ErrorKind kind, const Call& call) {
    try {
        call();
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), kind) << e.what();
        return e.what();
    }
    return "(no error)";
}

}  // namespace polyrx::test

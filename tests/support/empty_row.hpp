// SPDX-License-Identifier: Apache-2.0
// The least that any policy can prescribe for.
#pragma once

#include <vector>

#include "polyrx/policy/policy.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx::test {

// A table with the policy's columns and one row without any value.
inline Table empty_row(const Policy& policy) {
    std::vector<Column> columns;
    for (const Feature& feature : policy.encoder.features()) {
        Column column{feature.name, NumericColumn{{NumericColumn::missing}}};
        if (feature.type == ColumnType::boolean) column.values = BooleanColumn{{BooleanColumn::missing}};
        if (feature.type == ColumnType::categorical)
            column.values = CategoricalColumn{{}, {CategoricalColumn::missing}};
        columns.push_back(column);
    }
    return Table(columns);
}

}  // namespace polyrx::test

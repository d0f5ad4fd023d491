// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/row_json.hpp"

namespace polyrx {

Json row_json(const Table& row) {
    Json json = Json::object();
    for (const Column& column : row.columns()) {
        if (column.is_missing(0))
            json.add(column.name, nullptr);
        else if (const auto* numeric = std::get_if<NumericColumn>(&column.values))
            json.add(column.name, numeric->values.front());
        else if (const auto* boolean = std::get_if<BooleanColumn>(&column.values))
            json.add(column.name, boolean->values.front() == 1);
        else
            json.add(column.name, column.text(0));
    }
    return json;
}

}  // namespace polyrx

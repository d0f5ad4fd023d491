// SPDX-License-Identifier: Apache-2.0
#include "read_data.hpp"

#include "polyrx/data/csv_read.hpp"

namespace polyrx::cli {

Table read_for(const Policy& policy, const std::string& path, const std::vector<ColumnSchema>& also,
               const Progress& progress) {
    CsvOptions options;
    options.schema = policy.encoder.schema();
    options.schema.missing = policy.missing_texts;
    for (const ColumnSchema& column : also)
        if (!options.schema.find(column.name)) options.schema.columns.push_back(column);
    options.columns.emplace();
    for (const ColumnSchema& column : options.schema.columns) options.columns->push_back(column.name);
    Table table = read_csv(path, options, progress);
    for (const std::string& name : *options.columns) (void)table.at(name);
    return table;
}

}  // namespace polyrx::cli

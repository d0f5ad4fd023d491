// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/data_text.hpp"

#include "polyrx/core/read_bytes.hpp"
#include "polyrx/policy/reading_options.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace polyrx {

DataText read_data(const std::string& path, const Progress& progress) {
    return {path == "-" ? "stdin" : path, read_bytes(path, progress)};
}

Table parse_for(const Policy& policy, const DataText& data, const std::vector<ColumnSchema>& also,
                const Progress& progress) {
    CsvOptions options = reading_options(policy);
    for (const ColumnSchema& column : also) {
        if (options.schema.find(column.name)) continue;
        options.schema.columns.push_back(column);
        options.columns->push_back(column.name);
    }
    Table table = parse_csv(data.bytes, data.name, options, progress);
    for (const std::string& name : *options.columns) (void)table.at(name);
    return table;
}

Table parse_as_text(const DataText& data, const std::vector<std::string>& columns, const Progress& progress) {
    CsvOptions options;
    for (const std::string& name : columns)
        options.schema.columns.push_back({.name = name, .type = ColumnType::categorical});
    options.schema.missing.emplace();  // NA is text here, not missing
    options.columns = columns;
    const Table read = parse_csv(data.bytes, data.name, options, progress).select(columns);
    std::vector<Column> texts = read.columns();
    for (Column& column : texts) {
        auto& cells = std::get<CategoricalColumn>(column.values);
        const auto blank = static_cast<std::int32_t>(cells.categories.size());
        cells.categories.emplace_back();
        for (std::int32_t& code : cells.codes)
            if (code == CategoricalColumn::missing) code = blank;
    }
    return Table(std::move(texts), read.source());
}

}  // namespace polyrx

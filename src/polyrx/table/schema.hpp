// SPDX-License-Identifier: Apache-2.0
// What the user declares about a data file: types, units, categories, bounds, treatments.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/core/text/name_index.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// The `= {}` avoid a warning for each member left out of `{.name = "age", .lower = 0}`.
struct ColumnSchema {
    std::string name = {};
    std::optional<ColumnType> type = {};  // inferred if not given
    std::string unit = {};                // "kg"; may be empty
    // In order; inferred and sorted if empty. If `open`, other texts in the data become categories too.
    std::vector<std::string> categories = {};
    bool open = false;
    std::optional<double> lower = {};  // inclusive
    std::optional<double> upper = {};  // inclusive
    bool integer = false;
};

struct Schema {
    std::vector<ColumnSchema> columns;
    std::vector<std::string> treatments;              // labels in order; inferred if empty
    std::optional<std::vector<std::string>> missing;  // texts that mean a missing value, in addition to ""

    // nullptr if the column is not declared. Use DeclaredColumns for many lookups.
    [[nodiscard]] const ColumnSchema* find(std::string_view column) const;
};

// Finds columns of a schema in constant time. The schema must outlive it.
class DeclaredColumns {
public:
    explicit DeclaredColumns(const Schema& schema)
        : columns_(schema.columns), places_(schema.columns, &ColumnSchema::name) {}

    [[nodiscard]] const ColumnSchema* find(std::string_view column) const {
        const auto place = places_.find(column);
        return place ? &columns_[*place] : nullptr;
    }

private:
    const std::vector<ColumnSchema>& columns_;
    NameIndex places_;
};

// Texts that mean a missing value by default. An empty cell is always missing.
inline const std::vector<std::string> default_missing_texts = {"NA", "NaN"};

// The format is described in docs/formats.md. `name` prefixes error messages.
[[nodiscard]] Schema parse_schema(std::string_view json, const std::string& name);
[[nodiscard]] Schema read_schema(const std::filesystem::path& path, const Progress& progress = {});

// The inverse of parse_schema(); keeps the order of columns.
[[nodiscard]] std::string schema_json(const Schema& schema);

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// CSV and TSV to a Table: RFC 4180 quoting, types inferred from the values or fixed by a schema.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/table/schema.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

struct CsvOptions {
    Schema schema = {};
    // Reads only these columns, in file order; all if not given. A column that the file lacks is not an error here:
    // Table::at throws when it is needed.
    std::optional<std::vector<std::string>> columns = {};
    // 0 detects it: tab if the name ends in .tsv or .tab (also with .gz) or the header has tabs and no comma, otherwise
    // comma.
    char delimiter = 0;
    // Skips unnamed columns, which spreadsheets leave behind, instead of refusing them.
    bool pass_over_nameless = false;
};

// `name` is the file name, used in messages and to detect the delimiter.
[[nodiscard]] Table parse_csv(std::string_view bytes, const std::string& name, const CsvOptions& options = {},
                              const Progress& progress = {});

// A `path` of "-" reads stdin. Gzip is decompressed.
[[nodiscard]] Table read_csv(const std::string& path, const CsvOptions& options = {}, const Progress& progress = {});

}  // namespace polyrx

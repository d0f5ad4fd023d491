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
    // Only these columns are read, in the order of the file; all when not given. Columns that the file lacks are
    // not an error here: Table::at says so when one is needed.
    std::optional<std::vector<std::string>> columns = {};
    // 0: tab for a name that ends in .tsv or .tab (or that and .gz) or a header with tabs and no comma; else comma.
    char delimiter = 0;
    // Columns without a name, which spreadsheets leave behind, are passed over instead of refused.
    bool pass_over_nameless = false;
};

// `name` is the file's name, for messages and the delimiter.
[[nodiscard]] Table parse_csv(std::string_view bytes, const std::string& name, const CsvOptions& options = {},
                              const Progress& progress = {});

// `path` "-" reads standard input; gzip is unpacked.
[[nodiscard]] Table read_csv(const std::string& path, const CsvOptions& options = {}, const Progress& progress = {});

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// The CSV reader on arbitrary bytes: it must agree with its slow twin, and what it read must survive being written.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "tests/support/slow_csv.hpp"
#include "tests/support/table_makers.hpp"

namespace {

using namespace polyrx;

void require(bool holds) {
    if (!holds) std::abort();
}

using Rows = std::vector<std::vector<std::string>>;

// The header and the rows if the text is a table at all: every row as long as the header, names distinct, UTF-8.
std::optional<Rows> expected_rows(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (text.find('\0') != std::string_view::npos) return std::nullopt;
    auto rows = test::slow_csv(text, ',');
    if (!rows || rows->empty()) return std::nullopt;
    std::set<std::string> names;
    for (const std::string& name : rows->front())
        if (trimmed(name).empty() || !names.insert(name).second) return std::nullopt;
    for (const auto& row : *rows) {
        if (row.size() != rows->front().size()) return std::nullopt;
        for (const std::string& cell : row)
            if (!trimmed(cell).empty() && !is_utf8(cell)) return std::nullopt;
    }
    return rows;
}

void check_against_the_twin(std::string_view text) {
    const auto expected = expected_rows(text);
    CsvOptions options{.delimiter = ','};
    options.schema.missing.emplace();
    if (expected)
        for (const std::string& name : expected->front())
            options.schema.columns.push_back({.name = name, .type = ColumnType::categorical});
    try {
        const Table table = parse_csv(text, "fuzz.csv", options);
        require(expected.has_value());
        require(table.columns().size() == expected->front().size() && table.rows() + 1 == expected->size());
        for (std::size_t c = 0; c < table.columns().size(); ++c)
            for (std::size_t row = 0; row < table.rows(); ++row) {
                const std::string& cell = (*expected)[row + 1][c];
                require(table.columns()[c].text(row) == (trimmed(cell).empty() ? "" : cell));
            }
    } catch (const Error& e) {
        require(!expected && e.kind() == ErrorKind::data && is_utf8(e.what()));
        require(std::string_view(e.what()).find('\n') == std::string_view::npos);
    }
}

void check_round_trip(std::string_view text) {
    try {
        const Table table = parse_csv(text, "fuzz.csv");
        std::string written;
        write_csv(table, [&](std::string_view piece) { written += piece; });
        CsvOptions options;
        options.schema = test::schema_of(table);
        require(test::same_values(parse_csv(written, "written.csv", options), table));
    } catch (const Error& e) {
        require(e.kind() == ErrorKind::data);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_against_the_twin(text);
    check_round_trip(text);
    return 0;
}

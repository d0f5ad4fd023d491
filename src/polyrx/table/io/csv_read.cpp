// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/io/csv_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/core/read_bytes.hpp"
#include "polyrx/core/text/parse_cell.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/core/within_memory.hpp"
#include "polyrx/table/io/csv_columns.hpp"
#include "polyrx/table/io/csv_scan.hpp"

namespace polyrx {
namespace {

void check_bytes(std::string_view bytes, const std::string& name) {
    if (bytes.find_first_not_of("\r\n") == std::string_view::npos)
        throw data_error(fmt::format("{}: the file is empty", name));
    if (const auto nul = bytes.find('\0'); nul != std::string_view::npos)
        throw data_error(fmt::format("{}:{}: a NUL byte: the file looks binary or UTF-16 (save it as UTF-8 text)", name,
                                     1 + std::ranges::count(bytes.substr(0, nul), '\n')));
}

bool is_named_as_tsv(std::string_view name) {
    if (name.ends_with(".gz")) name.remove_suffix(3);
    return name.ends_with(".tsv") || name.ends_with(".tab");
}

char chosen_delimiter(std::string_view bytes, const std::string& name, char given) {
    if (given != 0) {
        if (std::string_view(",\t;|").find(given) == std::string_view::npos)
            throw usage_error("a delimiter must be a comma, a tab, a semicolon or a vertical bar");
        return given;
    }
    if (is_named_as_tsv(name)) return '\t';
    bool quoted = false;
    bool comma = false;
    bool tab = false;
    bool semicolon = false;
    for (const char c : bytes) {
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == '\n') break;
        comma = comma || c == ',';
        tab = tab || c == '\t';
        semicolon = semicolon || c == ';';
    }
    if (semicolon && !comma && !tab)
        throw data_error(
            fmt::format("{}:1: the header looks separated by semicolons, but polyrx reads commas or tabs", name));
    return tab && !comma ? '\t' : ',';
}

// Unnamed columns get an empty name if `pass_over_nameless`.
std::vector<std::string> take_header(CsvScanner& scanner, const std::string& name, bool pass_over_nameless) {
    std::vector<std::string> names;
    std::unordered_map<std::string, std::size_t> position;
    do {
        const std::uint32_t line = scanner.line();
        const std::string cell(scanner.take_cell());
        names.push_back(cell);
        if (trimmed(cell).empty()) {
            names.back().clear();
            if (pass_over_nameless) continue;
            throw data_error(fmt::format("{}:{}: column {} of the header has no name", name, line, names.size()));
        }
        if (!is_utf8(cell))
            throw data_error(fmt::format("{}:{}: column {}: the name {} is not valid UTF-8 (save the file as UTF-8)",
                                         name, line, names.size(), in_quotes(cell)));
        const auto [twin, is_new] = position.emplace(cell, names.size());
        if (!is_new)
            throw data_error(fmt::format("{}:{}: columns {} and {} are both called {}", name, line, twin->second,
                                         names.size(), in_quotes(cell)));
    } while (!scanner.row_ended());
    return names;
}

// Reads the rows below the header into the requested columns.
class RowReader {
public:
    RowReader(std::string_view bytes, const std::string& name, const CsvOptions& options, const Progress& progress)
        : name_(name),
          progress_(progress),
          work_(fmt::format("parsing {}", name)),
          missing_texts_(options.schema.missing.value_or(default_missing_texts)),
          scanner_(bytes, chosen_delimiter(bytes, name, options.delimiter), name, missing_texts_) {
        header_ = take_header(scanner_, name, options.pass_over_nameless);
        first_row_ = scanner_.mark();
        // A row has at least a line end and one byte per column, so memory is bounded by the size of the file.
        const auto rows = std::min<std::size_t>(1 + static_cast<std::size_t>(std::ranges::count(bytes, '\n')),
                                                1 + bytes.size() / header_.size());
        const DeclaredColumns declared(options.schema);
        const NameIndex asked = options.columns ? NameIndex(*options.columns) : NameIndex();
        wanted_.reserve(header_.size());
        for (const std::string& column : header_) {
            const bool wanted = !column.empty() && (!options.columns || asked.contains(column));
            wanted_.push_back(wanted);
            if (wanted) columns_.emplace_back(column, declared.find(column), missing_texts_, rows);
        }
        lines_.reserve(rows);
    }

    Table read() {
        while (!scanner_.done()) read_row();
        read_again();
        std::vector<Column> columns;
        columns.reserve(columns_.size());
        for (CsvColumn& column : columns_) columns.push_back(column.take());
        std::erase(header_, std::string());
        return Table(std::move(columns), {name_, std::move(lines_), std::move(header_)});
    }

private:
    void read_row() {
        if (lines_.size() % 8192 == 0) report(progress_, scanner_.share_done(), work_);
        row_ = scanner_.mark();
        lines_.push_back(row_.line);
        CsvColumn* column = columns_.data();
        for (std::size_t i = 0; i < wanted_.size(); ++i) {
            if (i > 0 && scanner_.row_ended()) fail_shape();
            if (!wanted_[i]) {
                scanner_.take_cell();
                continue;
            }
            double value = 0;
            const bool good = column->takes_numbers() && scanner_.take_number(value)
                                  ? column->add_number(value)
                                  : column->add(scanner_.take_cell());
            if (!good) fail_cell(*column);
            ++column;
        }
        if (!scanner_.row_ended()) fail_shape();
    }

    // One pass for all columns that turned from numbers to text.
    void read_again() {
        std::size_t rows = 0;
        for (const CsvColumn& column : columns_) rows = std::max(rows, column.rows_to_read_again());
        scanner_.back_to(first_row_);
        for (std::size_t row = 0; row < rows; ++row) {
            if (row % 8192 == 0) report(progress_, scanner_.share_done(), work_);
            row_ = scanner_.mark();
            CsvColumn* column = columns_.data();
            for (const bool wanted : wanted_) {
                const std::string_view cell = scanner_.take_cell();
                if (!wanted) continue;
                if (row < column->rows_to_read_again() && !column->add_again(row, cell)) fail_cell(*column);
                ++column;
            }
        }
    }

    // A row with too many or too few cells often has values in the wrong columns, so that error is reported first.
    [[noreturn]] void fail_cell(const CsvColumn& column) {
        if (cells_of_row() != wanted_.size()) fail_shape();
        throw data_error(
            fmt::format("{}:{}: column {}: {}", name_, row_.line, in_quotes(column.name()), column.error()));
    }

    [[noreturn]] void fail_shape() {
        const std::size_t cells = cells_of_row();
        if (cells == 1 && (*row_.at == '\n' || *row_.at == '\r'))
            throw data_error(
                fmt::format("{}:{}: a blank line, but the header has {} columns", name_, row_.line, wanted_.size()));
        throw data_error(fmt::format("{}:{}: {} cell{}, but the header has {} column{}", name_, row_.line, cells,
                                     cells == 1 ? "" : "s", wanted_.size(), wanted_.size() == 1 ? "" : "s"));
    }

    std::size_t cells_of_row() {
        scanner_.back_to(row_);
        std::size_t cells = 0;
        do {
            scanner_.take_cell();
            ++cells;
        } while (!scanner_.row_ended());
        return cells;
    }

    const std::string& name_;
    const Progress& progress_;
    std::string work_;
    std::vector<std::string> missing_texts_;
    CsvScanner scanner_;
    std::vector<std::string> header_;
    std::vector<char> wanted_;        // by position in the file
    std::vector<CsvColumn> columns_;  // requested columns only
    CsvScanner::Mark first_row_{};
    CsvScanner::Mark row_{};
    std::vector<std::uint32_t> lines_;
};

Table parse(std::string_view bytes, const std::string& name, const CsvOptions& options, const Progress& progress) {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
    check_bytes(bytes, name);
    return RowReader(bytes, name, options, progress).read();
}

}  // namespace

Table parse_csv(std::string_view bytes, const std::string& name, const CsvOptions& options, const Progress& progress) {
    return within_memory(name, [&] { return parse(bytes, name, options, progress); });
}

Table read_csv(const std::string& path, const CsvOptions& options, const Progress& progress) {
    const std::string name = path == "-" ? "stdin" : path;
    return parse_csv(read_bytes(path, progress), name, options, progress);
}

}  // namespace polyrx

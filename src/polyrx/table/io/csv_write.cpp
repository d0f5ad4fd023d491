// SPDX-License-Identifier: Apache-2.0
#include "polyrx/table/io/csv_write.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>

namespace polyrx {
namespace {

// A tab or semicolon could be mistaken for the delimiter of a one-column file, and a byte order mark for the file's
// own. Some programs drop leading and trailing spaces.
bool needs_quotes(std::string_view text) {
    return text.empty() || text.find_first_of(",\"\r\n\t;") != std::string_view::npos || text.front() == ' ' ||
           text.back() == ' ' || text.starts_with("\xef\xbb\xbf");
}

std::string as_cell(std::string_view text) {
    if (!needs_quotes(text)) return std::string(text);
    std::string cell = "\"";
    for (const char c : text) {
        if (c == '"') cell += '"';
        cell += c;
    }
    return cell + '"';
}

// Writes the cells of one column. Quotes each category once, not once per row.
class CellWriter {
public:
    explicit CellWriter(const Column& column) : column_(column) {
        if (const auto* categorical = std::get_if<CategoricalColumn>(&column.values))
            for (const std::string& category : categorical->categories) cells_.push_back(as_cell(category));
        if (const auto* boolean = std::get_if<BooleanColumn>(&column.values))
            cells_ = {as_cell(boolean->false_word), as_cell(boolean->true_word)};
    }

    void append(std::size_t row, std::string& text) const {
        if (column_.is_missing(row)) {
            text += "NA";
        } else if (const auto* numeric = std::get_if<NumericColumn>(&column_.values)) {
            fmt::format_to(std::back_inserter(text), "{}", numeric->values[row]);
        } else if (const auto* categorical = std::get_if<CategoricalColumn>(&column_.values)) {
            text += cells_[static_cast<std::size_t>(categorical->codes[row])];
        } else {
            text += cells_[static_cast<std::size_t>(std::get<BooleanColumn>(column_.values).values[row])];
        }
    }

private:
    const Column& column_;
    std::vector<std::string> cells_;  // by category, or {false, true}
};

}  // namespace

void write_csv(const Table& table, const std::function<void(std::string_view)>& write) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    if (table.columns().empty()) return;
    std::string text;
    std::vector<CellWriter> writers;
    for (const Column& column : table.columns()) {
        text += writers.empty() ? "" : ",";
        text += as_cell(column.name);
        writers.emplace_back(column);
    }
    text += '\n';
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t i = 0; i < writers.size(); ++i) {
            if (i > 0) text += ',';
            writers[i].append(row, text);
        }
        text += '\n';
        if (text.size() >= piece) {
            write(text);
            text.clear();
        }
    }
    if (!text.empty()) write(text);
}

}  // namespace polyrx

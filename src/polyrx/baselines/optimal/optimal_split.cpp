// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/optimal/optimal_split.hpp"

#include <algorithm>

namespace polyrx {
namespace {

bool comes_before(const PlacedValue& a, const PlacedValue& b) {
    return a.value > b.value || (a.value == b.value && a.place < b.place);
}

}  // namespace

NodeColumns::NodeColumns(const OptimalRows& data, std::span<const RowNumber> rows) {
    const auto inputs = static_cast<std::size_t>(data.inputs());
    first_.assign(inputs + 1, 0);
    for (const RowNumber row : rows)
        for (const OptimalRows::Entry& entry : data.entries(row))
            if (data.sparse[static_cast<std::size_t>(entry.input)] != 0)
                ++first_[static_cast<std::size_t>(entry.input) + 1];
    for (std::size_t j = 0; j < inputs; ++j) {
        if (data.sparse[j] == 0) first_[j + 1] = rows.size();
        first_[j + 1] += first_[j];
    }
    values_.resize(first_.back());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t place = 0; place < rows.size(); ++place)
        for (const OptimalRows::Entry& entry : data.entries(rows[place])) {
            const auto input = static_cast<std::size_t>(entry.input);
            if (data.sparse[input] != 0) values_[next[input]++] = {entry.value, place};
        }

    // Filtering the order of all rows is faster than sorting, unless few of the rows are needed.
    const bool reads_off = rows.size() * 16 > data.count();
    constexpr auto nowhere = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> place_of;
    if (reads_off) {
        place_of.assign(data.count(), nowhere);
        for (std::uint32_t place = 0; place < rows.size(); ++place) place_of[rows[place]] = place;
    }
    for (std::size_t j = 0; j < inputs; ++j) {
        const std::span column = std::span(values_).subspan(first_[j], first_[j + 1] - first_[j]);
        if (data.sparse[j] != 0) {
            const bool is_sorted = std::ranges::is_sorted(column, comes_before);  // as for categories
            if (!is_sorted) std::ranges::sort(column, comes_before);
        } else if (reads_off) {
            std::size_t at = column.size();
            for (const RowNumber row : data.ascending[j])
                if (place_of[row] != nowhere) column[--at] = {data.value(row, static_cast<int>(j)), place_of[row]};
        } else {
            for (std::uint32_t place = 0; place < rows.size(); ++place)
                column[place] = {data.value(rows[place], static_cast<int>(j)), place};
            std::ranges::sort(column, comes_before);
        }
    }
}

}  // namespace polyrx

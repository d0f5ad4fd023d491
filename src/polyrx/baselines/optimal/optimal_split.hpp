// SPDX-License-Identifier: Apache-2.0
// Splits of optimal trees, and the best cut of one input.
#pragma once

#include <limits>

#include "polyrx/baselines/optimal/optimal_fork.hpp"

namespace polyrx {

// In the units of OptimalRows. Rows with a sum above the threshold go to the high side.
struct OptimalSplit {
    std::vector<OptimalRows::Entry> terms;  // by ascending input; weights are not 0
    double threshold = 0;

    [[nodiscard]] double sum(const OptimalRows& data, RowNumber row) const {
        double sum = 0;
        for (const OptimalRows::Entry& term : terms) sum += term.value * data.value(row, term.input);
        return sum;
    }
    [[nodiscard]] bool goes_high(const OptimalRows& data, RowNumber row) const { return sum(data, row) > threshold; }
};

struct FoundSplit {
    double cost = std::numeric_limits<double>::infinity();
    OptimalSplit split;
};

// A row, by its place in the node, and a number to sort by.
struct PlacedValue {
    double value = 0;
    std::uint32_t place = 0;
};

// The inputs of a node's rows. For each input: the rows with nonzero values, by descending value; for inputs that are
// not sparse, all rows.
class NodeColumns {
public:
    NodeColumns(const OptimalRows& data, std::span<const RowNumber> rows);

    [[nodiscard]] std::span<const PlacedValue> of(int input) const {
        const auto at = static_cast<std::size_t>(input);
        return std::span(values_).subspan(first_[at], first_[at + 1] - first_[at]);
    }

private:
    std::vector<PlacedValue> values_;
    std::vector<std::size_t> first_;
};

// Finds a number between two different values. Returns false if floating point has none.
[[nodiscard]] inline bool cut_between(double lower, double upper, double& cut) {
    cut = lower + (upper - lower) / 2;
    return cut >= lower && cut < upper;
}

template <OptimalLeaves kind>
void try_cuts(Fork<kind>& fork, std::span<const PlacedValue> column, int input, FoundSplit& best) {
    const auto try_cut = [&](double lower, double upper) {
        double cut = 0;
        if (!cut_between(lower, upper, cut)) return;
        const double cost = fork.cost();
        if (cost < best.cost) best = {cost, {{{input, 1}}, cut}};
    };
    const bool has_others = column.size() < fork.size();  // rows with value 0
    std::size_t next = 0;
    fork.all_low();
    while (next < column.size() && (!has_others || column[next].value > 0)) {
        const double value = column[next].value;
        fork.to_high(column[next].place);
        ++next;
        const bool at_zero = has_others && (next == column.size() || column[next].value < 0);
        if (at_zero)
            try_cut(0, value);
        else if (next < column.size() && column[next].value < value)
            try_cut(column[next].value, value);
    }
    if (next == column.size()) return;
    fork.all_high();
    for (std::size_t at = column.size(); at > next; --at) {
        const double value = column[at - 1].value;
        fork.to_low(column[at - 1].place);
        if (at - 1 == next)
            try_cut(value, 0);
        else if (column[at - 2].value > value)
            try_cut(value, column[at - 2].value);
    }
}

}  // namespace polyrx

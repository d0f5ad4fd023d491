// SPDX-License-Identifier: Apache-2.0
#include "polyrx/statistics/bootstrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"

namespace polyrx {
namespace {

constexpr std::size_t draws_per_task = 16;  // which share one buffer of counts

// Columns that are summed with the same draws. Estimates often share a denominator, which is then summed once.
class SummedColumns {
public:
    // Returns the column number.
    std::size_t add(std::span<const double> values) {
        const auto same = std::ranges::find_if(
            columns_, [&](std::span<const double> column) { return std::ranges::equal(column, values); });
        if (same == columns_.end()) {
            columns_.push_back(values);
            return columns_.size() - 1;
        }
        return static_cast<std::size_t>(same - columns_.begin());
    }

    // sum_i times_i value_i of every column. Several sums run side by side, because a single one would wait for each
    // addition. The order is the same everywhere. Works in blocks, so that counts are converted to floating point once.
    [[nodiscard]] std::vector<double> sums(const DrawnTimes& times) const {
        std::vector<std::array<double, lanes>> partial(columns_.size());
        std::array<double, block> counts{};
        for (std::size_t first = 0; first < times.size(); first += block) {
            const std::size_t rows = std::min(block, times.size() - first);
            std::copy_n(times.begin() + static_cast<std::ptrdiff_t>(first), rows, counts.begin());
            for (std::size_t c = 0; c < columns_.size(); ++c)
                add_block(counts, columns_[c].subspan(first, rows), partial[c]);
        }
        std::vector<double> result;
        for (const auto& sum : partial)
            result.push_back(((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])));
        return result;
    }

private:
    static constexpr std::size_t lanes = 8;
    static constexpr std::size_t block = 1024;  // a multiple of the lanes

    static void add_block(const std::array<double, block>& counts, std::span<const double> values,
                          std::array<double, lanes>& sums) {
        std::array<double, lanes> here = sums;
        std::size_t i = 0;
        for (; i + lanes <= values.size(); i += lanes)
            for (std::size_t lane = 0; lane < lanes; ++lane) here[lane] += counts[i + lane] * values[i + lane];
        for (std::size_t lane = 0; i < values.size(); ++i, ++lane) here[lane] += counts[i] * values[i];
        sums = here;
    }

    std::vector<std::span<const double>> columns_;
};

}  // namespace

// The most expensive part of a bootstrap. If 32 bits can index the units, each random number gives two draws (Lemire
// 2019, like Rng::below, and unbiased).
void draw_units(Rng rng, DrawnTimes& times) {
    std::ranges::fill(times, std::uint16_t{0});
    const std::uint64_t count = times.size();
    constexpr std::uint64_t halves = std::uint64_t{1} << 32;
    if (count >= halves) {
        for (std::uint64_t i = 0; i < count; ++i) ++times[rng.below(count)];
        return;
    }
    const std::uint64_t rejected = halves % count;
    for (std::uint64_t left = count; left > 0;) {
        std::uint64_t bits = rng.next();
        for (int half = 0; half < 2 && left > 0; ++half, bits >>= 32) {
            const std::uint64_t product = (bits % halves) * count;
            if (product % halves < rejected) continue;
            ++times[product / halves];
            --left;
        }
    }
}

Matrix bootstrap(std::span<const RowTerms> estimates, std::span<const std::size_t> group,
                 const BootstrapOptions& options, const Progress& progress) {
    if (options.draws < 1) throw usage_error("a bootstrap needs at least 1 draw, not 0");
    std::vector<RowTerms> units;  // groups, or rows
    for (const RowTerms& terms : estimates) {
        units.push_back(summed_by_group(terms, group));
        if (units.back().rows() != units.front().rows())
            throw usage_error(
                fmt::format("estimates that are bootstrapped together must have the same number of rows, not {} and {}",
                            units.front().rows(), units.back().rows()));
    }
    Matrix values(static_cast<Eigen::Index>(options.draws), static_cast<Eigen::Index>(units.size()));
    if (units.empty()) return values;
    const std::size_t count = units.front().rows();
    if (count == 0) throw data_error("there are no rows to evaluate");
    SummedColumns columns;
    std::vector<std::pair<std::size_t, std::size_t>> ratios;  // columns of numerator and denominator
    for (const RowTerms& terms : units)
        ratios.emplace_back(columns.add(terms.numerator), columns.add(terms.denominator));
    const std::size_t tasks = (options.draws + draws_per_task - 1) / draws_per_task;
    parallel_for(tasks, options.threads, [&](std::size_t task) {
        DrawnTimes times(count);
        const std::size_t end = std::min(options.draws, (task + 1) * draws_per_task);
        for (std::size_t draw = task * draws_per_task; draw < end; ++draw) {
            report(progress, 1, "drawing samples");
            draw_units(Rng(options.seed, Draw::bootstrap, draw), times);
            const std::vector<double> sums = columns.sums(times);
            for (std::size_t e = 0; e < ratios.size(); ++e)
                values(static_cast<Eigen::Index>(draw), static_cast<Eigen::Index>(e)) =
                    sums[ratios[e].second] == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                : sums[ratios[e].first] / sums[ratios[e].second];
        }
    });
    return values;
}

}  // namespace polyrx

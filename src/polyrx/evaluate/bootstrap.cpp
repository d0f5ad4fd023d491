// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/bootstrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/rng.hpp"

namespace polyrx {
namespace {

constexpr std::size_t draws_per_task = 16;  // they share the memory for how often each unit was drawn

// How often each unit was drawn. No unit of more than 65,535 is drawn as often as that before the sun goes out, and the
// counts of 100,000 units stay in a core's own cache.
using Times = std::vector<std::uint16_t>;

// As many units as there are, drawn with replacement: what takes the time of a bootstrap. Where 32 bits can number the
// units, each random number is good for two of them (Lemire 2019, as Rng::below, and as unbiased).
void draw_units(Rng rng, Times& times) {
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

// Several sums side by side, in an order that is the same everywhere: what one sum would do is wait for each addition.
double weighted_sum(const Times& times, std::span<const double> values) {
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sums{};
    std::size_t i = 0;
    for (; i + lanes <= values.size(); i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += times[i + lane] * values[i + lane];
    for (std::size_t lane = 0; i < values.size(); ++i, ++lane) sums[lane] += times[i] * values[i];
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

}  // namespace

Matrix bootstrap(std::span<const RowTerms> estimates, std::span<const std::size_t> group,
                 const BootstrapOptions& options) {
    if (options.draws < 1) throw usage_error("a bootstrap needs at least 1 draw, not 0");
    std::vector<RowTerms> units;  // groups, or rows
    for (const RowTerms& terms : estimates) {
        units.push_back(summed_by_group(terms, group));
        if (units.back().rows() != units.front().rows())
            throw usage_error(
                fmt::format("a bootstrap of estimates together needs the same rows for each, not {} and {}",
                            units.front().rows(), units.back().rows()));
    }
    Matrix values(static_cast<Eigen::Index>(options.draws), static_cast<Eigen::Index>(units.size()));
    if (units.empty()) return values;
    const std::size_t count = units.front().rows();
    if (count == 0) throw data_error("there are no rows to evaluate");
    const std::size_t tasks = (options.draws + draws_per_task - 1) / draws_per_task;
    parallel_for(tasks, options.threads, [&](std::size_t task) {
        Times times(count);
        const std::size_t end = std::min(options.draws, (task + 1) * draws_per_task);
        for (std::size_t draw = task * draws_per_task; draw < end; ++draw) {
            draw_units(Rng(options.seed, Draw::bootstrap, draw), times);
            for (std::size_t e = 0; e < units.size(); ++e) {
                const double denominator = weighted_sum(times, units[e].denominator);
                values(static_cast<Eigen::Index>(draw), static_cast<Eigen::Index>(e)) =
                    denominator == 0 ? std::numeric_limits<double>::quiet_NaN()
                                     : weighted_sum(times, units[e].numerator) / denominator;
            }
        }
    });
    return values;
}

}  // namespace polyrx

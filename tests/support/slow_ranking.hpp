// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twin of RATE and Qini: every share's mean from its rows alone.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "polyrx/core/rng.hpp"

namespace polyrx::test {

struct SlowRate {
    double autoc = 0;
    double qini = 0;
};

// Rows come in the given order, the one that is treated first in front.
inline SlowRate slow_rate_in_order(const std::vector<std::size_t>& order, const std::vector<double>& gain,
                                   const std::vector<double>& weight) {
    double all = 0;
    double total = 0;
    for (const std::size_t row : order) {
        all += weight[row] * gain[row];
        total += weight[row];
    }
    SlowRate rate;
    for (std::size_t j = 0; j < order.size(); ++j) {
        double top = 0;
        double share = 0;
        for (std::size_t i = 0; i <= j; ++i) {
            top += weight[order[i]] * gain[order[i]];
            share += weight[order[i]];
        }
        const double toc = top / share - all / total;
        rate.autoc += weight[order[j]] / total * toc;
        rate.qini += weight[order[j]] / total * share / total * toc;
    }
    return rate;
}

inline std::vector<std::size_t> by_priority(const std::vector<double>& priority) {
    std::vector<std::size_t> order(priority.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return priority[a] > priority[b]; });
    return order;
}

inline SlowRate slow_rate(const std::vector<double>& priority, const std::vector<double>& gain,
                          const std::vector<double>& weight) {
    return slow_rate_in_order(by_priority(priority), gain, weight);
}

// The mean over all orders that the priorities allow. For a few rows only.
inline SlowRate slow_rate_of_ties(const std::vector<double>& priority, const std::vector<double>& gain) {
    const std::vector<double> weight(priority.size(), 1);
    std::vector<std::size_t> order(priority.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    SlowRate mean;
    double orders = 0;
    do {
        const auto falls = [&](std::size_t a, std::size_t b) { return priority[a] > priority[b]; };
        if (!std::ranges::is_sorted(order, falls)) continue;
        const SlowRate rate = slow_rate_in_order(order, gain, weight);
        mean.autoc += rate.autoc;
        mean.qini += rate.qini;
        ++orders;
    } while (std::ranges::next_permutation(order).found);
    return {mean.autoc / orders, mean.qini / orders};
}

// Standard errors as grf has them: the spread over random halves of the rows.
inline SlowRate half_sample_errors(Rng& rng, const std::vector<double>& priority, const std::vector<double>& gain,
                                   std::size_t draws) {
    std::vector<std::size_t> rows(priority.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::vector<SlowRate> drawn;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        rng.shuffle(std::span(rows));
        std::vector<double> half_priority;
        std::vector<double> half_gain;
        for (std::size_t i = 0; i < rows.size() / 2; ++i) {
            half_priority.push_back(priority[rows[i]]);
            half_gain.push_back(gain[rows[i]]);
        }
        drawn.push_back(slow_rate(half_priority, half_gain, std::vector<double>(half_gain.size(), 1)));
    }
    const auto spread = [&](double SlowRate::* member) {
        double sum = 0;
        for (const SlowRate& rate : drawn) sum += rate.*member;
        const double mean = sum / static_cast<double>(draws);
        double squares = 0;
        for (const SlowRate& rate : drawn) squares += (rate.*member - mean) * (rate.*member - mean);
        return std::sqrt(squares / static_cast<double>(draws - 1));
    };
    return {spread(&SlowRate::autoc), spread(&SlowRate::qini)};
}

}  // namespace polyrx::test

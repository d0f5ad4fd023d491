// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/propensity_check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polyrx/core/every_row.hpp"
#include "polyrx/evaluate/balance.hpp"

namespace polyrx {
namespace {

constexpr double ends[] = {0, 0.02, 0.05, 0.1, 0.2};
constexpr std::size_t least_rows = 30;
constexpr double beyond_chance = 3;  // standard errors
constexpr std::size_t fifths = 5;

// Rows by propensity of a treatment, in five parts of as many.
std::vector<std::vector<std::size_t>> parts_by_propensity(const Matrix& propensities, int k) {
    std::vector<std::size_t> order(static_cast<std::size_t>(propensities.rows()));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [&](std::size_t row) { return propensities(static_cast<Eigen::Index>(row), k); });
    std::vector<std::vector<std::size_t>> parts(fifths);
    for (std::size_t place = 0; place < order.size(); ++place)
        parts[place * fifths / order.size()].push_back(order[place]);
    return parts;
}

struct Spread {
    double mean = 0;
    double deviation = 0;
};

// Of one input, among some of the rows.
Spread spread_of(const Matrix& encoded, std::span<const std::size_t> rows, Eigen::Index column) {
    Spread spread;
    const auto count = static_cast<double>(rows.size());
    for (const std::size_t row : rows) spread.mean += encoded(static_cast<Eigen::Index>(row), column) / count;
    double squares = 0;
    for (const std::size_t row : rows)
        squares += std::pow(encoded(static_cast<Eigen::Index>(row), column) - spread.mean, 2) / count;
    spread.deviation = std::sqrt(squares);
    return spread;
}

}  // namespace

std::vector<LowPropensities> low_propensities(const Matrix& propensities, std::span<const int> treatment) {
    std::vector<LowPropensities> result;
    for (int k = 0; k < static_cast<int>(propensities.cols()); ++k)
        for (std::size_t bin = 0; bin + 1 < std::size(ends); ++bin) {
            LowPropensities low{k, ends[bin], ends[bin + 1]};
            double variance = 0;
            for (std::size_t i = 0; i < treatment.size(); ++i) {
                const double p = propensities(static_cast<Eigen::Index>(i), k);
                if (p < low.from || p >= low.to) continue;
                ++low.rows;
                low.predicted += p;
                low.observed += treatment[i] == k ? 1 : 0;
                variance += p * (1 - p);
            }
            if (low.rows < least_rows) continue;
            low.too_high = low.predicted - low.observed > beyond_chance * std::sqrt(variance);
            low.predicted /= static_cast<double>(low.rows);
            low.observed /= static_cast<double>(low.rows);
            result.push_back(low);
        }
    return result;
}

BalanceWithinBins balance_within_bins(const Matrix& encoded, std::span<const int> treatment,
                                      const Matrix& propensities) {
    BalanceWithinBins result;
    const std::vector<std::size_t> everyone = every_row(treatment.size());
    Vector deviation(encoded.cols());
    for (Eigen::Index c = 0; c < encoded.cols(); ++c) deviation[c] = spread_of(encoded, everyone, c).deviation;
    for (int k = 0; k < static_cast<int>(propensities.cols()); ++k) {
        const auto parts = parts_by_propensity(propensities, k);
        for (std::size_t fifth = 0; fifth < parts.size(); ++fifth) {
            std::vector<std::size_t> received;
            for (const std::size_t row : parts[fifth])
                if (treatment[row] == k) received.push_back(row);
            if (received.size() < least_rows) continue;
            for (Eigen::Index c = 0; c < encoded.cols(); ++c) {
                if (!(deviation[c] > 0)) continue;
                const Spread all = spread_of(encoded, parts[fifth], c);
                const double difference = (spread_of(encoded, received, c).mean - all.mean) / deviation[c];
                // Of a sample without replacement of the rows of this part.
                const double share = static_cast<double>(received.size()) / static_cast<double>(parts[fifth].size());
                const double chance =
                    all.deviation / deviation[c] * std::sqrt((1 - share) / static_cast<double>(received.size()));
                ++result.checked;
                if (std::abs(difference) <= notable_difference + beyond_chance * chance) continue;
                ++result.notable;
                if (!result.largest || std::abs(difference) > std::abs(result.largest->difference))
                    result.largest = BinBalance{static_cast<std::size_t>(c), k, static_cast<int>(fifth), difference};
            }
        }
    }
    return result;
}

}  // namespace polyrx

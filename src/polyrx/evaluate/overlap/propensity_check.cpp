// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/overlap/propensity_check.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/core/every_row.hpp"
#include "polyrx/evaluate/overlap/balance.hpp"
#include "polyrx/statistics/effective_rows.hpp"
#include "polyrx/statistics/normal_quantile.hpp"

namespace polyrx {
namespace {

constexpr double ends[] = {0, 0.02, 0.05, 0.1, 0.2};
constexpr std::size_t least_rows = 30;
constexpr double beyond_chance = 3;  // standard errors
constexpr double too_rare =
    0.00135;  // probability of a count this low: the one-sided tail beyond three standard errors
constexpr std::size_t fifths = 5;

// Row weights; 1 if there are none.
class Weights {
public:
    explicit Weights(std::span<const double> weight) : weight_(weight) {}
    [[nodiscard]] double operator[](std::size_t row) const { return weight_.empty() ? 1 : weight_[row]; }
    [[nodiscard]] double sum(std::span<const std::size_t> rows) const {
        double total = 0;
        for (const std::size_t row : rows) total += (*this)[row];
        return total;
    }

private:
    std::span<const double> weight_;
};

// Quintiles of the rows by the propensity of a treatment.
std::vector<std::vector<std::size_t>> parts_by_propensity(const Matrix& propensities, int k,
                                                          std::vector<std::size_t> order) {
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

// Mean and deviation of one input over some rows.
Spread spread_of(const Matrix& encoded, std::span<const std::size_t> rows, Eigen::Index column,
                 const Weights& weights) {
    Spread spread;
    const double total = weights.sum(rows);
    for (const std::size_t row : rows)
        spread.mean += weights[row] * encoded(static_cast<Eigen::Index>(row), column) / total;
    double squares = 0;
    for (const std::size_t row : rows)
        squares += weights[row] * std::pow(encoded(static_cast<Eigen::Index>(row), column) - spread.mean, 2) / total;
    spread.deviation = std::sqrt(squares);
    return spread;
}

// The probability of a sum of at most `observed`, given its mean `expected` and variance: that of a Poisson count in
// units of variance / expected. The unit is about 1 without weights and for low propensities. A normal approximation
// would never consider 0 of 6 too few.
double poisson_at_most(double observed, double expected, double variance) {
    if (!(expected > 0 && variance > 0)) return 1;
    const double unit = variance / expected;
    const double mean = expected / unit;
    constexpr double is_normal = 100;
    if (mean > is_normal) return normal_upper_tail((mean - observed / unit) / std::sqrt(mean));
    double term = std::exp(-mean);
    double sum = term;
    for (int count = 1; count <= observed / unit; ++count) sum += term *= mean / count;
    return sum;
}

}  // namespace

std::vector<LowPropensities> low_propensities(const Matrix& propensities, std::span<const int> treatment,
                                              std::span<const double> weight) {
    const Weights weights(weight);
    std::vector<LowPropensities> result;
    for (int k = 0; k < static_cast<int>(propensities.cols()); ++k)
        for (std::size_t bin = 0; bin + 1 < std::size(ends); ++bin) {
            LowPropensities low{k, ends[bin], ends[bin + 1]};
            double total = 0;
            double variance = 0;
            for (std::size_t i = 0; i < treatment.size(); ++i) {
                const double p = propensities(static_cast<Eigen::Index>(i), k);
                const double w = weights[i];
                if (p < low.from || p >= low.to || w == 0) continue;
                ++low.rows;
                total += w;
                low.predicted += w * p;
                low.observed += treatment[i] == k ? w : 0;
                variance += w * w * (p * (1 - p));
            }
            if (low.rows < least_rows) continue;
            low.too_high = poisson_at_most(low.observed, low.predicted, variance) < too_rare;
            low.predicted /= total;
            low.observed /= total;
            result.push_back(low);
        }
    return result;
}

BalanceWithinBins balance_within_bins(const Matrix& encoded, std::span<const int> treatment, const Matrix& propensities,
                                      std::span<const double> weight) {
    BalanceWithinBins result;
    const Weights weights(weight);
    std::vector<std::size_t> everyone = every_row(treatment.size());
    std::erase_if(everyone, [&](std::size_t row) { return weights[row] == 0; });
    Vector deviation(encoded.cols());
    for (Eigen::Index c = 0; c < encoded.cols(); ++c) deviation[c] = spread_of(encoded, everyone, c, weights).deviation;
    for (int k = 0; k < static_cast<int>(propensities.cols()); ++k) {
        const auto parts = parts_by_propensity(propensities, k, everyone);
        for (std::size_t fifth = 0; fifth < parts.size(); ++fifth) {
            std::vector<std::size_t> received;
            for (const std::size_t row : parts[fifth])
                if (treatment[row] == k) received.push_back(row);
            if (received.size() < least_rows) continue;
            EffectiveRows effective;
            for (const std::size_t row : received) effective.add(weights[row]);
            const double share = weights.sum(received) / weights.sum(parts[fifth]);
            for (Eigen::Index c = 0; c < encoded.cols(); ++c) {
                if (!(deviation[c] > 0)) continue;
                const Spread all = spread_of(encoded, parts[fifth], c, weights);
                const double difference = (spread_of(encoded, received, c, weights).mean - all.mean) / deviation[c];
                // Standard error of a sample of rows without replacement.
                const double chance = all.deviation / deviation[c] * std::sqrt((1 - share) / effective.count());
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

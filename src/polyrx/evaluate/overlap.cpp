// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// Kish (1965): how many rows of equal weight would have a mean as sure as that of these.
class EffectiveRows {
public:
    void add(double weight) {
        sum_ += weight;
        squares_ += weight * weight;
    }
    [[nodiscard]] double count() const { return squares_ > 0 ? sum_ * sum_ / squares_ : 0; }

private:
    double sum_ = 0;
    double squares_ = 0;
};

std::size_t bin_of(double propensity) {
    const double place = std::ceil(propensity * propensity_bins) - 1;
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(propensity_bins - 1)));
}

TreatmentOverlap overlap_of_treatment(const ScoredRows& rows, int k, const OverlapOptions& options) {
    constexpr std::size_t shown = 5;
    TreatmentOverlap overlap;
    EffectiveRows effective;
    double rare = 0;
    double total = 0;
    std::vector<double> propensities;
    propensities.reserve(rows.rows());
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        const double propensity = rows.propensity(row, k);
        const double weight = rows.sampling.weight_of(row);
        propensities.push_back(propensity);
        total += weight;
        if (propensity < options.rare) rare += weight;
        if (rows.prescriptions[row] == k) ++overlap.prescribed;
        ++overlap.all_rows[bin_of(propensity)];
        if (rows.treatment[row] != k) continue;
        ++overlap.received;
        ++overlap.received_rows[bin_of(propensity)];
        overlap.smallest_received = std::min(overlap.smallest_received.value_or(1), propensity);
        effective.add(weight / std::max(propensity, options.least_propensity));
    }
    overlap.smallest.resize(std::min(shown, propensities.size()));
    std::ranges::partial_sort_copy(propensities, overlap.smallest);
    overlap.rare_share = rare / total;
    overlap.effective_rows = effective.count();
    return overlap;
}

void judge(Overlap& overlap) {
    const auto say = [&](OverlapVerdict verdict, const std::string& why) {
        overlap.verdict = verdict;
        overlap.words = why.empty() ? std::string(name_of(verdict)) : fmt::format("{}: {}", name_of(verdict), why);
    };
    if (overlap.matched == 0) {
        say(OverlapVerdict::not_answerable, "no row received what was prescribed");
    } else if (overlap.effective_rows < Overlap::least_effective_rows) {
        say(OverlapVerdict::not_answerable,
            fmt::format("the rows that received what was prescribed count as {:.1f}, and at least {} are needed",
                        overlap.effective_rows, Overlap::least_effective_rows));
    } else if (overlap.extrapolated_share > Overlap::most_extrapolated) {
        say(OverlapVerdict::weak,
            fmt::format("{:.0f} % of rows rely on extrapolation", 100 * overlap.extrapolated_share));
    } else if (overlap.some_rare_share > Overlap::most_rare) {
        say(OverlapVerdict::weak,
            fmt::format("the prescriptions are supported, but for {:.0f} % of rows some treatment is not",
                        100 * overlap.some_rare_share));
    } else {
        say(OverlapVerdict::supported, "");
    }
}

}  // namespace

std::string_view name_of(OverlapVerdict verdict) {
    switch (verdict) {
        case OverlapVerdict::supported:
            return "supported";
        case OverlapVerdict::weak:
            return "weak overlap";
        case OverlapVerdict::not_answerable:
            return "not answerable";
    }
    return "unknown";
}

Overlap overlap_of(const ScoredRows& rows, const OverlapOptions& options) {
    check_scored(rows);
    check_least_propensity(options.least_propensity);
    if (!(options.rare > 0 && options.rare < 1))
        throw usage_error(fmt::format("the propensity that is rare must be above 0 and below 1, not {}", options.rare));
    Overlap overlap;
    for (int k = 0; k < rows.treatments(); ++k) overlap.treatments.push_back(overlap_of_treatment(rows, k, options));
    EffectiveRows effective;
    double extrapolated = 0;
    double some_rare = 0;
    double total = 0;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        const double propensity = rows.propensity(row, rows.prescriptions[row]);
        const double weight = rows.sampling.weight_of(row);
        total += weight;
        if (propensity < options.rare) extrapolated += weight;
        if (rows.propensities.row(static_cast<Eigen::Index>(row)).minCoeff() < options.rare) some_rare += weight;
        if (!rows.matched(row)) continue;
        ++overlap.matched;
        effective.add(weight / std::max(propensity, options.least_propensity));
    }
    overlap.effective_rows = effective.count();
    overlap.extrapolated_share = extrapolated / total;
    overlap.some_rare_share = some_rare / total;
    judge(overlap);
    return overlap;
}

}  // namespace polyrx

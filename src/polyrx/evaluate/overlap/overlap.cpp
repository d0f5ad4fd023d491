// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/overlap/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/nuisance/propensities.hpp"

namespace polyrx {
namespace {

std::size_t bin_of(double propensity) {
    const double place = std::ceil(propensity * propensity_bins) - 1;
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(propensity_bins - 1)));
}

TreatmentOverlap overlap_of_treatment(const ScoredRows& rows, int k) {
    constexpr std::size_t shown = 5;
    TreatmentOverlap overlap;
    EffectiveRows effective;
    double unsupported = 0;
    double total = 0;
    std::vector<double> propensities;
    propensities.reserve(rows.rows());
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        const double propensity = rows.propensity(row, k);
        const double weight = rows.sampling.weight_of(row);
        propensities.push_back(propensity);
        total += weight;
        if (!rows.is_supported(row, k)) unsupported += weight;
        if (rows.prescriptions[row] == k) ++overlap.prescribed;
        ++overlap.all_rows[bin_of(propensity)];
        if (rows.treatment[row] != k) continue;
        ++overlap.received;
        ++overlap.received_rows[bin_of(propensity)];
        overlap.smallest_received = std::min(overlap.smallest_received.value_or(1), propensity);
        if (rows.is_supported(row, k)) effective.add(rows.inverse_weight(row, k));
    }
    overlap.smallest.resize(std::min(shown, propensities.size()));
    std::ranges::partial_sort_copy(propensities, overlap.smallest);
    overlap.unsupported_share = unsupported / total;
    overlap.effective_rows = effective.count();
    return overlap;
}

void judge(Overlap& overlap, double needed_rows) {
    const auto say = [&](OverlapVerdict verdict, const std::string& why) {
        overlap.verdict = verdict;
        overlap.words = why.empty() ? std::string(name_of(verdict)) : fmt::format("{}: {}", name_of(verdict), why);
    };
    if (overlap.matched == 0) {
        say(OverlapVerdict::not_answerable, "no row received what was prescribed");
    } else if (overlap.effective_rows == 0) {
        say(OverlapVerdict::not_answerable, "no prescription that a row received is supported");
    } else if (overlap.effective_rows < needed_rows) {
        say(OverlapVerdict::not_answerable,
            fmt::format("too few rows: effective sample size {:.1f}; at least {} are needed", overlap.effective_rows,
                        needed_rows));
    } else if (overlap.unsupported_share > Overlap::most_unsupported) {
        say(OverlapVerdict::weak,
            fmt::format("{:.0f} % of prescriptions are not supported", 100 * overlap.unsupported_share));
    } else if (overlap.some_unsupported_share > Overlap::most_without_some) {
        say(OverlapVerdict::weak,
            fmt::format("for {:.0f} % of rows some treatment is not supported", 100 * overlap.some_unsupported_share));
    } else {
        say(OverlapVerdict::supported,
            overlap.unsupported == 0
                ? std::string()
                : fmt::format("all but {:.1f} % of prescriptions; these are bounded", 100 * overlap.unsupported_share));
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

Overlap overlap_of(const ScoredRows& rows) {
    check_scored(rows);
    check_least_propensity(rows.least_propensity);
    const TreatmentSet everything = all_treatments(static_cast<std::size_t>(rows.treatments()));
    Overlap overlap;
    for (int k = 0; k < rows.treatments(); ++k) overlap.treatments.push_back(overlap_of_treatment(rows, k));
    EffectiveRows effective;
    double unsupported = 0;
    double some_unsupported = 0;
    double total = 0;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        const int prescribed = rows.prescriptions[row];
        const bool supported = rows.is_supported(row, prescribed);
        const double weight = rows.sampling.weight_of(row);
        total += weight;
        if (!supported) {
            ++overlap.unsupported;
            unsupported += weight;
        }
        if (!rows.supported.empty() && rows.supported[row] != everything) some_unsupported += weight;
        if (!rows.matched(row)) continue;
        ++overlap.matched;
        if (supported) effective.add(rows.inverse_weight(row, prescribed));
    }
    overlap.effective_rows = effective.count();
    overlap.unsupported_share = unsupported / total;
    overlap.some_unsupported_share = some_unsupported / total;
    judge(overlap, rows.needed_rows);
    return overlap;
}

}  // namespace polyrx

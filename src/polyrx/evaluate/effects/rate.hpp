// SPDX-License-Identifier: Apache-2.0
// How well a ranking finds the rows that gain most from a treatment: RATE and the Qini curve (Yadlowsky et al. 2021).
#pragma once

#include <span>
#include <vector>

#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

struct QiniPoint {
    double share = 0;   // weighted share of rows that are treated, in order of priority
    double gain = 0;    // mean over all rows of the gain from treating them
    double random = 0;  // the same for an equally large random share
};

// TOC(u) is the mean gain from treatment 1 over treatment 0 in the share u of rows with the highest priority, minus the
// mean gain of all rows. It is doubly robust, in units of the outcome, positive if better. Ties are averaged over their
// orders.
struct RankedGain {
    MeanEstimate autoc;                 // mean of TOC(u) over u; emphasizes the highest priorities
    MeanEstimate qini;                  // mean of u TOC(u)
    std::vector<QiniPoint> qini_curve;  // at shares 0, 0.01, .., 1
};

// `priority` is high for rows that should receive treatment 1 first, such as the gain predicted by a model that was not
// fitted on these rows. Standard errors are those of the infinitesimal jackknife, including the effect of rows on
// ranks. Unlike the half-sample bootstrap, it is not random. Throws a usage error unless there are two treatments.
[[nodiscard]] RankedGain ranked_gain(const ScoredRows& rows, std::span<const double> priority, double level = 0.95);

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Does a ranking find those who gain most from a treatment? RATE and the Qini curve (Yadlowsky et al. 2021).
#pragma once

#include <span>
#include <vector>

#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

struct QiniPoint {
    double share = 0;   // of all rows' weight, treated: those of highest priority
    double gain = 0;    // mean over all rows, of treating these rather than nobody
    double random = 0;  // the same of treating as many at random
};

// TOC(u) is how much more than all rows those of the highest priority, a share u of them, gain from treatment 1 rather
// than 0; doubly robust, in units of the outcome, positive if better. Rows of equal priority come in the average order.
struct RankedGain {
    MeanEstimate autoc;                 // the mean of TOC(u) over u: rewards who is found first
    MeanEstimate qini;                  // the mean of u TOC(u)
    std::vector<QiniPoint> qini_curve;  // at shares 0, 0.01, .., 1
};

// `priority` is high for rows that should have treatment 1 first: a predicted gain, of a model that has not seen these
// rows. Standard errors are those of the infinitesimal jackknife, in which the ranks move with the rows: no draws, and
// unlike the half-sample bootstrap it is the same each time. Throws a usage error unless there are two treatments.
[[nodiscard]] RankedGain ranked_gain(const ScoredRows& rows, std::span<const double> priority, double level = 0.95);

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Are predicted differences between two treatments what they come to? Predicted against doubly robust contrasts.
#pragma once

#include <span>
#include <vector>

#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

// Outcome of `first` minus outcome of `second`, in the user's units and direction.
struct Contrast {
    int first = 1;
    int second = 0;
    std::span<const double> predicted;  // by row, of a model that has not seen these rows
};

struct CalibrationGroup {
    std::size_t rows = 0;
    double lowest = 0;  // predicted
    double highest = 0;
    double predicted = 0;  // the mean
    // The doubly robust mean; not estimable where fewer than ScoredRows::needed_rows effective rows received either
    // treatment.
    MeanEstimate estimated;
};

struct Calibration {
    // From the lowest predictions to the highest, about as many rows in each. Equal predictions are never parted, so
    // there may be fewer than were asked for. Intervals are of all groups at once.
    std::vector<CalibrationGroup> groups;
    double predicted = 0;    // mean over all rows
    MeanEstimate estimated;  // mean over all rows
    // Of the best linear predictor, doubly robust = a + slope * predicted (Chernozhukov et al. 2018): 1 if differences
    // between rows are as large as predicted, 0 if the prediction does not tell rows apart.
    MeanEstimate slope;
};

// Throws a usage error for treatments that do not exist or are the same, and for fewer than 1 group.
[[nodiscard]] Calibration calibrate_contrast(const ScoredRows& rows, const Contrast& contrast, std::size_t groups = 5,
                                             double level = 0.95);

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Calibration of predicted differences between two treatments: predicted against doubly robust contrasts.
#pragma once

#include <span>
#include <vector>

#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

// The outcome under `first` minus the outcome under `second`, in the user's units and direction.
struct Contrast {
    int first = 1;
    int second = 0;
    std::span<const double> predicted;  // by row, from a model that was not fitted on these rows
};

struct CalibrationGroup {
    std::size_t rows = 0;
    double lowest = 0;  // smallest prediction
    double highest = 0;
    double predicted = 0;  // mean prediction
    // The doubly robust mean. Not estimable if fewer than ScoredRows::needed_rows effective rows received one of the
    // treatments.
    MeanEstimate estimated;
};

struct Calibration {
    // Groups of about equal size, in ascending order of the prediction. Equal predictions stay in one group, so there
    // may be fewer groups than requested. Intervals are simultaneous.
    std::vector<CalibrationGroup> groups;
    double predicted = 0;    // mean over all rows
    MeanEstimate estimated;  // mean over all rows
    // Slope of the best linear predictor, doubly robust = a + slope * predicted (Chernozhukov et al. 2018). It is 1 if
    // differences between rows are as large as predicted, and 0 if the prediction carries no information.
    MeanEstimate slope;
};

// Throws a usage error for unknown or equal treatments and for fewer than 1 group.
[[nodiscard]] Calibration calibrate_contrast(const ScoredRows& rows, const Contrast& contrast, std::size_t groups = 5,
                                             double level = 0.95);

}  // namespace polyrx

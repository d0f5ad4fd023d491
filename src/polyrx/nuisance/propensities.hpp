// SPDX-License-Identifier: Apache-2.0
// Propensities: known, or predicted by the model that predicts held-out rows best.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

class SecondOrderInputs;
struct BinnedRows;

enum class PropensityModel {
    logistic,
    forest,
    constant,          // the share of each treatment: in a stack only
    second_order,      // logistic regression with squares and products: in a stack only
    shallow_boosting,  // in a stack only
    boosting,          // in a stack only
    stack,             // all of these combined: see stacked_propensities.hpp
};

[[nodiscard]] std::string_view name_of(PropensityModel model);

struct PropensityOptions {
    // None: logistic regression or a forest, whichever has the lower log-loss.
    std::optional<PropensityModel> model = {};
    bool calibrate = true;  // if that lowers the log-loss
    int trees = 100;
    // The rows of a leaf estimate a propensity, so a leaf needs enough of them.
    std::size_t leaf_rows = 20;
};

// A model and its log-losses on rows that neither the model nor its calibration was fitted on.
struct PropensityTrial {
    PropensityModel model = PropensityModel::logistic;
    double log_loss = 0;
    double calibrated_log_loss = 0;
    double weight = 0;  // in a stack
};

struct PropensityFit {
    Matrix propensities;  // of the held-out rows
    PropensityModel model = PropensityModel::logistic;
    bool calibrated = false;
    std::vector<PropensityTrial> trials = {};  // empty if there was no choice
};

// The rows that a propensity model is fitted on and predicts: some rows of a study, numbered by place.
struct PropensityRows {
    const TreatedRows& study;
    std::span<const std::size_t> rows;            // of the study
    const Matrix& inputs;                         // of these rows, from linear_inputs()
    std::span<const std::size_t> group = {};      // of these rows; empty without groups
    const BinnedRows* binned = nullptr;           // of all rows of the study, for a stack
    const SecondOrderInputs* products = nullptr;  // of these rows, for a stack
};

// Random streams, so that no two forests use the same numbers, and the number of threads.
struct PropensityDraws {
    std::uint64_t seed = 1;
    std::uint64_t stream = 1;        // of the final forest
    std::uint64_t trial_stream = 2;  // the first of `propensity_trial_folds` streams for model selection
    int threads = 1;
};

inline constexpr std::size_t propensity_trial_folds = 3;

// Fits on the kept places and predicts the held-out ones. All choices use the kept rows only, so the treatments of
// held-out rows affect nothing. Each model predicts the kept rows by cross-fitting, or by the out-of-bag trees of a
// forest (bag_will_do()). These predictions fit the calibration. Their log-loss selects the model and decides for or
// against its calibration, which can do harm with few rows. In case of ties, the first is chosen: logistic regression
// without calibration.
[[nodiscard]] PropensityFit fit_propensities(const PropensityRows& rows, std::span<const std::size_t> kept,
                                             std::span<const std::size_t> held_out, const PropensityOptions& options,
                                             const PropensityDraws& draws, const Progress& progress = {});

// Throws a data error unless there is one column per treatment and one row per row of the study, with numbers from 0 to
// 1 that sum to 1 within 1e-6. `labels` name the treatments; if empty, messages use their numbers.
void check_known_propensities(const Matrix& propensities, std::size_t rows, int treatments,
                              std::span<const std::string> labels = {});

// The label of a treatment, or its number without labels.
[[nodiscard]] std::string treatment_name(std::span<const std::string> labels, int treatment);

// Throws a usage error unless `least` is above 0 and at most 1.
void check_least_propensity(double least);

}  // namespace polyrx

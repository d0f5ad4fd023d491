// SPDX-License-Identifier: Apache-2.0
// How likely each treatment was for each row: known, or learned from other rows, by the model that predicts best.
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
    second_order,      // logistic regression on squares and products too: in a stack only
    shallow_boosting,  // in a stack only
    boosting,          // in a stack only
    stack,             // all of these together: see stacked_propensities.hpp
};

[[nodiscard]] std::string_view name_of(PropensityModel model);

struct PropensityOptions {
    // None: logistic regression or a forest, whichever has the lower log-loss.
    std::optional<PropensityModel> model = {};
    bool calibrate = true;  // where that lowers the log-loss
    int trees = 100;
    // Whoever else is in a leaf says how likely a treatment is, so that must be some.
    std::size_t leaf_rows = 20;
};

// One way to predict propensities, and its log-losses of rows that neither the model nor its calibration saw.
struct PropensityTrial {
    PropensityModel model = PropensityModel::logistic;
    double log_loss = 0;
    double calibrated_log_loss = 0;
    double weight = 0;  // in a stack
};

struct PropensityFit {
    Matrix propensities;  // of the rows that were held out
    PropensityModel model = PropensityModel::logistic;
    bool calibrated = false;
    std::vector<PropensityTrial> trials = {};  // empty where there was nothing to choose
};

// The rows that a model of propensities learns from and predicts: some of a study, called by their places among them.
struct PropensityRows {
    const TreatedRows& study;
    std::span<const std::size_t> rows;            // of the study
    const Matrix& inputs;                         // of these rows, as linear_inputs() makes them
    std::span<const std::size_t> group = {};      // of these rows; empty where each is on its own
    const BinnedRows* binned = nullptr;           // of all rows of the study, for a stack
    const SecondOrderInputs* products = nullptr;  // of these rows, for a stack
};

// Which random numbers to use, so that no two forests draw the same, and how many threads.
struct PropensityDraws {
    std::uint64_t seed = 1;
    std::uint64_t stream = 1;        // of the forest that predicts
    std::uint64_t trial_stream = 2;  // the first of `propensity_trial_folds` that help to choose
    int threads = 1;
};

inline constexpr std::size_t propensity_trial_folds = 3;

// Learns from the kept places and predicts the others. Everything is decided among the kept rows: each model predicts
// those without having seen them (from other folds of them; a forest, where that will do, by those of its trees that
// did not see a row), those predictions calibrate it, and their log-loss decides for a model and for or against its
// calibration, which with few rows may well do harm. So the treatments of held-out rows have no say, not even in the
// choice. Of equal ones the first: logistic regression, not calibrated.
[[nodiscard]] PropensityFit fit_propensities(const PropensityRows& rows, std::span<const std::size_t> kept,
                                             std::span<const std::size_t> held_out, const PropensityOptions& options,
                                             const PropensityDraws& draws, const Progress& progress = {});

// Throws a data error unless there is one column for each treatment, and one row for each of the study, with numbers
// from 0 to 1 that sum to 1 up to 1e-6. `labels` name the treatments; without any they are named by number.
void check_known_propensities(const Matrix& propensities, std::size_t rows, int treatments,
                              std::span<const std::string> labels = {});

// The label of a treatment, or its number where there are none.
[[nodiscard]] std::string treatment_name(std::span<const std::string> labels, int treatment);

// Throws a usage error unless it is above 0 and at most 1.
void check_least_propensity(double least);

}  // namespace polyrx

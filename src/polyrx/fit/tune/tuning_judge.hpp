// SPDX-License-Identifier: Apache-2.0
// Evaluates predicted outcomes on held-out rows, without the truth.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/statistics/mean_estimate.hpp"
#include "polyrx/study/splits/split.hpp"
#include "polyrx/study/treated_rows.hpp"

namespace polyrx {

// With received treatment t, outcome y, predictions f_k, propensities e_k, and doubly robust scores G_k:
enum class TuningCriterion {
    weighted_error,  // (y - f_t)^2 / max(e_t, least): all treatments count equally on all kinds of rows
    error,           // (y - f_t)^2: common treatments dominate
    contrast,        // sum_k [(G_k - mean G) - (f_k - mean f)]^2: only differences between treatments count
    value,           // G of the allowed treatment with the best f: the value of the policy
};

[[nodiscard]] std::string_view name_of(TuningCriterion criterion);

struct TuningJudgeOptions {
    TuningCriterion criterion = TuningCriterion::weighted_error;
    std::size_t folds = 5;
    double least_propensity = 0.02;
    std::span<const std::size_t> group = {};     // rows that are held out together
    std::span<const TreatmentSet> allowed = {};  // by rules, for every row; empty without rules
    std::uint64_t seed = 1;
    int threads = 1;
};

class TuningJudge {
public:
    // All nuisance estimates of a row are from models that were not fitted on its fold; rows of one group share a fold.
    // Uses known propensities if there are any.
    TuningJudge(const TreatedRows& study, const TuningJudgeOptions& options, const Progress& progress = {});

    // Held-out rows, and the rows that candidates learn from.
    [[nodiscard]] const std::vector<RowSplit>& folds() const { return folds_; }

    // The mean of the criterion over `rows`; smaller is better. `predicted` has one row for each of these, in order.
    [[nodiscard]] double loss(std::span<const std::size_t> rows, const Matrix& predicted) const;

    // The loss of `one` minus the loss of `other` on the same rows, with its standard error.
    [[nodiscard]] MeanEstimate excess(std::span<const std::size_t> rows, const Matrix& one, const Matrix& other) const;

    // The groups of these rows, for standard errors; empty without groups.
    [[nodiscard]] std::vector<std::size_t> groups_of(std::span<const std::size_t> rows) const;

    // Propensity of each row's received treatment.
    [[nodiscard]] const std::vector<double>& propensity() const { return propensity_; }

    // Doubly robust scores, rows x treatments.
    [[nodiscard]] const Matrix& scores() const { return scores_; }

private:
    // The loss and weight of a row. Its prediction is row `place` of `predicted`.
    [[nodiscard]] double loss_of(std::size_t row, const Matrix& predicted, Eigen::Index place) const;
    [[nodiscard]] double weight_of(std::size_t row) const;

    const TreatedRows& study_;
    TuningCriterion criterion_;
    std::vector<RowSplit> folds_;
    double least_propensity_;
    std::vector<std::size_t> group_;
    std::span<const TreatmentSet> allowed_;
    std::vector<double> propensity_;
    Matrix scores_;
};

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// How good predicted outcomes are of rows that were not learned from, without the truth.
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

// With t what a row received, y its outcome, f_k what is predicted, e_k propensities, and G_k doubly robust scores:
enum class TuningCriterion {
    weighted_error,  // (y - f_t)^2 / max(e_t, least): every treatment counts on every kind of row
    error,           // (y - f_t)^2: what is common counts, what is rare does not
    contrast,        // sum_k [(G_k - mean G) - (f_k - mean f)]^2: only differences between treatments count
    value,           // G of the allowed treatment with the best f: what the policy is worth
};

[[nodiscard]] std::string_view name_of(TuningCriterion criterion);

struct TuningJudgeOptions {
    TuningCriterion criterion = TuningCriterion::weighted_error;
    std::size_t folds = 5;
    double least_propensity = 0.02;
    std::span<const std::size_t> group = {};     // rows that are held out together
    std::span<const TreatmentSet> allowed = {};  // by rules, of every row; empty where there are none
    std::uint64_t seed = 1;
    int threads = 1;
};

class TuningJudge {
public:
    // Everything about a row comes from models that did not see its fold; rows of one group are in one fold. Where
    // propensities are known, these are used.
    TuningJudge(const TreatedRows& study, const TuningJudgeOptions& options, const Progress& progress = {});

    // Rows that are held out, and those that candidates learn from.
    [[nodiscard]] const std::vector<RowSplit>& folds() const { return folds_; }

    // The mean over some rows of the criterion, small is good. `predicted` has a row for each of these, in order.
    [[nodiscard]] double loss(std::span<const std::size_t> rows, const Matrix& predicted) const;

    // loss() of one prediction less that of another of the same rows, and how sure that is.
    [[nodiscard]] MeanEstimate excess(std::span<const std::size_t> rows, const Matrix& one, const Matrix& other) const;

    // Of these rows, for standard errors by group; empty where each row is on its own.
    [[nodiscard]] std::vector<std::size_t> groups_of(std::span<const std::size_t> rows) const;

    // Of what each row received.
    [[nodiscard]] const std::vector<double>& propensity() const { return propensity_; }

    // Rows x treatments: doubly robust.
    [[nodiscard]] const Matrix& scores() const { return scores_; }

private:
    // What counts in the mean for a row, whose prediction is in row `place`, and how much.
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

// SPDX-License-Identifier: Apache-2.0
// Gradient boosted trees (Friedman 2001; Newton steps as in Chen & Guestrin 2016), for regression and classification.
// Features are binned once. Every round scores all rows, including rows that are not learned from, so that the caller
// can stop early when the loss on those no longer falls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// Features as small numbers: 0 for missing values, otherwise a numeric bin (ascending) or a category.
struct BinnedRows {
    std::vector<std::vector<std::uint8_t>> code;  // by feature and row
    std::vector<int> codes;                       // per feature: the number of codes, including that of missing values
    std::vector<char> ordered;                    // per feature: whether codes are ordered
    std::size_t rows = 0;

    [[nodiscard]] std::size_t features() const { return code.size(); }
};

// Bins numbers into at most `most_bins` (up to 254) bins of similar size. Categories beyond the 254th count as missing.
[[nodiscard]] BinnedRows bin_features(const FeatureRows& features, int most_bins = 32, const Progress& progress = {});

struct BoostingOptions {
    int depth = 3;  // per tree
    double learning_rate = 0.2;
    std::size_t leaf_rows = 10;
    double penalty = 1;  // on squared leaf values
};

// Rows of binned features, each at most once.
struct BoostedRows {
    std::vector<std::size_t> learn;
    std::vector<std::size_t> others = {};  // predicted too, but not learned from
};

// Learns from `learn` and scores all rows of BoostedRows. `binned` must outlive it. Uses no random numbers.
class Booster {
public:
    // Squared loss; the target is given per row of `binned`. No weights: all rows have weight 1.
    Booster(const BinnedRows& binned, BoostedRows rows, std::span<const double> target, std::span<const double> weight,
            const BoostingOptions& options);

    // Log-loss of labels 0 .. classes-1: multinomial, or logistic for two classes.
    Booster(const BinnedRows& binned, BoostedRows rows, std::span<const int> label, int classes,
            std::span<const double> weight, const BoostingOptions& options);

    // Adds one tree, or one per class for more than two classes.
    void add_round();

    // Predictions for some of these rows, after all rounds so far.
    [[nodiscard]] Vector predict(std::span<const std::size_t> rows) const;
    [[nodiscard]] Matrix probabilities(std::span<const std::size_t> rows) const;

private:
    void gather_codes();
    void add_tree(Eigen::Index output);
    void find_slopes(Eigen::Index output);

    const BinnedRows& binned_;
    BoostedRows rows_;
    std::vector<std::uint8_t> codes_;  // learned rows, row by row: a tree reads all features of a row at once
    std::vector<double> target_;       // of learned rows; empty for classes
    std::vector<int> label_;           // of learned rows
    std::vector<double> weight_;       // of learned rows
    int classes_ = 0;
    BoostingOptions options_;
    Eigen::MatrixXd scores_;         // all rows x outputs
    std::vector<double> gradient_;   // of learned rows
    std::vector<double> curvature_;  // of learned rows
};

}  // namespace polyrx

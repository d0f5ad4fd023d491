// SPDX-License-Identifier: Apache-2.0
// Gradient boosted trees (Friedman 2001; Newton steps as in Chen & Guestrin 2016), for numbers and for classes.
// Features are binned once, and every round scores all rows, those that are learned from and those that are not:
// whoever boosts watches the loss of the others and stops when it no longer falls.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// Features as small numbers: 0 where a value is missing, else the bin of a number, in ascending order, or a category.
struct BinnedRows {
    std::vector<std::vector<std::uint8_t>> code;  // by feature and row
    std::vector<int> codes;                       // by feature: how many there are, that of a missing value included
    std::vector<char> ordered;                    // by feature: whether codes have an order
    std::size_t rows = 0;

    [[nodiscard]] std::size_t features() const { return code.size(); }
};

// Numbers go into at most `most_bins` bins of about as many rows each (at most 254). Categories beyond the 254th count
// as missing.
[[nodiscard]] BinnedRows bin_features(const FeatureRows& features, int most_bins = 32, const Progress& progress = {});

struct BoostingOptions {
    int depth = 3;  // of each tree
    double learning_rate = 0.2;
    std::size_t leaf_rows = 10;
    double penalty = 1;  // of the squares of leaf values
};

// Rows of binned features, none of them twice.
struct BoostedRows {
    std::vector<std::size_t> learn;
    std::vector<std::size_t> others = {};  // that will be predicted as well
};

// Learns from some rows, and scores these and others. `binned` must outlive it. No random numbers.
class Booster {
public:
    // The squared loss of a target, by row of `binned`. No weights: every row counts once.
    Booster(const BinnedRows& binned, BoostedRows rows, std::span<const double> target, std::span<const double> weight,
            const BoostingOptions& options);

    // The log-loss of labels 0 .. classes-1 (multinomial; of two classes, logistic).
    Booster(const BinnedRows& binned, BoostedRows rows, std::span<const int> label, int classes,
            std::span<const double> weight, const BoostingOptions& options);

    // Adds one tree, or for more than two classes one for each.
    void add_round();

    // Of some of these rows, by all rounds so far.
    [[nodiscard]] Vector predict(std::span<const std::size_t> rows) const;
    [[nodiscard]] Matrix probabilities(std::span<const std::size_t> rows) const;

private:
    void gather_codes();
    void add_tree(Eigen::Index output);
    void find_slopes(Eigen::Index output);

    const BinnedRows& binned_;
    BoostedRows rows_;
    std::vector<std::uint8_t>
        codes_;                   // of the rows learned from, row by row: a tree reads all features of a row at once
    std::vector<double> target_;  // of these; empty for classes
    std::vector<int> label_;      // of these
    std::vector<double> weight_;  // of these
    int classes_ = 0;
    BoostingOptions options_;
    Eigen::MatrixXd scores_;         // all rows x outputs
    std::vector<double> gradient_;   // of the rows learned from
    std::vector<double> curvature_;  // of the rows learned from
};

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/boosted_trees.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

constexpr int most_codes = 255;  // including the code of missing values
constexpr double least_curvature = 1e-6;

// Sums over the rows of a code.
struct Slope {
    double gradient = 0;
    double curvature = 0;
    std::size_t rows = 0;

    void add(const Slope& other) {
        gradient += other.gradient;
        curvature += other.curvature;
        rows += other.rows;
    }
    [[nodiscard]] Slope without(const Slope& other) const {
        return {gradient - other.gradient, curvature - other.curvature, rows - other.rows};
    }
    // The reduction of the loss by a leaf of these rows.
    [[nodiscard]] double gain(double penalty) const { return gradient * gradient / (curvature + penalty); }
    [[nodiscard]] double step(double penalty) const { return -gradient / (curvature + penalty); }
};

struct Split {
    double gain = 0;
    std::size_t feature = 0;
    std::array<char, most_codes> left{};  // per code
};

// The order in which a feature's codes are cut: numbers by value, categories by their mean gradient, which contains the
// best partition (Fisher 1958). Missing values come last and are tried on both sides.
std::vector<int> cutting_order(std::span<const Slope> slopes, bool ordered) {
    std::vector<int> order;
    for (int code = 1; code < static_cast<int>(slopes.size()); ++code)
        if (slopes[static_cast<std::size_t>(code)].rows > 0) order.push_back(code);
    if (!ordered)
        std::ranges::stable_sort(order, {}, [&](int code) {
            const Slope& slope = slopes[static_cast<std::size_t>(code)];
            return slope.gradient / (slope.curvature + least_curvature);
        });
    return order;
}

// Replaces `best` if a cut of this feature is better.
void try_feature(std::span<const Slope> slopes, std::size_t feature, bool ordered, const BoostingOptions& options,
                 Split& best) {
    Slope all;
    for (const Slope& slope : slopes) all.add(slope);
    const std::vector<int> order = cutting_order(slopes, ordered);
    const double whole = all.gain(options.penalty);
    for (const bool missing_left : {false, true}) {
        if (missing_left && slopes[0].rows == 0) break;
        Slope left;
        if (missing_left) left = slopes[0];
        // After the last code, "missing or not" is still a possible cut.
        for (std::size_t place = 0; place < order.size(); ++place) {
            left.add(slopes[static_cast<std::size_t>(order[place])]);
            const Slope right = all.without(left);
            if (left.rows < options.leaf_rows) continue;
            if (right.rows < options.leaf_rows) break;
            const double gain = left.gain(options.penalty) + right.gain(options.penalty) - whole;
            if (!(gain > best.gain)) continue;
            best.gain = gain;
            best.feature = feature;
            best.left.fill(0);
            // Numbers that do not occur in this leaf go to the side of their neighbors; such categories go right.
            if (ordered)
                std::fill_n(best.left.begin() + 1, order[place], char{1});
            else
                for (std::size_t i = 0; i <= place; ++i) best.left[static_cast<std::size_t>(order[i])] = 1;
            best.left[0] = missing_left ? 1 : 0;
        }
    }
}

void check_boosting(std::span<const std::size_t> rows, const BoostingOptions& options) {
    constexpr int deepest = 7;  // leaf indices are bytes
    if (rows.empty()) throw data_error("there are no rows to learn from");
    if (options.depth < 1 || options.depth > deepest)
        throw usage_error(fmt::format("the depth of boosted trees must be 1 to {}, not {}", deepest, options.depth));
    if (!(options.learning_rate > 0 && options.learning_rate <= 1))
        throw usage_error(
            fmt::format("the learning rate of boosting must be above 0 and at most 1, not {}", options.learning_rate));
}

// Data that all leaves share.
struct GrowingRows {
    const BinnedRows& binned;
    std::span<const std::uint8_t> codes;  // row by row
    std::span<const double> gradient;
    std::span<const double> curvature;
};

// Grows one tree, level by level: finds the best cut of every leaf from sums per code (a histogram). For two new
// leaves, only the smaller is summed; the other is the parent's minus it (LightGBM; Ke et al. 2017).
class TreeGrower {
public:
    struct Leaf {
        std::vector<std::uint32_t> rows;  // indices among the learned rows
        Slope total;
        std::vector<Slope> sums;  // by feature and code; empty if the leaf is final
    };

    TreeGrower(const GrowingRows& rows, const BoostingOptions& options) : rows_(rows), options_(options) {
        first_code_.push_back(0);
        for (const int codes : rows.binned.codes)
            first_code_.push_back(first_code_.back() + static_cast<std::size_t>(codes));
        Leaf& root = leaves_.emplace_back();
        root.rows.resize(rows.gradient.size());
        std::iota(root.rows.begin(), root.rows.end(), std::uint32_t{0});
        root.total = total_of(root.rows);
        root.sums = sums_of(root.rows);
        for (int level = 0; level < options.depth; ++level) {
            const bool is_last = level + 1 == options.depth;
            const std::size_t count = leaves_.size();
            for (std::size_t leaf = 0; leaf < count; ++leaf)
                if (!leaves_[leaf].sums.empty()) divide(leaf, is_last);
        }
    }

    [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }

    // The leaves of rows of `binned`.
    [[nodiscard]] std::vector<std::uint8_t> leaves_of(std::span<const std::size_t> rows) const {
        std::vector<std::uint8_t> leaf(rows.size(), 0);
        for (std::size_t s = 0; s < splits_.size(); ++s) {
            const auto& [from, split] = splits_[s];
            const std::vector<std::uint8_t>& code = rows_.binned.code[split.feature];
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (leaf[i] == from && split.left[code[rows[i]]] == 0) leaf[i] = static_cast<std::uint8_t>(s + 1);
        }
        return leaf;
    }

private:
    [[nodiscard]] std::size_t features() const { return rows_.binned.features(); }

    [[nodiscard]] Slope total_of(std::span<const std::uint32_t> rows) const {
        Slope total;
        for (const std::uint32_t row : rows) total.add({rows_.gradient[row], rows_.curvature[row], 1});
        return total;
    }

    [[nodiscard]] std::vector<Slope> sums_of(std::span<const std::uint32_t> rows) const {
        std::vector<Slope> sums(first_code_.back());
        for (const std::uint32_t row : rows) {
            const double gradient = rows_.gradient[row];
            const double curvature = rows_.curvature[row];
            const std::uint8_t* const codes = rows_.codes.data() + row * features();
            for (std::size_t f = 0; f < features(); ++f) {
                Slope& sum = sums[first_code_[f] + codes[f]];
                sum.gradient += gradient;
                sum.curvature += curvature;
                ++sum.rows;
            }
        }
        return sums;
    }

    void divide(std::size_t leaf, bool is_last) {
        std::vector<Slope> sums = std::move(leaves_[leaf].sums);
        leaves_[leaf].sums.clear();
        Split best;
        for (std::size_t f = 0; f < features(); ++f)
            try_feature(std::span(sums).subspan(first_code_[f], first_code_[f + 1] - first_code_[f]), f,
                        rows_.binned.ordered[f] != 0, options_, best);
        if (!(best.gain > 0)) return;
        Leaf left;
        Leaf right;
        for (const std::uint32_t row : leaves_[leaf].rows) {
            const bool goes_left = best.left[rows_.codes[row * features() + best.feature]] != 0;
            (goes_left ? left : right).rows.push_back(row);
        }
        left.total = total_of(left.rows);
        right.total = total_of(right.rows);
        if (!is_last) {
            Leaf& smaller = left.rows.size() < right.rows.size() ? left : right;
            Leaf& larger = left.rows.size() < right.rows.size() ? right : left;
            smaller.sums = sums_of(smaller.rows);
            for (std::size_t code = 0; code < sums.size(); ++code) {
                const Slope rest = sums[code].without(smaller.sums[code]);
                sums[code] = rest.rows > 0 ? rest : Slope{};  // removes remainders of rounding
            }
            larger.sums = std::move(sums);
        }
        leaves_[leaf] = std::move(left);
        leaves_.push_back(std::move(right));
        splits_.emplace_back(leaf, best);
    }

    const GrowingRows& rows_;
    const BoostingOptions& options_;
    std::vector<std::size_t> first_code_;  // per feature, plus the end
    std::vector<Leaf> leaves_;
    // In the order of creation: the leaf that was split; its right part becomes the next new leaf.
    std::vector<std::pair<std::size_t, Split>> splits_;
};

}  // namespace

BinnedRows bin_features(const FeatureRows& features, int most_bins, const Progress& progress) {
    if (most_bins < 2 || most_bins >= most_codes)
        throw usage_error(fmt::format("the number of bins must be 2 to {}, not {}", most_codes - 1, most_bins));
    BinnedRows binned;
    binned.rows = features.rows();
    for (std::size_t f = 0; f < features.features(); ++f) {
        report(progress, 0, "sorting features");
        const auto column = features.values.col(static_cast<Eigen::Index>(f));
        std::vector<std::uint8_t> code(binned.rows, 0);
        if (features.levels[f] > 0) {
            for (std::size_t i = 0; i < binned.rows; ++i) {
                const double value = column[static_cast<Eigen::Index>(i)];
                if (!std::isnan(value) && value + 1 < most_codes) code[i] = static_cast<std::uint8_t>(value + 1);
            }
            binned.codes.push_back(std::min(features.levels[f] + 1, most_codes));
        } else {
            std::vector<double> values;
            for (const double value : column)
                if (!std::isnan(value)) values.push_back(value);
            std::ranges::sort(values);
            std::vector<double> ends;  // the largest value of each bin but the last
            for (int bin = 1; bin < most_bins && !values.empty(); ++bin) {
                const double end =
                    values[values.size() * static_cast<std::size_t>(bin) / static_cast<std::size_t>(most_bins)];
                if (end < values.back() && (ends.empty() || end > ends.back())) ends.push_back(end);
            }
            for (std::size_t i = 0; i < binned.rows; ++i) {
                const double value = column[static_cast<Eigen::Index>(i)];
                if (!std::isnan(value))
                    code[i] = static_cast<std::uint8_t>(1 + (std::ranges::lower_bound(ends, value) - ends.begin()));
            }
            binned.codes.push_back(static_cast<int>(ends.size()) + 2);
        }
        binned.ordered.push_back(features.levels[f] > 0 ? 0 : 1);
        binned.code.push_back(std::move(code));
    }
    return binned;
}

Booster::Booster(const BinnedRows& binned, BoostedRows rows, std::span<const double> target,
                 std::span<const double> weight, const BoostingOptions& options)
    : binned_(binned), rows_(std::move(rows)), options_(options) {
    check_boosting(rows_.learn, options);
    double sum = 0;
    double total = 0;
    for (const std::size_t row : rows_.learn) {
        target_.push_back(target[row]);
        weight_.push_back(weight.empty() ? 1 : weight[row]);
        sum += weight_.back() * target_.back();
        total += weight_.back();
    }
    scores_.setConstant(static_cast<Eigen::Index>(binned.rows), 1, sum / total);
    gather_codes();
}

Booster::Booster(const BinnedRows& binned, BoostedRows rows, std::span<const int> label, int classes,
                 std::span<const double> weight, const BoostingOptions& options)
    : binned_(binned), rows_(std::move(rows)), classes_(classes), options_(options) {
    check_boosting(rows_.learn, options);
    // Adds one row in total, shared by all classes, so that none starts at probability 0.
    std::vector<double> counts(static_cast<std::size_t>(classes), 1.0 / classes);
    for (const std::size_t row : rows_.learn) {
        label_.push_back(label[row]);
        weight_.push_back(weight.empty() ? 1 : weight[row]);
        counts[static_cast<std::size_t>(label[row])] += weight_.back();
    }
    const int outputs = classes == 2 ? 1 : classes;
    scores_.resize(static_cast<Eigen::Index>(binned.rows), outputs);
    if (classes == 2)
        scores_.setConstant(std::log(counts[1] / counts[0]));
    else
        for (int k = 0; k < classes; ++k) scores_.col(k).setConstant(std::log(counts[static_cast<std::size_t>(k)]));
    gather_codes();
}

void Booster::gather_codes() {
    gradient_.resize(rows_.learn.size());
    curvature_.resize(rows_.learn.size());
    codes_.reserve(rows_.learn.size() * binned_.features());
    for (const std::size_t row : rows_.learn)
        for (const std::vector<std::uint8_t>& code : binned_.code) codes_.push_back(code[row]);
}

void Booster::add_round() {
    if (classes_ <= 2) {
        find_slopes(0);
        add_tree(0);
        return;
    }
    // All trees of a round are fitted to the scores before it.
    const Eigen::MatrixXd before = scores_;
    Eigen::MatrixXd after = scores_;
    for (Eigen::Index k = 0; k < scores_.cols(); ++k) {
        find_slopes(k);
        add_tree(k);
        after.col(k) = scores_.col(k);
        scores_.col(k) = before.col(k);
    }
    scores_ = std::move(after);
}

void Booster::find_slopes(Eigen::Index output) {
    for (std::size_t i = 0; i < rows_.learn.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(rows_.learn[i]);
        const double w = weight_[i];
        if (classes_ == 0) {
            gradient_[i] = w * (scores_(row, 0) - target_[i]);
            curvature_[i] = w;
            continue;
        }
        double p = 0;
        bool is_it = false;
        if (classes_ == 2) {
            p = 1 / (1 + std::exp(-scores_(row, 0)));
            is_it = label_[i] == 1;
        } else {
            const double most = scores_.row(row).maxCoeff();
            double sum = 0;
            for (Eigen::Index k = 0; k < scores_.cols(); ++k) sum += std::exp(scores_(row, k) - most);
            p = std::exp(scores_(row, output) - most) / sum;
            is_it = label_[i] == static_cast<int>(output);
        }
        gradient_[i] = w * (p - (is_it ? 1 : 0));
        // All classes move at once, so each step is (K - 1) / K of its size alone (Friedman 2001).
        const double together = classes_ == 2 ? 1 : static_cast<double>(classes_) / (classes_ - 1);
        curvature_[i] = together * std::max(least_curvature, w * p * (1 - p));
    }
}

void Booster::add_tree(Eigen::Index output) {
    const GrowingRows growing{binned_, codes_, gradient_, curvature_};
    const TreeGrower tree(growing, options_);
    std::vector<double> step;
    for (const TreeGrower::Leaf& leaf : tree.leaves()) {
        step.push_back(options_.learning_rate * leaf.total.step(options_.penalty));
        for (const std::uint32_t row : leaf.rows)
            scores_(static_cast<Eigen::Index>(rows_.learn[row]), output) += step.back();
    }
    const std::vector<std::uint8_t> leaf = tree.leaves_of(rows_.others);
    for (std::size_t i = 0; i < leaf.size(); ++i)
        scores_(static_cast<Eigen::Index>(rows_.others[i]), output) += step[leaf[i]];
}

Vector Booster::predict(std::span<const std::size_t> rows) const {
    Vector result(static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        result[static_cast<Eigen::Index>(i)] = scores_(static_cast<Eigen::Index>(rows[i]), 0);
    return result;
}

Matrix Booster::probabilities(std::span<const std::size_t> rows) const {
    Matrix result(static_cast<Eigen::Index>(rows.size()), classes_);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(rows[i]);
        const auto to = static_cast<Eigen::Index>(i);
        if (classes_ == 2) {
            const double p = 1 / (1 + std::exp(-scores_(row, 0)));
            result.row(to) << 1 - p, p;
            continue;
        }
        const double most = scores_.row(row).maxCoeff();
        for (Eigen::Index k = 0; k < classes_; ++k) result(to, k) = std::exp(scores_(row, k) - most);
        result.row(to) /= result.row(to).sum();
    }
    return result;
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/optimal/optimal_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/baselines/optimal/fit_optimal_tree.hpp"
#include "polyrx/baselines/optimal/preorder.hpp"
#include "polyrx/core/parallel_for.hpp"

namespace polyrx {
namespace {

// A part of a searched tree, and its rows.
struct SearchedPart {
    int node = 0;
    std::vector<RowNumber> rows;
};

class SearchTreeConverter {
public:
    SearchTreeConverter(const SearchTree& from, const LeafJudge& judge, const Matrix& encoded, const TreatedRows& study,
                        std::span<const std::size_t> rows)
        : from_(from), judge_(judge), data_(judge.data()), encoded_(encoded), study_(study), rows_(rows) {}

    [[nodiscard]] OptimalTree run() {
        OptimalTree tree;
        tree.treatments = data_.treatments;
        SearchedPart root;
        for (RowNumber row = 0; row < data_.count(); ++row) root.rows.push_back(row);
        std::vector<SearchedPart> pending;
        pending.push_back(std::move(root));
        while (!pending.empty()) {
            SearchedPart part = std::move(pending.back());
            pending.pop_back();
            OptimalNode& node = tree.nodes.emplace_back();
            const SearchNode& of = from_.nodes[static_cast<std::size_t>(part.node)];
            if (of.is_leaf()) {
                node.leaf = leaf_from(part.rows);
                continue;
            }
            node.low = of.low;
            const bool turned = set_function(of.split, part.rows, node);
            SearchedPart low{turned ? of.high : of.low, {}};
            SearchedPart high{turned ? of.low : of.high, {}};
            for (const RowNumber row : part.rows) {
                const double value = node.weights.dot(inputs_of(row)) + node.constant;
                (value > 0 ? high : low).rows.push_back(row);
            }
            pending.push_back(std::move(high));
            pending.push_back(std::move(low));
        }
        link_preorder(tree.nodes);
        return tree;
    }

private:
    [[nodiscard]] Vector inputs_of(RowNumber row) const {
        return encoded_.row(static_cast<Eigen::Index>(rows_[row])).transpose();
    }

    // A cut of one input lies halfway between values of rows, with the condition "above". Its sides may have to swap.
    [[nodiscard]] bool set_function(const OptimalSplit& split, const std::vector<RowNumber>& rows,
                                    OptimalNode& node) const {
        node.weights = Vector::Zero(data_.inputs());
        node.constant = -split.threshold;
        for (const OptimalRows::Entry& term : split.terms) {
            const auto input = static_cast<std::size_t>(term.input);
            node.weights[term.input] = term.value / data_.scale[input];
            node.constant -= node.weights[term.input] * data_.shift[input];
        }
        if (split.terms.size() != 1) return false;
        const int input = split.terms.front().input;
        const bool turned = split.terms.front().value < 0;
        double below = -std::numeric_limits<double>::infinity();
        double above = std::numeric_limits<double>::infinity();
        for (const RowNumber row : rows) {
            const double value = encoded_(static_cast<Eigen::Index>(rows_[row]), input);
            if (split.goes_high(data_, row) != turned)
                above = std::min(above, value);
            else
                below = std::max(below, value);
        }
        double cut = 0;
        if (!std::isfinite(below) || !std::isfinite(above) || !cut_between(below, above, cut)) return false;
        node.weights[input] = 1;
        node.constant = -cut;
        return turned;
    }

    [[nodiscard]] OptimalLeaf leaf_from(const std::vector<RowNumber>& rows) const {
        const LeafFit fit = judge_.fit(rows);
        const auto arms = static_cast<std::size_t>(data_.treatments);
        OptimalLeaf leaf;
        leaf.rows = fit.arm_rows;
        double weight = 0;
        std::vector<double> arm_weight(arms);
        std::vector<double> arm_outcome(arms);
        for (const RowNumber row : rows) {
            const auto k = static_cast<std::size_t>(data_.treatment[row]);
            arm_weight[k] += data_.weight[row];
            arm_outcome[k] += data_.weight[row] * study_.outcome[rows_[row]];
            weight += data_.weight[row];
        }
        double worst = -std::numeric_limits<double>::infinity();
        const auto is_eligible = [&](std::size_t k) {
            return static_cast<double>(fit.arm_rows[k]) >= judge_.arm_rows();
        };
        for (std::size_t k = 0; k < arms; ++k) {
            const double standard = weight > 0 ? fit.totals[k] / weight : 0;
            const bool is_mean = is_eligible(k) && !judge_.is_linear();
            leaf.outcomes.push_back(is_mean ? arm_outcome[k] / arm_weight[k]
                                            : data_.outcome_mean + data_.outcome_scale * standard);
            if (is_eligible(k)) worst = std::max(worst, leaf.outcomes[k]);
            if (judge_.is_linear()) leaf.arms.push_back(model_from(fit, k));
        }
        for (std::size_t k = 0; k < arms; ++k)
            if (!is_eligible(k) && leaf.outcomes[k] <= worst)
                leaf.outcomes[k] = std::nextafter(worst, std::numeric_limits<double>::infinity());
        leaf.treatment = static_cast<int>(std::ranges::min_element(leaf.outcomes) - leaf.outcomes.begin());
        return leaf;
    }

    [[nodiscard]] LinearModel model_from(const LeafFit& fit, std::size_t arm) const {
        LinearModel model{Vector::Zero(data_.inputs()), data_.outcome_mean + data_.outcome_scale * fit.constant[arm]};
        const Vector& slopes = fit.slopes[arm];
        for (Eigen::Index j = 0; j < slopes.size(); ++j) {
            model.weights[j] = slopes[j] * data_.outcome_scale / data_.scale[static_cast<std::size_t>(j)];
            model.intercept -= model.weights[j] * data_.shift[static_cast<std::size_t>(j)];
        }
        return model;
    }

    const SearchTree& from_;
    const LeafJudge& judge_;
    const OptimalRows& data_;
    const Matrix& encoded_;
    const TreatedRows& study_;
    std::span<const std::size_t> rows_;
};

}  // namespace

OptimalTree in_original_units(const SearchTree& tree, const LeafJudge& judge, const Matrix& encoded,
                              const TreatedRows& study, std::span<const std::size_t> rows) {
    return SearchTreeConverter(tree, judge, encoded, study, rows).run();
}

int leaf_of(const OptimalTree& tree, const Eigen::Ref<const Vector>& row) {
    int at = 0;
    while (!tree.nodes[static_cast<std::size_t>(at)].is_leaf()) {
        const OptimalNode& node = tree.nodes[static_cast<std::size_t>(at)];
        at = node.weights.dot(row) + node.constant > 0 ? node.high : node.low;
    }
    return at;
}

Matrix scores(const OptimalTree& tree, const Matrix& encoded, int threads) {
    constexpr std::size_t block = 1024;
    Matrix outcomes(encoded.rows(), tree.treatments);
    const auto rows = static_cast<std::size_t>(encoded.rows());
    parallel_for((rows + block - 1) / block, threads, [&](std::size_t task) {
        for (std::size_t i = task * block; i < std::min(rows, (task + 1) * block); ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            const auto leaf = static_cast<std::size_t>(leaf_of(tree, encoded.row(row).transpose()));
            outcomes.row(row) =
                Eigen::Map<const Eigen::RowVectorXd>(tree.nodes[leaf].leaf.outcomes.data(), tree.treatments);
        }
    });
    return outcomes;
}

}  // namespace polyrx

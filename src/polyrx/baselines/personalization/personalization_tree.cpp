// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/personalization/personalization_tree.hpp"

#include <fmt/format.h>

#include "polyrx/baselines/personalization/personalization_criterion.hpp"
#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

PersonalizationLeaf leaf_from(const PersonalizationCriterion::Tally& tally) {
    PersonalizationLeaf leaf;
    leaf.treatment = PersonalizationCriterion::best_of(tally);
    for (int k = 0; k < static_cast<int>(tally.cols()); ++k) {
        leaf.outcomes.push_back(PersonalizationCriterion::mean_of(tally, k));
        leaf.rows.push_back(PersonalizationCriterion::rows_of(tally, k));
    }
    return leaf;
}

}  // namespace

void check_personalization(const TreatedRows& study, std::span<const std::size_t> rows,
                           const PersonalizationOptions& options) {
    constexpr int most = PersonalizationCriterion::most_treatments;
    if (rows.empty()) throw data_error("there are no rows to learn from");
    if (study.treatments < 1 || study.treatments > most)
        throw usage_error(
            fmt::format("personalization trees support 1 to {} treatments, not {}", most, study.treatments));
    if (options.treatment_rows < 1)
        throw usage_error("the minimum rows per treatment on each side of a split must be at least 1, not 0");
    if (options.depth < 0) throw usage_error(fmt::format("the depth must be at least 0, not {}", options.depth));
}

PersonalizationTree grow_personalization_tree(const TreatedRows& study, std::span<const std::size_t> rows,
                                              const RankedFeatures& ranked, const BinnedFeatures& binned,
                                              const Sample& sample, const PersonalizationOptions& options, int features,
                                              const Rng& rng) {
    std::vector<PersonalizationCriterion::Target> targets;
    targets.reserve(sample.rows.size());
    for (std::size_t i = 0; i < sample.rows.size(); ++i) {
        const std::size_t row = rows[sample.rows[i]];
        const double times = sample.times[i];
        targets.push_back({study.treatment[row], times * study.weight_of(row), study.outcome[row], times});
    }
    PersonalizationCriterion criterion(std::move(targets), study.treatments, options.treatment_rows);
    const GrowLimits limits{.depth = options.depth, .features = features};
    PersonalizationTree tree;
    tree.treatments = study.treatments;
    tree.tree = AxisTreeGrower(ranked, binned, sample.rows, criterion, limits, rng).grow();
    tree.leaves.resize(tree.tree.nodes.size());
    for (std::size_t node = 0; node < tree.tree.nodes.size(); ++node)
        if (tree.tree.nodes[node].is_leaf()) tree.leaves[node] = leaf_from(criterion.leaves[node]);
    return tree;
}

PersonalizationTree fit_personalization_tree(const TreatedRows& study, std::span<const std::size_t> rows,
                                             const PersonalizationOptions& options) {
    check_personalization(study, rows, options);
    const RankedFeatures ranked(study.features, rows);
    const BinnedFeatures binned(ranked);
    Rng unused(0, Draw::forest);
    const Sample all = draw_sample(rows.size(), false, unused);
    return grow_personalization_tree(study, rows, ranked, binned, all, options, 0, unused);
}

Matrix scores(const PersonalizationTree& tree, const FeatureRows& features, int threads) {
    Matrix means(static_cast<Eigen::Index>(features.rows()), tree.treatments);
    for_row_blocks(features, threads, [&](Eigen::Index first, const Matrix& rows) {
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            const auto leaf = static_cast<std::size_t>(leaf_of(tree.tree, rows.row(i).data(), 1));
            means.row(first + i) =
                Eigen::Map<const Eigen::RowVectorXd>(tree.leaves[leaf].outcomes.data(), tree.treatments);
        }
    });
    return means;
}

}  // namespace polyrx

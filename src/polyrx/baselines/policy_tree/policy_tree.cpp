// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/policy_tree/policy_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "polyrx/baselines/policy_tree/policy_search.hpp"
#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

constexpr int most_depth = 5;

void check(const TreatedRows& study, std::span<const std::size_t> rows, const Matrix& scores,
           const PolicyTreeOptions& options) {
    if (rows.empty()) throw data_error("there are no rows to learn from");
    if (options.depth < 0 || options.depth > most_depth)
        throw usage_error(fmt::format("the depth of a policy tree must be 0 to {}, not {}", most_depth, options.depth));
    if (options.leaf_rows < 1) throw usage_error("the minimum rows per leaf must be at least 1, not 0");
    if (scores.rows() != static_cast<Eigen::Index>(rows.size()) || scores.cols() != study.treatments)
        throw usage_error(fmt::format("the scores must have {} rows and {} treatments, not {} rows and {} treatments",
                                      rows.size(), study.treatments, scores.rows(), scores.cols()));
}

// The smallest of 1, 2, 5, 10, 20, .. that keeps within `most_work` or reaches the number of rows.
std::size_t step_within(const PolicyRows& rows, const PolicyTreeOptions& options) {
    std::size_t step = 1;
    for (int next = 0; step < rows.rows(); ++next) {
        if (search_work(rows, options.depth, {options.leaf_rows, step}) <= options.most_work) break;
        step = next % 3 == 1 ? step / 2 * 5 : 2 * step;
    }
    return step;
}

// Builds the tree from the choices, starting at the root.
class PolicyTreeBuilder {
public:
    PolicyTreeBuilder(const TreatedRows& study, std::span<const std::size_t> chosen, const RankedFeatures& ranked,
                      const Matrix& scores, const PolicySearch& search, int threads)
        : study_(study), chosen_(chosen), ranked_(ranked), scores_(scores), search_(search), threads_(threads) {}

    [[nodiscard]] PersonalizationTree build(const PolicyRows& rows, const PolicyChoice& choice) {
        tree_.treatments = study_.treatments;
        tree_.tree.nodes.resize(1);
        tree_.leaves.resize(1);
        add(0, rows, choice);
        return std::move(tree_);
    }

private:
    void add(int at, const PolicyRows& rows, const PolicyChoice& choice) {
        if (choice.levels == 0) {
            tree_.leaves[static_cast<std::size_t>(at)] = leaf_of_rows(rows);
            return;
        }
        const std::vector<char> is_left = sides_of(rows, choice);
        const int left = static_cast<int>(tree_.tree.nodes.size());
        tree_.tree.nodes.resize(tree_.tree.nodes.size() + 2);
        tree_.leaves.resize(tree_.tree.nodes.size());
        tree_.tree.nodes[static_cast<std::size_t>(at)] = {split_of(rows, choice, is_left), left};
        for (const bool side : {true, false}) {
            const PolicyRows part = one_side(rows, is_left, side);
            add(left + (side ? 0 : 1), part, best_choice(part, choice.levels - 1, search_, threads_));
        }
    }

    [[nodiscard]] PersonalizationLeaf leaf_of_rows(const PolicyRows& rows) const {
        PersonalizationLeaf leaf;
        leaf.outcomes.assign(static_cast<std::size_t>(study_.treatments), 0);
        leaf.rows.assign(static_cast<std::size_t>(study_.treatments), 0);
        double weight = 0;
        for (const std::uint32_t place : rows.row) {
            const std::size_t row = chosen_[place];
            weight += study_.weight_of(row);
            ++leaf.rows[static_cast<std::size_t>(study_.treatment[row])];
            for (std::size_t k = 0; k < leaf.outcomes.size(); ++k)
                leaf.outcomes[k] += study_.weight_of(row) * scores_(place, static_cast<Eigen::Index>(k));
        }
        for (double& outcome : leaf.outcomes) outcome /= weight;
        leaf.treatment = static_cast<int>(std::ranges::min_element(leaf.outcomes) - leaf.outcomes.begin());
        return leaf;
    }

    // Values that no row here has go to the side with more rows.
    [[nodiscard]] AxisSplit split_of(const PolicyRows& rows, const PolicyChoice& choice,
                                     const std::vector<char>& is_left) {
        const RankedFeature& ranked = ranked_.features[static_cast<std::size_t>(choice.feature)];
        const SlottedFeature& feature = rows.features[static_cast<std::size_t>(choice.feature)];
        const auto left_rows = static_cast<std::size_t>(std::ranges::count(is_left, 1));
        const bool most_left = 2 * left_rows >= rows.rows();
        AxisSplit split{choice.feature, 0, -1, most_left};
        if (feature.is_number) {
            if (feature.missing > 0) split.missing_left = choice.missing_left;
            const auto left_slots = static_cast<std::size_t>(std::ranges::count(choice.left_slots, 1));
            split.threshold = left_slots == feature.slots
                                  ? std::numeric_limits<double>::max()
                                  : ranked.between(feature.rank[left_slots - 1], feature.rank[left_slots]);
            return split;
        }
        LevelSet set(ranked.levels);
        std::vector<char> side(static_cast<std::size_t>(ranked.levels) + 1, static_cast<char>(most_left));
        for (std::size_t slot = 0; slot < feature.slots; ++slot) side[feature.rank[slot]] = choice.left_slots[slot];
        for (int level = 0; level < ranked.levels; ++level)
            if (side[static_cast<std::size_t>(level)] != 0) set.insert(level);
        split.missing_left = side.back() != 0;
        split.set = static_cast<int>(tree_.tree.sets.size());
        tree_.tree.sets.push_back(std::move(set));
        return split;
    }

    const TreatedRows& study_;
    std::span<const std::size_t> chosen_;
    const RankedFeatures& ranked_;
    const Matrix& scores_;
    const PolicySearch& search_;
    int threads_;
    PersonalizationTree tree_;
};

}  // namespace

PolicyTree fit_policy_tree(const TreatedRows& study, std::span<const std::size_t> rows, const Matrix& scores,
                           const PolicyTreeOptions& options, const Progress& progress) {
    check(study, rows, scores, options);
    std::vector<double> weight;
    if (!study.weight.empty())
        for (const std::size_t row : rows) weight.push_back(study.weight[row]);
    const RankedFeatures ranked(study.features, rows);
    const PolicyRows all = policy_rows(ranked, scores, weight);
    PolicySearch search{options.leaf_rows, options.split_step};
    if (search.split_step == 0) search.split_step = step_within(all, options);
    const PolicyChoice choice = best_choice(all, options.depth, search, options.threads, progress);
    PolicyTree result;
    result.tree = PolicyTreeBuilder(study, rows, ranked, scores, search, options.threads).build(all, choice);
    result.is_exact = is_exact(all, options.depth, search);
    result.split_step = search.split_step;
    return result;
}

}  // namespace polyrx

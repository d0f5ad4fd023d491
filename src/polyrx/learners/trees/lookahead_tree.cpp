// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/trees/lookahead_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "polyrx/learners/trees/classification_forest.hpp"

namespace polyrx {
namespace {

using Rows = std::vector<std::size_t>;

// The weight of each class, then the number of rows.
using Tally = std::vector<double>;

void subtract(Tally& tally, const Tally& other) {
    for (std::size_t k = 0; k < tally.size(); ++k) tally[k] -= other[k];
}

// The weight minus weighted Gini impurity.
double purity(std::span<const double> tally) {
    double squares = 0;
    double weight = 0;
    for (std::size_t k = 0; k + 1 < tally.size(); ++k) {
        squares += tally[k] * tally[k];
        weight += tally[k];
    }
    return weight > 0 ? squares / weight : 0;
}

// A division of a node's rows by the groups of one feature.
struct Cut {
    std::vector<char> left;  // per group
    AxisSplit split;         // without a feature; categories use set 0
    int level = -1;          // the category that goes left
};

// The values of a feature in a node. Missing values are a separate group.
struct Groups {
    std::vector<unsigned char> of_row;  // by position in the node
    std::size_t count = 0;
    std::vector<Cut> cuts;
};

// Adds each cut with missing values on the right, on the left, and missing against present values.
void add_cuts_of_missing(Groups& groups, bool by_category) {
    const std::size_t missing = groups.count++;
    const std::size_t cuts = groups.cuts.size();
    for (std::size_t c = 0; c < cuts; ++c) {
        groups.cuts[c].left.push_back(0);
        Cut other = groups.cuts[c];
        other.left.back() = 1;
        other.split.missing_left = true;
        groups.cuts.push_back(std::move(other));
    }
    if (by_category) {
        Cut apart{std::vector<char>(groups.count, 0), {.set = 0, .missing_left = true}};
        apart.left[missing] = 1;
        groups.cuts.push_back(std::move(apart));
    } else {
        Cut apart{std::vector<char>(groups.count, 1), {.threshold = std::numeric_limits<double>::max()}};
        apart.left[missing] = 0;
        groups.cuts.push_back(std::move(apart));
    }
}

Groups groups_of_numbers(std::span<const double> values) {
    std::vector<double> sorted;
    for (const double value : values)
        if (!std::isnan(value)) sorted.push_back(value);
    std::ranges::sort(sorted);
    std::vector<double> thresholds;
    for (std::size_t g = 1; g < LookaheadOptions::most_groups; ++g) {
        const std::size_t at = g * sorted.size() / LookaheadOptions::most_groups;
        if (at == 0) continue;
        const auto above = std::ranges::upper_bound(sorted, sorted[at - 1]);
        if (above == sorted.end()) break;
        const double middle = sorted[at - 1] + (*above - sorted[at - 1]) / 2;
        const double threshold = middle < *above ? middle : sorted[at - 1];
        if (thresholds.empty() || thresholds.back() < threshold) thresholds.push_back(threshold);
    }
    // All octiles may equal the most common value.
    if (thresholds.empty() && !sorted.empty() && sorted.front() < sorted.back()) {
        const auto above = std::ranges::upper_bound(sorted, sorted.front());
        const double middle = sorted.front() + (*above - sorted.front()) / 2;
        thresholds.push_back(middle < *above ? middle : sorted.front());
    }
    Groups groups;
    groups.count = thresholds.size() + 1;
    for (std::size_t t = 0; t < thresholds.size(); ++t) {
        Cut cut{std::vector<char>(groups.count, 0), {.threshold = thresholds[t]}};
        std::fill_n(cut.left.begin(), t + 1, 1);
        groups.cuts.push_back(std::move(cut));
    }
    for (const double value : values)
        groups.of_row.push_back(static_cast<unsigned char>(
            std::isnan(value) ? groups.count : std::ranges::lower_bound(thresholds, value) - thresholds.begin()));
    if (sorted.size() < values.size()) add_cuts_of_missing(groups, false);
    return groups;
}

Groups groups_of_categories(std::span<const double> values, int levels) {
    std::vector<std::size_t> rows(static_cast<std::size_t>(levels), 0);
    bool is_missing = false;
    for (const double value : values)
        if (std::isnan(value))
            is_missing = true;
        else
            ++rows[static_cast<std::size_t>(value)];
    std::vector<std::size_t> common(rows.size());
    std::iota(common.begin(), common.end(), std::size_t{0});
    std::ranges::stable_sort(common, std::greater(), [&](std::size_t level) { return rows[level]; });
    std::erase_if(common, [&](std::size_t level) { return rows[level] == 0; });
    const std::size_t named = std::min(common.size(), LookaheadOptions::most_groups);
    Groups groups;
    groups.count = named + (common.size() > named ? 1 : 0);
    std::vector<std::size_t> group(rows.size(), named);  // rare categories share the last group
    for (std::size_t g = 0; g < named; ++g) group[common[g]] = g;
    for (std::size_t g = 0; g < named && groups.count > 1; ++g) {
        Cut cut{std::vector<char>(groups.count, 0), {.set = 0}, static_cast<int>(common[g])};
        cut.left[g] = 1;
        groups.cuts.push_back(std::move(cut));
    }
    for (const double value : values)
        groups.of_row.push_back(
            static_cast<unsigned char>(std::isnan(value) ? groups.count : group[static_cast<std::size_t>(value)]));
    if (is_missing) add_cuts_of_missing(groups, true);
    return groups;
}

class Grower {
public:
    Grower(const FeatureRows& features, std::span<const int> label, int classes, std::span<const double> weight,
           const LookaheadOptions& options)
        : features_(features),
          label_(label),
          classes_(classes),
          width_(static_cast<std::size_t>(classes) + 1),
          weight_(weight),
          options_(options) {}

    AxisTree grow(const Rows& rows) {
        tree_ = {{AxisNode{}}, {}};
        divide(0, rows, options_.depth);
        return std::move(tree_);
    }

private:
    struct Chosen {
        std::size_t feature = 0;
        const Cut* cut = nullptr;  // null: not divided
        double purity = -std::numeric_limits<double>::infinity();
    };

    void divide(std::size_t node, const Rows& rows, int depth) {
        if (depth == 0 || rows.size() < 2 * options_.leaf_rows || is_pure(rows)) return;
        std::optional<AxisSplit> split = depth == 1 ? greedy_split(rows) : lookahead_split(rows);
        if (!split) return;
        Rows left;
        Rows right;
        bool saw_missing = false;
        for (const std::size_t row : rows) {
            const double value = features_.values(static_cast<Eigen::Index>(row), split->feature);
            saw_missing |= std::isnan(value);
            (goes_left(tree_, *split, value) ? left : right).push_back(row);
        }
        if (!saw_missing) split->missing_left = left.size() >= right.size();
        const std::size_t below = tree_.nodes.size();
        tree_.nodes.resize(below + 2);
        tree_.nodes[node] = {*split, static_cast<int>(below)};
        divide(below, left, depth - 1);
        divide(below + 1, right, depth - 1);
    }

    [[nodiscard]] bool is_pure(const Rows& rows) const {
        return std::ranges::all_of(rows, [&](std::size_t row) { return label_[row] == label_[rows.front()]; });
    }

    std::optional<AxisSplit> greedy_split(const Rows& rows) {
        ForestOptions options;
        options.trees = 1;
        options.bootstrap = false;
        options.leaf_rows = options_.leaf_rows;
        options.limits.depth = 1;
        const ClassificationForest stump =
            fit_classification_forest(features_, rows, label_, classes_, weight_, options);
        const AxisTree& tree = stump.trees.front().tree;
        if (tree.nodes.front().is_leaf()) return std::nullopt;
        AxisSplit split = tree.nodes.front().split();
        if (split.set >= 0) split.set = kept(tree.sets[static_cast<std::size_t>(split.set)]);
        return split;
    }

    int kept(LevelSet set) {
        tree_.sets.push_back(std::move(set));
        return static_cast<int>(tree_.sets.size()) - 1;
    }

    std::optional<AxisSplit> lookahead_split(const Rows& rows) {
        std::vector<Groups> groups;
        for (std::size_t f = 0; f < features_.features(); ++f) groups.push_back(groups_of(rows, f));
        const std::vector<std::size_t> looked_at = best_alone(rows, groups);

        // By feature and cut: the best split of either side.
        std::vector<std::vector<Chosen>> below_left(groups.size());
        std::vector<std::vector<Chosen>> below_right(groups.size());
        for (const std::size_t f : looked_at) {
            below_left[f].resize(groups[f].cuts.size());
            below_right[f].resize(groups[f].cuts.size());
        }
        for (std::size_t a = 0; a < looked_at.size(); ++a)
            for (std::size_t b = a; b < looked_at.size(); ++b) {
                const std::size_t f = looked_at[a];
                const std::size_t g = looked_at[b];
                const std::vector<double> counts = joint(rows, groups[f], groups[g], false);
                look(groups, f, g, counts, below_left[f], below_right[f]);
                if (a == b) continue;
                look(groups, g, f, joint(rows, groups[g], groups[f], false), below_left[g], below_right[g]);
            }

        Chosen best;
        for (const std::size_t f : looked_at)
            for (std::size_t c = 0; c < groups[f].cuts.size(); ++c)
                if (const double purity = below_left[f][c].purity + below_right[f][c].purity; purity > best.purity)
                    best = {f, &groups[f].cuts[c], purity};
        if (!best.cut) return std::nullopt;
        const auto at = static_cast<std::size_t>(best.cut - groups[best.feature].cuts.data());
        AxisSplit split = best.cut->split;
        split.feature = static_cast<int>(best.feature);
        if (split.set < 0)
            move_threshold(split, rows, groups, below_left[best.feature][at], below_right[best.feature][at]);
        else {
            LevelSet set(features_.levels[best.feature]);
            if (best.cut->level >= 0) set.insert(best.cut->level);
            split.set = kept(std::move(set));
        }
        return split;
    }

    [[nodiscard]] Groups groups_of(const Rows& rows, std::size_t f) const {
        std::vector<double> values;
        values.reserve(rows.size());
        for (const std::size_t row : rows)
            values.push_back(features_.values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(f)));
        return features_.levels[f] > 0 ? groups_of_categories(values, features_.levels[f]) : groups_of_numbers(values);
    }

    // Features that have a cut; if there are many, those with the purest sides on their own.
    [[nodiscard]] std::vector<std::size_t> best_alone(const Rows& rows, const std::vector<Groups>& groups) const {
        std::vector<std::size_t> chosen;
        for (std::size_t f = 0; f < groups.size(); ++f)
            if (!groups[f].cuts.empty()) chosen.push_back(f);
        if (chosen.size() <= LookaheadOptions::most_features) return chosen;
        std::vector<double> alone(groups.size());
        for (const std::size_t f : chosen) {
            const std::vector<double> counts = joint(rows, groups[f], groups[f], true);
            Tally all(width_, 0);
            for (std::size_t i = 0; i < counts.size(); ++i) all[i % width_] += counts[i];
            for (const Cut& cut : groups[f].cuts) alone[f] = std::max(alone[f], divided(counts, all, cut).value_or(0));
        }
        std::ranges::stable_sort(chosen, std::greater(), [&](std::size_t f) { return alone[f]; });
        chosen.resize(LookaheadOptions::most_features);
        std::ranges::sort(chosen);
        return chosen;
    }

    [[nodiscard]] double weight_of(std::size_t row) const { return weight_.empty() ? 1 : weight_[row]; }

    // Tallies the rows by group of f and, within it, by group of g; `alone`: only by group of f.
    [[nodiscard]] std::vector<double> joint(const Rows& rows, const Groups& f, const Groups& g, bool alone) const {
        const std::size_t inner = alone ? 1 : g.count;
        std::vector<double> counts(f.count * inner * width_, 0);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            double* at = counts.data() + (f.of_row[i] * inner + (alone ? 0 : g.of_row[i])) * width_;
            at[label_[rows[i]]] += weight_of(rows[i]);
            at[width_ - 1] += 1;
        }
        return counts;
    }

    [[nodiscard]] bool is_enough(const Tally& tally) const {
        return tally.back() >= static_cast<double>(options_.leaf_rows);
    }

    // The purity of both sides of a cut, from tallies by group and in total; empty if a side has too few rows.
    [[nodiscard]] std::optional<double> divided(std::span<const double> counts, const Tally& all,
                                                const Cut& cut) const {
        Tally left(width_, 0);
        for (std::size_t g = 0; g < cut.left.size(); ++g)
            if (cut.left[g])
                for (std::size_t k = 0; k < width_; ++k) left[k] += counts[g * width_ + k];
        Tally right = all;
        subtract(right, left);
        if (!is_enough(left) || !is_enough(right)) return std::nullopt;
        return purity(left) + purity(right);
    }

    // Evaluates splits on g below each cut of f.
    void look(const std::vector<Groups>& groups, std::size_t f, std::size_t g, const std::vector<double>& counts,
              std::vector<Chosen>& below_left, std::vector<Chosen>& below_right) const {
        const std::size_t inner = groups[g].count * width_;
        Tally all(inner, 0);
        for (std::size_t i = 0; i < counts.size(); ++i) all[i % inner] += counts[i];
        for (std::size_t c = 0; c < groups[f].cuts.size(); ++c) {
            Tally left(inner, 0);
            for (std::size_t group = 0; group < groups[f].count; ++group)
                if (groups[f].cuts[c].left[group])
                    for (std::size_t i = 0; i < inner; ++i) left[i] += counts[group * inner + i];
            Tally right = all;
            subtract(right, left);
            look_at_side(groups[g], g, left, below_left[c]);
            look_at_side(groups[g], g, right, below_right[c]);
        }
    }

    void look_at_side(const Groups& g, std::size_t feature, const Tally& counts, Chosen& best) const {
        Tally all(width_, 0);
        for (std::size_t i = 0; i < counts.size(); ++i) all[i % width_] += counts[i];
        if (!is_enough(all)) return;
        if (const double undivided = purity(all); undivided > best.purity) best = {feature, nullptr, undivided};
        for (const Cut& cut : g.cuts)
            if (const std::optional<double> value = divided(counts, all, cut); value && *value > best.purity)
                best = {feature, &cut, *value};
    }

    // Moves the threshold to the best of all values, with the splits below unchanged.
    void move_threshold(AxisSplit& split, const Rows& rows, const std::vector<Groups>& groups, const Chosen& below_left,
                        const Chosen& below_right) const {
        const auto side_of = [&](const Chosen& below, std::size_t i) {
            return below.cut && !below.cut->left[groups[below.feature].of_row[i]] ? 1U : 0U;
        };
        const auto value_of = [&](std::size_t i) {
            return features_.values(static_cast<Eigen::Index>(rows[i]), split.feature);
        };
        // Left and right, and within each the sides of the split below.
        std::vector<Tally> tally(4, Tally(width_, 0));
        const auto add = [&](std::size_t i, std::size_t to, double sign) {
            tally[to][static_cast<std::size_t>(label_[rows[i]])] += sign * weight_of(rows[i]);
            tally[to].back() += sign;
        };
        Rows order;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const bool is_missing = std::isnan(value_of(i));
            if (is_missing && split.missing_left)
                add(i, side_of(below_left, i), 1);
            else
                add(i, 2 + side_of(below_right, i), 1);
            if (!is_missing) order.push_back(i);
        }
        std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(value_of(i), i); });
        double best = below_left.purity + below_right.purity;
        for (std::size_t at = 0; at + 1 < order.size(); ++at) {
            add(order[at], 2 + side_of(below_right, order[at]), -1);
            add(order[at], side_of(below_left, order[at]), 1);
            const double value = value_of(order[at]);
            const double next = value_of(order[at + 1]);
            if (!(value < next)) continue;
            const bool all_enough = is_enough(tally[0]) && is_enough(tally[2]) &&
                                    (!below_left.cut || is_enough(tally[1])) &&
                                    (!below_right.cut || is_enough(tally[3]));
            if (!all_enough) continue;
            const double sum = purity(tally[0]) + purity(tally[1]) + purity(tally[2]) + purity(tally[3]);
            if (sum <= best) continue;
            best = sum;
            const double middle = value + (next - value) / 2;
            split.threshold = middle < next ? middle : value;
        }
    }

    const FeatureRows& features_;
    std::span<const int> label_;
    int classes_;
    std::size_t width_;  // length of a tally
    std::span<const double> weight_;
    LookaheadOptions options_;
    AxisTree tree_;
};

}  // namespace

AxisTree grow_lookahead_tree(const FeatureRows& features, std::span<const std::size_t> rows, std::span<const int> label,
                             int classes, std::span<const double> weight, const LookaheadOptions& options) {
    return Grower(features, label, classes, weight, options).grow(Rows(rows.begin(), rows.end()));
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twin of the tree grower: every split of a node tried, and judged from its rows alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "polyrx/learners/trees/axis_tree.hpp"

namespace polyrx::test {

using Rows = std::vector<std::size_t>;
// What a split is worth; minus infinity if it is not allowed.
using SplitWorth = std::function<double(const Rows& left, const Rows& right)>;

struct Sides {
    Rows left;
    Rows right;
};

template <class IsLeft>
Sides sides_of(const Rows& rows, const IsLeft& is_left) {
    Sides sides;
    for (const std::size_t row : rows) (is_left(row) ? sides.left : sides.right).push_back(row);
    return sides;
}

// All splits of the rows by one feature into two sides that have rows.
inline void for_each_split(const FeatureRows& features, const Rows& rows, std::size_t f,
                           const std::function<void(const Sides&)>& visit) {
    const auto value = [&](std::size_t row) {
        return features.values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(f));
    };
    std::set<double> values;
    for (const std::size_t row : rows)
        if (!std::isnan(value(row))) values.insert(value(row));
    const auto try_split = [&](const auto& is_left) {
        const Sides sides = sides_of(rows, is_left);
        if (!sides.left.empty() && !sides.right.empty()) visit(sides);
    };
    for (const bool missing_left : {false, true}) {
        const auto missing_or = [&](std::size_t row, bool otherwise) {
            return std::isnan(value(row)) ? missing_left : otherwise;
        };
        if (features.levels[f] == 0) {
            for (const double cut : values)
                try_split([&](std::size_t row) { return missing_or(row, value(row) <= cut); });
            continue;
        }
        const std::vector<double> levels(values.begin(), values.end());
        for (std::size_t set = 1; set < std::size_t{1} << levels.size(); ++set)
            try_split([&](std::size_t row) {
                const auto level = std::ranges::find(levels, value(row)) - levels.begin();
                return missing_or(row, (set >> level & 1) != 0);
            });
    }
}

// The most that a split of the rows by any of the features is worth.
inline double best_worth(const FeatureRows& features, const Rows& rows, const SplitWorth& worth) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t f = 0; f < features.features(); ++f)
        for_each_split(features, rows, f,
                       [&](const Sides& sides) { best = std::max(best, worth(sides.left, sides.right)); });
    return best;
}

// Follows a tree with its rows, and expects of each node that its split is as good as any, and of each leaf that no
// split is worth more than `least(rows)`. leaf(node, rows) sees all leaves.
inline void expect_greedy(const AxisTree& tree, const FeatureRows& features, const Rows& all, const SplitWorth& worth,
                          const std::function<double(const Rows&)>& least,
                          const std::function<void(int, const Rows&)>& leaf) {
    const std::function<void(int, const Rows&)> follow = [&](int at, const Rows& rows) {
        const AxisNode& node = tree.nodes[static_cast<std::size_t>(at)];
        const double best = best_worth(features, rows, worth);
        const double room = std::isfinite(best) ? 1e-9 * (1 + std::abs(best)) : 0;
        if (node.is_leaf()) {
            EXPECT_LE(best, least(rows) + room) << "node " << at << " could be split";
            leaf(at, rows);
            return;
        }
        const AxisSplit split = node.split();
        const Sides sides = sides_of(rows, [&](std::size_t row) {
            return goes_left(tree, split, features.values(static_cast<Eigen::Index>(row), split.feature));
        });
        ASSERT_FALSE(sides.left.empty());
        ASSERT_FALSE(sides.right.empty());
        EXPECT_GE(worth(sides.left, sides.right), best - room) << "node " << at;
        follow(node.left(), sides.left);
        follow(node.left() + 1, sides.right);
    };
    follow(0, all);
}

// Numbers with ties, categories, and missing values.
inline FeatureRows random_features(Rng& rng, std::size_t rows, std::size_t features, double missing) {
    FeatureRows result;
    result.values.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(features));
    for (std::size_t f = 0; f < features; ++f) {
        const auto kind = rng.below(4);
        result.levels.push_back(kind == 0 ? 2 + static_cast<int>(rng.below(5)) : 0);
        const bool some_missing = rng.bernoulli(0.5);
        for (std::size_t i = 0; i < rows; ++i) {
            double value = rng.normal();
            if (kind == 0) value = static_cast<double>(rng.below(static_cast<std::uint64_t>(result.levels.back())));
            if (kind == 1) value = std::round(2 * value);
            if (some_missing && rng.bernoulli(missing)) value = std::numeric_limits<double>::quiet_NaN();
            result.values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(f)) = value;
        }
    }
    return result;
}

inline Rows all_of(std::size_t count) {
    Rows rows(count);
    for (std::size_t i = 0; i < count; ++i) rows[i] = i;
    return rows;
}

}  // namespace polyrx::test

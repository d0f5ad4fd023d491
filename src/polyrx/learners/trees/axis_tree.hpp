// SPDX-License-Identifier: Apache-2.0
// A tree whose splits use one feature each. Leaves have a number; owners may store more per leaf.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/table/feature_rows.hpp"

namespace polyrx {

// A set of categories, by index.
class LevelSet {
public:
    LevelSet() = default;
    explicit LevelSet(int levels) : words_(static_cast<std::size_t>(levels + 63) / 64) {}

    // All levels of the set are below this.
    [[nodiscard]] int capacity() const { return static_cast<int>(64 * words_.size()); }

    void insert(int level) { words_[static_cast<std::size_t>(level) / 64] |= std::uint64_t{1} << (level % 64); }
    // Levels beyond the capacity are never in the set.
    [[nodiscard]] bool has(int level) const {
        const auto word = static_cast<std::size_t>(level) / 64;
        return word < words_.size() && (words_[word] >> (level % 64) & 1) != 0;
    }
    friend bool operator==(const LevelSet&, const LevelSet&) = default;

private:
    std::vector<std::uint64_t> words_;
};

struct AxisSplit {
    int feature = 0;
    // Numbers up to this go left.
    double threshold = 0;
    // Index into AxisTree::sets: these categories go left. -1 for a number.
    int set = -1;
    bool missing_left = false;
    friend bool operator==(const AxisSplit&, const AxisSplit&) = default;
};

// A split or a leaf in 16 bytes: a forest on a million rows has more than a hundred million of them.
class AxisNode {
public:
    // A leaf. If owners store more than one number per leaf, they index it by node.
    explicit AxisNode(double value = 0) : number_(value) {}
    // The right child is the node after the left one.
    AxisNode(const AxisSplit& split, int left)
        : number_(split.set < 0 ? split.threshold : split.set),
          left_(left),
          feature_(static_cast<std::uint32_t>(split.feature) & 0x3fff'ffff),
          by_set_(split.set >= 0),
          missing_left_(split.missing_left) {}

    [[nodiscard]] bool is_leaf() const { return left_ < 0; }
    [[nodiscard]] double value() const { return number_; }  // for leaves
    [[nodiscard]] int left() const { return left_; }        // for splits
    [[nodiscard]] AxisSplit split() const {
        return {.feature = static_cast<int>(feature_),
                .threshold = by_set_ ? 0 : number_,
                .set = by_set_ ? static_cast<int>(number_) : -1,
                .missing_left = missing_left_ != 0};
    }
    friend bool operator==(const AxisNode&, const AxisNode&) = default;

private:
    double number_;  // the leaf's value, or the split's threshold or set
    std::int32_t left_ = -1;
    std::uint32_t feature_ : 30 = 0;
    std::uint32_t by_set_ : 1 = 0;
    std::uint32_t missing_left_ : 1 = 0;
};
static_assert(sizeof(AxisNode) == 16);

struct AxisTree {
    std::vector<AxisNode> nodes;  // the root first; children after their parents
    std::vector<LevelSet> sets;
    friend bool operator==(const AxisTree&, const AxisTree&) = default;
};

// Whether a value of the split's feature goes left.
[[nodiscard]] bool goes_left(const AxisTree& tree, const AxisSplit& split, double value);

// The index of a row's leaf. The row's features are `stride` numbers apart.
[[nodiscard]] int leaf_of(const AxisTree& tree, const double* row, Eigen::Index stride);
[[nodiscard]] inline int leaf_of(const AxisTree& tree, const FeatureRows& rows, std::size_t row) {
    return leaf_of(tree, rows.values.data() + row, rows.values.outerStride());
}

// The value of a row's leaf.
[[nodiscard]] inline double value_at(const AxisTree& tree, const double* row, Eigen::Index stride) {
    return tree.nodes[static_cast<std::size_t>(leaf_of(tree, row, stride))].value();
}
[[nodiscard]] inline double value_at(const AxisTree& tree, const FeatureRows& rows, std::size_t row) {
    return value_at(tree, rows.values.data() + row, rows.values.outerStride());
}

[[nodiscard]] std::size_t leaf_count(const AxisTree& tree);

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// A tree whose splits look at one feature each. What its leaves say is their owner's business.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/data/feature_rows.hpp"

namespace polyrx {

// Categories by their index.
class LevelSet {
public:
    LevelSet() = default;
    explicit LevelSet(int levels) : words_(static_cast<std::size_t>(levels + 63) / 64) {}

    // No level from here on is in it.
    [[nodiscard]] int capacity() const { return static_cast<int>(64 * words_.size()); }

    void insert(int level) { words_[static_cast<std::size_t>(level) / 64] |= std::uint64_t{1} << (level % 64); }
    // No level beyond those it was made for is in it.
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
    // A number goes to the left if it is at most this.
    double threshold = 0;
    // A category goes to the left if it is one of these: an index into AxisTree::sets; -1 of a number.
    int set = -1;
    bool missing_left = false;
    friend bool operator==(const AxisSplit&, const AxisSplit&) = default;
};

struct AxisNode {
    AxisSplit split;
    int left = -1;  // -1: a leaf; the right child is the next node
    [[nodiscard]] bool is_leaf() const { return left < 0; }
    friend bool operator==(const AxisNode&, const AxisNode&) = default;
};

struct AxisTree {
    std::vector<AxisNode> nodes;  // the first is the root; children come after their parents
    std::vector<LevelSet> sets;
    friend bool operator==(const AxisTree&, const AxisTree&) = default;
};

// Whether a value of the split's feature goes to the left.
[[nodiscard]] bool goes_left(const AxisTree& tree, const AxisSplit& split, double value);

// The number of the leaf that a row ends in. Its features are `stride` numbers apart.
[[nodiscard]] int leaf_of(const AxisTree& tree, const double* row, Eigen::Index stride);
[[nodiscard]] inline int leaf_of(const AxisTree& tree, const FeatureRows& rows, std::size_t row) {
    return leaf_of(tree, rows.values.data() + row, rows.values.outerStride());
}

[[nodiscard]] std::size_t leaf_count(const AxisTree& tree);

}  // namespace polyrx

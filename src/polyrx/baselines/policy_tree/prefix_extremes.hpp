// SPDX-License-Identifier: Apache-2.0
// The lowest and highest prefix sums of a sequence that changes one number at a time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace polyrx {

struct Extremes {
    std::int64_t lowest = 0;
    std::int64_t highest = 0;
};

// A binary tree over blocks of numbers. A change sums its block again. This is as fast as the three lowest levels of a
// tree over single numbers and takes less than a fifth of the memory, so the tree stays in the cache.
class PrefixExtremes {
public:
    // Starts with zeros.
    explicit PrefixExtremes(std::size_t numbers)
        : blocks_(std::bit_ceil(std::max<std::size_t>(1, (numbers + block - 1) / block))),
          numbers_(blocks_ * block),
          nodes_(2 * blocks_) {}

    void add(std::size_t place, std::int64_t amount) {
        numbers_[place] += amount;
        std::size_t at = blocks_ + place / block;
        nodes_[at] = sum_up(place / block * block, block);
        for (at /= 2; at > 0; at /= 2) nodes_[at] = joined(nodes_[2 * at], nodes_[2 * at + 1]);
    }

    // Over all prefixes, including the empty one with sum 0.
    [[nodiscard]] Extremes all() const { return {nodes_[1].lowest, nodes_[1].highest}; }

    // Over prefixes of `first` to `last` numbers.
    [[nodiscard]] Extremes between(std::size_t first, std::size_t last) const {
        std::int64_t before = 0;
        for (std::size_t b = 0; b < first / block; ++b) before += nodes_[blocks_ + b].sum;
        for (std::size_t i = first / block * block; i < first; ++i) before += numbers_[i];
        Node range;
        std::size_t place = first;
        while (place < last) {
            const bool whole = place % block == 0 && place + block <= last;
            range = joined(range, whole ? nodes_[blocks_ + place / block] : sum_up(place, 1));
            place += whole ? block : 1;
        }
        return {before + range.lowest, before + range.highest};
    }

private:
    static constexpr std::size_t block = 8;

    struct Node {
        std::int64_t sum = 0;
        std::int64_t lowest = 0;  // over prefixes of the node's numbers, including the empty one
        std::int64_t highest = 0;
    };

    [[nodiscard]] static Node joined(const Node& left, const Node& right) {
        return {left.sum + right.sum, std::min(left.lowest, left.sum + right.lowest),
                std::max(left.highest, left.sum + right.highest)};
    }
    [[nodiscard]] Node sum_up(std::size_t first, std::size_t count) const {
        Node node;
        for (std::size_t i = 0; i < count; ++i) {
            node.sum += numbers_[first + i];
            node.lowest = std::min(node.lowest, node.sum);
            node.highest = std::max(node.highest, node.sum);
        }
        return node;
    }

    std::size_t blocks_;  // a power of two
    std::vector<std::int64_t> numbers_;
    std::vector<Node> nodes_;  // the root is 1, the children of i are 2i and 2i + 1
};

// Counts how many rows the first slots hold.
class SlotCounts {
public:
    explicit SlotCounts(std::size_t slots) : counts_(slots), blocks_(slots / block + 1) {}

    void add(std::size_t slot) {
        ++counts_[slot];
        ++blocks_[slot / block];
        ++total_;
    }
    [[nodiscard]] std::size_t total() const { return total_; }
    // The smallest number of first slots that hold at least `rows` rows; that many must exist.
    [[nodiscard]] std::size_t first_with(std::size_t rows) const {
        std::size_t held = 0;
        std::size_t b = 0;
        while (b < blocks_.size() && held + blocks_[b] < rows) held += blocks_[b++];
        std::size_t slot = b * block;
        while (held < rows) held += counts_[slot++];
        return slot;
    }
    // The largest number of first slots that hold at most `rows` rows.
    [[nodiscard]] std::size_t first_within(std::size_t rows) const {
        std::size_t held = 0;
        std::size_t b = 0;
        while (b < blocks_.size() && held + blocks_[b] <= rows) held += blocks_[b++];
        std::size_t slot = b * block;
        while (slot < counts_.size() && held + counts_[slot] <= rows) held += counts_[slot++];
        return std::min(slot, counts_.size());
    }

private:
    static constexpr std::size_t block = 64;
    std::vector<std::size_t> counts_;
    std::vector<std::size_t> blocks_;
    std::size_t total_ = 0;
};

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/flat_tree.hpp"

#include <array>
#include <cmath>

namespace polyrx {
namespace {

// Four sums side by side, since one alone would wait for each addition before the next. The compiler makes two SIMD
// registers of them.
constexpr std::size_t sums = 4;

// std::trunc is a call where the processor is not known to have SSE 4.1.
bool is_whole(double value) {
    constexpr double all_whole_from = 0x1p52;
    return std::abs(value) >= all_whole_from || static_cast<double>(static_cast<std::int64_t>(value)) == value;
}

}  // namespace

FlatTree::FlatTree(const Tree& tree) {
    const Domain& domain = tree.domain;
    lower_.assign(domain.lower.begin(), domain.lower.end());
    upper_.assign(domain.upper.begin(), domain.upper.end());
    for (std::size_t input = 0; input < domain.integer.size(); ++input)
        if (domain.integer[input]) whole_.push_back(static_cast<std::uint32_t>(input));
    for (const std::vector<Eigen::Index>& group : domain.groups) {
        for (const Eigen::Index input : group) group_members_.push_back(static_cast<std::uint32_t>(input));
        group_ends_.push_back(static_cast<std::uint32_t>(group_members_.size()));
    }
    nodes_.resize(tree.nodes.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (const auto* split = std::get_if<Split>(&tree.nodes[i].what))
            add_split(*split, nodes_[i]);
        else
            nodes_[i].certified = std::get<Leaf>(tree.nodes[i].what).certificate.has_value();
    }
}

void FlatTree::add_split(const Split& split, FlatNode& node) {
    node.split = true;
    node.constant = split.function.constant;
    node.guard = split.guard;
    node.yes = split.yes;
    node.no = split.no;
    node.weight = weights_.size();

    const Vector& weights = split.function.weights;
    std::vector<std::uint32_t> used;
    for (Eigen::Index input = 0; input < weights.size(); ++input)
        if (weights[input] != 0) used.push_back(static_cast<std::uint32_t>(input));
    if (used.empty()) {
        node.run = true;
        return;
    }
    // A term of a run costs about half of one whose input must be looked up.
    const std::uint32_t length = used.back() - used.front() + 1;
    node.run = length <= 2 * used.size();
    if (node.run) {
        node.input = used.front();
        node.terms = length;
        for (std::uint32_t i = 0; i < length; ++i) weights_.push_back(weights[used.front() + i]);
    } else {
        node.input = inputs_.size();
        node.terms = static_cast<std::uint32_t>(used.size());
        for (const std::uint32_t input : used) {
            weights_.push_back(weights[input]);
            inputs_.push_back(input);
        }
    }
}

bool FlatTree::contains(const double* row) const {
    // No way out of the loops before their end, so that they become SIMD. Written so that NaN is outside.
    bool inside = true;
    for (std::size_t i = 0; i < lower_.size(); ++i) inside &= (row[i] >= lower_[i]) & (row[i] <= upper_[i]);
    if (!inside) return false;
    for (const std::uint32_t input : whole_) inside &= is_whole(row[input]);
    std::size_t member = 0;
    for (const std::uint32_t end : group_ends_) {
        double sum = 0;
        for (; member < end; ++member) sum += row[group_members_[member]];
        inside &= sum == 1;
    }
    return inside;
}

double FlatTree::value(const FlatNode& node, const double* row) const {
    std::array<double, sums> sum{};
    const double* weights = weights_.data() + node.weight;
    const std::size_t whole = node.terms / sums * sums;
    if (node.run) {
        const double* x = row + node.input;
        for (std::size_t i = 0; i < whole; i += sums)
            for (std::size_t s = 0; s < sums; ++s) sum[s] += weights[i + s] * x[i + s];
        for (std::size_t i = whole; i < node.terms; ++i) sum[i - whole] += weights[i] * x[i];
    } else {
        const std::uint32_t* inputs = inputs_.data() + node.input;
        for (std::size_t i = 0; i < whole; i += sums)
            for (std::size_t s = 0; s < sums; ++s) sum[s] += weights[i + s] * row[inputs[i + s]];
        for (std::size_t i = whole; i < node.terms; ++i) sum[i - whole] += weights[i] * row[inputs[i]];
    }
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + node.constant;
}

Arrival FlatTree::descend(const double* row) const {
    std::int32_t at = 0;
    for (;;) {
        const FlatNode& node = nodes_[static_cast<std::size_t>(at)];
        if (!node.split) return {at, node.certified};
        const double found = value(node, row);
        if (found > node.guard)
            at = node.yes;
        else if (found < -node.guard)
            at = node.no;
        else
            return {at, false};
    }
}

}  // namespace polyrx

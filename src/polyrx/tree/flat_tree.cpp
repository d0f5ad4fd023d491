// SPDX-License-Identifier: Apache-2.0
#include "polyrx/tree/flat_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "polyrx/tree/flat_tree_kernel.hpp"

namespace polyrx {
namespace {

// Rows per batch: enough for most splits to get several, few enough to stay in cache.
constexpr std::size_t together = 512;
// Above this, computing every split for every row is slower than partitioning rows by split.
constexpr std::size_t most_lane_work = 3000;

}  // namespace

FlatTree::FlatTree(const Tree& tree) : domain_(tree.domain), kernel_lower_(kernel_lower(tree.domain)) {
    if (LaneTree lanes(tree); lanes.work() <= most_lane_work) {
        small_.emplace(std::move(lanes));
        return;
    }
    const Domain& domain = domain_;
    for (const char integer : domain.integer) fraction_.push_back(integer ? 0 : 1);
    groups_ = flat_groups(domain);
    nodes_.resize(tree.nodes.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (const auto* split = std::get_if<Split>(&tree.nodes[i].what)) add_split(*split, nodes_[i]);
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
    // A term in a run costs less than half of one with an indexed input.
    const std::uint32_t length = used.back() - used.front() + 1;
    node.run = length <= 4 * used.size();
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

bool FlatTree::groups_hold(const double* row) const {
    bool hold = true;
    std::size_t member = 0;
    for (const std::uint32_t end : groups_.ends) {
        double sum = 0;
        for (; member < end; ++member) sum += row[groups_.members[member]];
        hold &= sum == 1;
    }
    return hold;
}

std::vector<std::uint32_t> FlatTree::rows_inside(const Matrix& rows) const {
    std::vector<unsigned char> bounded(static_cast<std::size_t>(rows.rows()));
    check_bounds({kernel_lower_.data(), domain_.upper.data(), fraction_.data(), fraction_.size()}, rows.data(),
                 bounded);
    std::vector<std::uint32_t> inside;
    inside.reserve(bounded.size());
    for (std::size_t i = 0; i < bounded.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        // The kernel may reject valid huge whole numbers.
        if (bounded[i] ? groups_hold(rows.data() + row * rows.cols()) : contains(domain_, rows.row(row).transpose()))
            inside.push_back(static_cast<std::uint32_t>(i));
    }
    return inside;
}

void FlatTree::values(const FlatNode& node, const Matrix& rows, std::span<const std::uint32_t> which,
                      double* into) const {
    const double* weights = weights_.data() + node.weight;
    const auto stride = static_cast<std::size_t>(rows.cols());
    if (node.run) {
        split_values({weights, node.terms, node.constant}, rows.data() + node.input, stride, which, into);
        return;
    }
    const std::uint32_t* inputs = inputs_.data() + node.input;
    for (std::size_t i = 0; i < which.size(); ++i) {
        const double* row = rows.data() + which[i] * stride;
        double sum = 0;
        for (std::size_t j = 0; j < node.terms; ++j) sum += weights[j] * row[inputs[j]];
        into[i] = sum + node.constant;
    }
}

// The branch at a split is unpredictable, and a misprediction costs more than the split. So rows descend together,
// split by split, and are partitioned without branches.
void FlatTree::descend_together(const Matrix& rows, std::span<std::uint32_t> which, std::span<int> ends) const {
    std::array<double, together> value;
    std::array<std::uint32_t, together> to_no;
    struct Task {
        std::int32_t node;
        std::size_t begin, end;  // range of its rows in `which`
    };
    std::vector<Task> tasks = {{0, 0, which.size()}};
    while (!tasks.empty()) {
        const auto [at, begin, end] = tasks.back();
        tasks.pop_back();
        const FlatNode& node = nodes_[static_cast<std::size_t>(at)];
        if (!node.split) {
            for (std::size_t i = begin; i < end; ++i) ends[which[i]] = at;
            continue;
        }
        values(node, rows, which.subspan(begin, end - begin), value.data());
        std::size_t yes = begin;
        std::size_t no = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const double found = value[i - begin];
            const std::uint32_t row = which[i];
            if (!(std::abs(found) > node.guard)) [[unlikely]]
                ends[row] = at;
            which[yes] = row;  // writes both; only one position advances
            to_no[no] = row;
            yes += found > node.guard ? 1 : 0;
            no += found < -node.guard ? 1 : 0;
        }
        std::copy_n(to_no.begin(), no, which.begin() + static_cast<std::ptrdiff_t>(yes));
        if (yes > begin) tasks.push_back({node.yes, begin, yes});
        if (no > 0) tasks.push_back({node.no, yes, yes + no});
    }
}

void FlatTree::arrive(const Matrix& rows, std::span<int> ends) const {
    if (small_) return small_->arrive(rows, ends);
    std::fill(ends.begin(), ends.end(), nowhere);
    std::vector<std::uint32_t> inside = rows_inside(rows);
    for (std::size_t first = 0; first < inside.size(); first += together)
        descend_together(rows, std::span(inside).subspan(first, std::min(together, inside.size() - first)), ends);
}

}  // namespace polyrx

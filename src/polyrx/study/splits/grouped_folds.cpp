// SPDX-License-Identifier: Apache-2.0
#include "polyrx/study/splits/grouped_folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "polyrx/core/error.hpp"
#include "polyrx/core/matrix.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/study/splits/group_numbers.hpp"

namespace polyrx {
namespace {

// Groups x treatments: the share of a treatment's rows that are in the group. Shares give rare treatments the same
// importance as common ones.
Matrix shares_of_treatments(std::span<const int> treatment, const GroupNumbers& groups) {
    const int treatments = 1 + *std::ranges::max_element(treatment);
    Matrix shares = Matrix::Zero(static_cast<Eigen::Index>(groups.count), treatments);
    for (std::size_t row = 0; row < treatment.size(); ++row)
        shares(static_cast<Eigen::Index>(groups.of_row[row]), treatment[row]) += 1;
    for (auto of_treatment : shares.colwise())
        if (const double rows = of_treatment.sum(); rows > 0) of_treatment /= rows;
    return shares;
}

// Assigns groups, largest first, to the fold where each adds least to the sum of squared shares. The sum is smallest
// when all folds have equal shares. Ties go to the fold with the fewest rows, then to the first.
std::vector<std::size_t> deal_groups(const Matrix& shares, std::span<const std::size_t> sizes, std::size_t folds,
                                     std::uint64_t seed) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng(seed, Draw::folds).shuffle(std::span(order));
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t group) { return sizes[group]; });
    std::vector<std::size_t> fold_of(sizes.size());
    Matrix dealt = Matrix::Zero(static_cast<Eigen::Index>(folds), shares.cols());
    std::vector<std::size_t> rows(folds);
    for (const std::size_t group : order) {
        const auto share = shares.row(static_cast<Eigen::Index>(group));
        std::size_t best = 0;
        for (std::size_t fold = 1; fold < folds; ++fold) {
            const double more = share.dot(dealt.row(static_cast<Eigen::Index>(fold)));
            const double least = share.dot(dealt.row(static_cast<Eigen::Index>(best)));
            if (more < least || (more == least && rows[fold] < rows[best])) best = fold;
        }
        fold_of[group] = best;
        dealt.row(static_cast<Eigen::Index>(best)) += share;
        rows[best] += sizes[group];
    }
    return fold_of;
}

}  // namespace

std::vector<RowSplit> folds_of(std::span<const int> treatment, std::span<const std::size_t> group, std::size_t wanted,
                               std::uint64_t seed) {
    const std::size_t groups = group.empty() ? 0 : number_groups(group).count;
    return groups > 1 ? grouped_folds(treatment, group, std::min(wanted, groups), seed)
                      : k_folds(treatment, std::min(wanted, treatment.size()), seed);
}

RowSplit grouped_split(std::span<const std::size_t> group, double share, std::uint64_t seed) {
    if (!(share >= 0 && share < 1))
        throw usage_error(fmt::format("the held-out share must be at least 0 and below 1, not {}", share));
    const GroupNumbers groups = number_groups(group);
    std::vector<std::size_t> sizes(groups.count);
    for (const std::size_t number : groups.of_row) ++sizes[number];
    std::vector<std::size_t> order(groups.count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng(seed, Draw::split).shuffle(std::span(order));
    std::vector<bool> held_out(groups.count);
    const double wanted = share * static_cast<double>(group.size());
    double rows = 0;
    for (std::size_t i = 0; i + 1 < order.size() && rows < wanted; ++i) {
        // Take the group that exceeds the share only if the result is then closer to it.
        const auto more = static_cast<double>(sizes[order[i]]);
        if (i > 0 && rows + more - wanted > wanted - rows) continue;
        held_out[order[i]] = true;
        rows += more;
    }
    RowSplit split;
    for (std::size_t row = 0; row < group.size(); ++row)
        (held_out[groups.of_row[row]] ? split.held_out : split.kept).push_back(row);
    return split;
}

std::vector<RowSplit> grouped_folds(std::span<const int> treatment, std::span<const std::size_t> group,
                                    std::size_t folds, std::uint64_t seed) {
    if (group.size() != treatment.size())
        throw usage_error(fmt::format("{} groups were given for {} rows", group.size(), treatment.size()));
    const GroupNumbers groups = number_groups(group);
    if (groups.count == treatment.size()) return k_folds(treatment, folds, seed);
    if (folds < 2) throw usage_error(fmt::format("there must be at least 2 folds, not {}", folds));
    if (folds > groups.count)
        throw usage_error(fmt::format("{} folds need at least as many groups; there are only {}", folds, groups.count));
    std::vector<std::size_t> sizes(groups.count);
    for (const std::size_t number : groups.of_row) ++sizes[number];
    const std::vector<std::size_t> fold_of = deal_groups(shares_of_treatments(treatment, groups), sizes, folds, seed);
    std::vector<RowSplit> splits(folds);
    for (std::size_t row = 0; row < treatment.size(); ++row)
        for (std::size_t fold = 0; fold < folds; ++fold)
            (fold_of[groups.of_row[row]] == fold ? splits[fold].held_out : splits[fold].kept).push_back(row);
    return splits;
}

}  // namespace polyrx

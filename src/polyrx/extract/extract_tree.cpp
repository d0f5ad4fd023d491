// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/extract_tree.hpp"

#include <fmt/format.h>

#include "polyrx/extract/certify.hpp"
#include "polyrx/extract/exact_tree.hpp"

namespace polyrx {
namespace {

// Leaves of a supported tree are proved if that is easy: each is tried with this many cases.
constexpr std::size_t cases_of_a_supported_leaf = 8;

Tree supported_tree(const ReluNetwork& network, const Domain& domain, const Matrix& rows, const GrowOptions& options,
                    const Progress& progress) {
    Tree tree = grow_tree(network, domain, rows, options, progress);
    Budget unlimited({.leaves = 0, .linear_programs = 0, .seconds = 0}, progress);
    certify(tree, network, rows, {.most_cases = cases_of_a_supported_leaf, .threads = options.threads}, unlimited);
    count_rows(tree, rows);
    return tree;
}

}  // namespace

std::string_view name_of(ExtractMode mode) {
    if (mode == ExtractMode::automatic) return "auto";
    return mode == ExtractMode::exact ? "exact" : "supported";
}

void count_rows(Tree& tree, const Matrix& rows) {
    for (Node& node : tree.nodes) node.rows = 0;
    tree.rows = static_cast<std::size_t>(rows.rows());
    tree.outside = 0;
    std::size_t answered = 0;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        const Vector row = rows.row(i);
        if (!contains(tree.domain, row)) {
            ++tree.outside;
            continue;
        }
        answered += descend(tree, row).answered ? 1 : 0;
        // All nodes on the way, guards ignored: a row in a guard band belongs to a leaf too.
        int at = 0;
        for (;;) {
            Node& node = tree.nodes[static_cast<std::size_t>(at)];
            ++node.rows;
            const auto* split = std::get_if<Split>(&node.what);
            if (!split) break;
            at = split->function(row) > 0 ? split->yes : split->no;
        }
    }
    if (tree.rows > 0) tree.certified_share = static_cast<double>(answered) / static_cast<double>(tree.rows);
}

Tree extract_tree(const ReluNetwork& network, const Domain& domain, const std::optional<Matrix>& rows,
                  const ExtractOptions& options, const Progress& progress) {
    if (options.mode == ExtractMode::supported) {
        if (!rows) throw usage_error("a supported tree is grown on data: name a file of rows with --data");
        return supported_tree(network, domain, *rows, options.grow, progress);
    }
    try {
        Tree tree = exact_tree(network, domain, {.limits = options.limits, .threads = options.grow.threads}, progress);
        if (rows) count_rows(tree, *rows);
        return tree;
    } catch (const BudgetSpent& spent) {
        if (options.mode == ExtractMode::automatic && rows)
            return supported_tree(network, domain, *rows, options.grow, progress);
        throw BudgetSpent(
            spent.trouble(),
            fmt::format("{}; --mode supported with --data FILE makes a tree of any network", spent.what()));
    }
}

}  // namespace polyrx

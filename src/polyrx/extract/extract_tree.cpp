// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/extract_tree.hpp"

#include <fmt/format.h>

#include "polyrx/extract/cells/certify.hpp"
#include "polyrx/extract/exact/exact_tree.hpp"
#include "polyrx/extract/supported/count_rows.hpp"

namespace polyrx {
namespace {

// Leaves of a supported tree are proved if that is easy: with at most this many cases per leaf.
constexpr std::size_t cases_of_a_supported_leaf = 8;

Tree supported_tree(const ReluNetwork& network, const BoundRules& rules, const Domain& domain, const Matrix& rows,
                    const GrowOptions& options, const Progress& progress) {
    Tree tree = grow_tree(network, rules, domain, rows, options, progress);
    Budget unlimited({.leaves = 0, .linear_programs = 0, .seconds = 0});
    certify(tree, network, rules, rows, {.most_cases = cases_of_a_supported_leaf, .threads = options.threads},
            unlimited, progress);
    share_certified(tree, rows);  // grow_tree() has counted the rows
    return tree;
}

}  // namespace

std::string_view name_of(ExtractMode mode) {
    if (mode == ExtractMode::automatic) return "auto";
    return mode == ExtractMode::exact ? "exact" : "supported";
}

Tree extract_tree(const ReluNetwork& network, const RuleBook& rules, const Domain& domain,
                  const std::optional<Matrix>& rows, const ExtractOptions& options, const Progress& progress) {
    if (options.mode == ExtractMode::supported) {
        if (!rows) throw usage_error("a supported tree needs rows of data; name a file with --data");
        return supported_tree(network, rules.bound, domain, *rows, options.grow, progress);
    }
    try {
        Tree tree = exact_tree(network, rules.bound, domain,
                               {.limits = options.limits, .threads = options.grow.threads}, progress);
        if (rows) {
            count_rows(tree, *rows);
            share_certified(tree, *rows);
        }
        return tree;
    } catch (const BudgetSpent& spent) {
        if (options.mode == ExtractMode::automatic && rows)
            return supported_tree(network, rules.bound, domain, *rows, options.grow, progress);
        throw BudgetSpent(spent.kind(), fmt::format("{}; --mode supported with --data FILE makes a tree of any network",
                                                    spent.what()));
    }
}

}  // namespace polyrx

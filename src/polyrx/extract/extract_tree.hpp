// SPDX-License-Identifier: Apache-2.0
// Converts a network and its rules to a tree: exact if feasible, otherwise supported by data.
#pragma once

#include <optional>
#include <string_view>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/extract/budget.hpp"
#include "polyrx/extract/supported/grow.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/rule_book.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

enum class ExtractMode {
    exact,      // covers every region of the domain, and proves every leaf
    supported,  // grown on data; proves leaves where possible
    automatic,  // exact if the tree is small enough to read, otherwise supported
};

[[nodiscard]] std::string_view name_of(ExtractMode mode);

// The default limits of an automatic choice. Larger trees are hard to read.
inline constexpr BudgetLimits automatic_limits{.leaves = 500, .linear_programs = 300'000, .seconds = 0};

struct ExtractOptions {
    ExtractMode mode = ExtractMode::automatic;
    BudgetLimits limits;  // for the exact tree
    GrowOptions grow;     // for the supported tree; its threads apply to both
};

// `rows` are encoded and counted in the tree's nodes; a supported tree needs them. Throws BudgetSpent, with advice, if
// the exact tree is too large and no other is possible. Throws a usage error if the rules are enforced by a penalty,
// because a tree excludes forbidden treatments.
[[nodiscard]] Tree extract_tree(const ReluNetwork& network, const RuleBook& rules, const Domain& domain,
                                const std::optional<Matrix>& rows, const ExtractOptions& options,
                                const Progress& progress = {});

}  // namespace polyrx

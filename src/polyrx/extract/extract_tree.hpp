// SPDX-License-Identifier: Apache-2.0
// From a network and its rules to a tree: exact where that can be had, supported by data else.
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
    exact,      // every region of the domain is covered, and every leaf is proved
    supported,  // grown on data; leaves are proved where that succeeds
    automatic,  // exact if the tree is small enough to be read, else supported
};

[[nodiscard]] std::string_view name_of(ExtractMode mode);

// The limits of an automatic choice, unless the user says else: a larger tree nobody reads.
inline constexpr BudgetLimits automatic_limits{.leaves = 500, .linear_programs = 300'000, .seconds = 0};

struct ExtractOptions {
    ExtractMode mode = ExtractMode::automatic;
    BudgetLimits limits;  // of the exact tree
    GrowOptions grow;     // of the supported one; its threads count for both
};

// `rows` are encoded; without them a supported tree cannot be had. They are counted in the tree's nodes.
// Throws BudgetSpent, with advice, when the exact tree is too large and there is no other; a usage error if the rules
// are obeyed by a penalty, since a tree takes forbidden treatments to be out of the question.
[[nodiscard]] Tree extract_tree(const ReluNetwork& network, const RuleBook& rules, const Domain& domain,
                                const std::optional<Matrix>& rows, const ExtractOptions& options,
                                const Progress& progress = {});

}  // namespace polyrx

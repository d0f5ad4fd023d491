// SPDX-License-Identifier: Apache-2.0
// Proves that a tree makes the same recommendations as its model, or finds where it may not.
#pragma once

#include <string>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/json/json.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/policy/tree_policy.hpp"
#include "polyrx/verify/check_tree.hpp"

namespace polyrx {

struct VerifyTreeOptions {
    int threads = 0;  // 0: all cores
    // Names in messages.
    std::string model_name = "the model";
    std::string tree_name = "the tree";
};

struct TreeVerification {
    TreeCheck check;
    ProvedDomain domain;
    std::string failure;  // one sentence; empty if the tree is proved
};

// Uses the network and rules of the model, not their copy in the tree. Throws a data error if the tree belongs to
// another model, and a usage error if the model has no network.
[[nodiscard]] TreeVerification verify_tree(const Policy& model, const TreePolicy& tree,
                                           const VerifyTreeOptions& options = {}, const Progress& progress = {});

[[nodiscard]] Json json_of(const TreeVerification& verification, const TreePolicy& tree);

}  // namespace polyrx

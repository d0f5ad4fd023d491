// SPDX-License-Identifier: Apache-2.0
#include "verbs.hpp"

namespace polyrx::cli {

std::vector<Verb> all_verbs() {
    std::vector<Verb> verbs;
    verbs.push_back(demo_verb());
    verbs.push_back(simulate_verb());
    verbs.push_back(warfarin_verb());
    verbs.push_back(fit_verb());
    verbs.push_back(prescribe_verb());
    verbs.push_back(evaluate_verb());
    verbs.push_back(compare_verb());
    verbs.push_back(rules_verb());
    verbs.push_back(constrain_verb());
    verbs.push_back(distill_verb());
    verbs.push_back(tree_verb());
    verbs.push_back(verify_verb());
    verbs.push_back(regions_verb());
    verbs.push_back(prune_verb());
    verbs.push_back(completions_verb());
    return verbs;
}

}  // namespace polyrx::cli

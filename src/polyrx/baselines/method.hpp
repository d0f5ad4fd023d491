// SPDX-License-Identifier: Apache-2.0
// The ways to learn a policy that the program knows, by name: the network, and what it is compared with.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace polyrx {

enum class Method {
    network,  // prescriptive ReLU networks
    rc_lr,    // regress and compare: one least-squares regression per treatment
    rc_rf,    // the same with random forests
    ct,       // causal tree, two treatments
    ct_1va,
    ct_1v1a,
    ct_1v1b,
    cf,  // causal forest, two treatments
    cf_1va,
    cf_1v1a,
    cf_1v1b,
    pt,          // personalization tree
    pf,          // personalization forest
    policytree,  // the best tree of a few splits over doubly robust scores
    s_learner,   // meta-learners on forests
    x_learner,
    r_learner,
    dr_learner,
    opt,       // optimal prescriptive tree: cuts of one input, constant leaves
    opt_l,     // linear leaves
    opt_h,     // hyperplanes
    opt_hl,    // hyperplanes, linear leaves
    constant,  // the best single treatment for everybody
};

// All of them, in the order of the list above.
[[nodiscard]] const std::vector<Method>& all_methods();

// "rc-lr"
[[nodiscard]] std::string_view name_of(Method method);
[[nodiscard]] std::optional<Method> method_named(std::string_view name);

// Whether a method can learn to choose among so many treatments: ct and cf are for two, their schemes for more.
[[nodiscard]] bool suits(Method method, std::size_t treatments);

}  // namespace polyrx

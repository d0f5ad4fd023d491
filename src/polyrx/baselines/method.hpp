// SPDX-License-Identifier: Apache-2.0
// The names of all methods that can learn a policy: the network and the baselines.
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
    policytree,  // the best shallow tree for doubly robust scores
    s_learner,   // this and the next two: meta-learners on forests
    x_learner,
    r_learner,
    dr_learner,
    opt,       // optimal prescriptive tree: axis splits, constant leaves
    opt_l,     // axis splits, linear leaves
    opt_h,     // hyperplane splits, constant leaves
    opt_hl,    // hyperplane splits, linear leaves
    constant,  // the best single treatment for all rows
};

// In the order of the enumeration.
[[nodiscard]] const std::vector<Method>& all_methods();

// For example "rc-lr".
[[nodiscard]] std::string_view name_of(Method method);
[[nodiscard]] std::optional<Method> method_named(std::string_view name);

// Whether a method supports this number of treatments: ct and cf support only two, their schemes more.
[[nodiscard]] bool suits(Method method, std::size_t treatments);

}  // namespace polyrx

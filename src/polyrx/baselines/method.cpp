// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/method.hpp"

#include <algorithm>
#include <utility>

namespace polyrx {
namespace {

const std::vector<std::pair<Method, std::string_view>>& names() {
    static const std::vector<std::pair<Method, std::string_view>> list = {{Method::network, "network"},
                                                                          {Method::rc_lr, "rc-lr"},
                                                                          {Method::rc_rf, "rc-rf"},
                                                                          {Method::ct, "ct"},
                                                                          {Method::ct_1va, "ct-1va"},
                                                                          {Method::ct_1v1a, "ct-1v1a"},
                                                                          {Method::ct_1v1b, "ct-1v1b"},
                                                                          {Method::cf, "cf"},
                                                                          {Method::cf_1va, "cf-1va"},
                                                                          {Method::cf_1v1a, "cf-1v1a"},
                                                                          {Method::cf_1v1b, "cf-1v1b"},
                                                                          {Method::pt, "pt"},
                                                                          {Method::pf, "pf"},
                                                                          {Method::opt, "opt"},
                                                                          {Method::opt_l, "opt-l"},
                                                                          {Method::opt_h, "opt-h"},
                                                                          {Method::opt_hl, "opt-hl"},
                                                                          {Method::policytree, "policytree"},
                                                                          {Method::s_learner, "s-learner"},
                                                                          {Method::x_learner, "x-learner"},
                                                                          {Method::r_learner, "r-learner"},
                                                                          {Method::dr_learner, "dr-learner"},
                                                                          {Method::constant, "constant"}};
    return list;
}

}  // namespace

const std::vector<Method>& all_methods() {
    static const std::vector<Method> methods = [] {
        std::vector<Method> list;
        for (const auto& each : names()) list.push_back(each.first);
        return list;
    }();
    return methods;
}

std::string_view name_of(Method method) {
    return std::ranges::find(names(), method, &std::pair<Method, std::string_view>::first)->second;
}

std::optional<Method> method_named(std::string_view name) {
    const auto found = std::ranges::find(names(), name, &std::pair<Method, std::string_view>::second);
    return found == names().end() ? std::nullopt : std::optional(found->first);
}

bool suits(Method method, std::size_t treatments) {
    switch (method) {
        case Method::ct:
        case Method::cf:
            return treatments == 2;
        case Method::ct_1va:
        case Method::ct_1v1a:
        case Method::ct_1v1b:
        case Method::cf_1va:
        case Method::cf_1v1a:
        case Method::cf_1v1b:
            return treatments > 2;
        default:
            return true;
    }
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/verify_tree.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/model_file.hpp"

namespace polyrx {
namespace {

void check_belongs(const Policy& model, const TreePolicy& tree, const VerifyTreeOptions& options) {
    const std::string of_model = model_sha256(model);
    const std::string of_tree = model_sha256(tree.policy);
    if (of_model != of_tree)
        throw data_error(
            fmt::format("{}: the tree belongs to another model: its model's sha256 is {}..., that of {} is {}...",
                        options.tree_name, of_tree.substr(0, 12), options.model_name, of_model.substr(0, 12)));
}

}  // namespace

TreeVerification verify_tree(const Policy& model, const TreePolicy& tree, const VerifyTreeOptions& options,
                             const Progress& progress) {
    require_network(model, "polyrx verify");
    check_belongs(model, tree, options);
    TreeVerification verification{
        check_tree(model.network, model.rules.bound, tree.tree, {.threads = options.threads}, progress),
        proved_domain(tree), ""};
    if (verification.check.proved) return verification;
    verification.failure =
        verification.check.certified == 0
            ? fmt::format("{}: no leaf of the tree has a certificate, so nothing is proved", options.tree_name)
            : fmt::format("{}: the tree is not proved to prescribe what {} does", options.tree_name,
                          options.model_name);
    return verification;
}

Json json_of(const TreeVerification& verification, const TreePolicy& tree) {
    const TreeCheck& check = verification.check;
    Json json = {{"proved", check.proved},       {"refuted", check.refuted}, {"leaves", check.leaves},
                 {"certified", check.certified}, {"steps", check.steps},     {"worst_gap", check.worst_gap},
                 {"leaf", check.leaf},           {"point", nullptr},         {"reason", check.reason}};
    if (check.point.size() > 0) {
        Json& point = json["point"] = Json::object();
        for (std::size_t i = 0; i < tree.policy.encoder.columns().size(); ++i)
            point.add(tree.policy.encoder.columns()[i].name, check.point[static_cast<Eigen::Index>(i)]);
    }
    const ProvedDomain& domain = verification.domain;
    json.add("domain", domain.differences.empty() ? "the model's" : domain.narrower ? "narrower" : "other");
    json.add("domain_differences", domain.differences);
    return json;
}

}  // namespace polyrx

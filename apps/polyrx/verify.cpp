// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "claims.hpp"
#include "domain_option.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/verify/check_tree.hpp"
#include "polyrx/api/summary.hpp"
#include "support_options.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

struct VerifyArguments {
    std::string model;
    std::string tree;
    std::string claims;
    std::vector<std::string> domain;
    std::optional<WhenMissing> when_missing;
    std::optional<double> max_seconds;
    bool json = false;
    int threads = 0;
    bool quiet = false;
};

std::string json_words(const TreeCheck& check, const TreePolicy& tree) {
    nlohmann::ordered_json json = {{"proved", check.proved && check.certified > 0},
                                   {"refuted", check.refuted},
                                   {"leaves", check.leaves},
                                   {"certified", check.certified},
                                   {"steps", check.steps},
                                   {"worst_gap", check.worst_gap},
                                   {"leaf", check.leaf}};
    json["point"] = nlohmann::ordered_json(nullptr);
    if (check.point.size() > 0) {
        nlohmann::ordered_json point;
        for (std::size_t i = 0; i < tree.policy.encoder.columns().size(); ++i)
            point[tree.policy.encoder.columns()[i].name] = check.point[static_cast<Eigen::Index>(i)];
        json["point"] = std::move(point);
    }
    json["reason"] = check.reason;
    const ProvedDomain domain = proved_domain(tree);
    json["domain"] = domain.differences.empty() ? "the model's" : domain.narrower ? "narrower" : "other";
    json["domain_differences"] = domain.differences;
    return json.dump(1) + "\n";
}

void verify_tree(const VerifyArguments& arguments, Terminal& terminal) {
    if (arguments.model == "-" && arguments.tree == "-")
        throw usage_error("only one of MODEL and TREE can be standard input");
    const Progress progress = terminal.progress();
    const Policy policy = load_model(arguments.model, progress);
    repeat_recommendation(policy, terminal);
    require_network(policy, "polyrx verify");
    const TreePolicy tree = load_tree(arguments.tree, progress);
    const std::string of_model = model_sha256(policy);
    const std::string of_tree = model_sha256(tree.policy);
    if (of_model != of_tree)
        throw data_error(
            fmt::format("{}: the tree belongs to another model: its model's sha256 is {}..., that of {} is {}...",
                        arguments.tree, of_tree.substr(0, 12), arguments.model, of_model.substr(0, 12)));
    // The model itself, not the copy in the tree.
    const TreeCheck check =
        check_tree(policy.network, policy.rules.bound, tree.tree, {.threads = arguments.threads}, progress);
    Output("-").write(arguments.json ? json_words(check, tree) : proof_summary(check, tree));
    if (!check.proved)
        throw Error(ErrorKind::proof, fmt::format("{}: the tree is not proved to prescribe what {} does",
                                                  arguments.tree, arguments.model));
}

void run(const VerifyArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.claims.empty() == arguments.tree.empty())
        throw usage_error("expected either a TREE or --claims FILE: what is to be verified of the model");
    if (arguments.claims.empty()) {
        if (!arguments.domain.empty() || arguments.max_seconds)
            throw usage_error("--domain and --max-seconds are for --claims: a tree has its own domain");
        if (arguments.when_missing) throw usage_error("--when-missing is for --claims: a tree's rules are its model's");
        return verify_tree(arguments, terminal);
    }
    if (arguments.model == "-" && arguments.claims == "-")
        throw usage_error("only one of MODEL and --claims can be standard input");
    verify_claims(
        {arguments.model, arguments.claims, arguments.domain, arguments.when_missing.value_or(WhenMissing::skip),
         arguments.max_seconds, arguments.threads, arguments.json},
        terminal);
}

}  // namespace

Verb verify_verb() {
    const auto arguments = std::make_shared<VerifyArguments>();
    Verb verb;
    verb.name = "verify";
    verb.summary = "prove that a tree matches its model, or prove claims about a model";
    verb.description =
        "Checks the certificate of every leaf of a tree, with code of its own and safely rounded arithmetic. The proof "
        "covers every row of the tree's domain, not only those in the data. If the proof fails, verify prints the "
        "worst gap and the row where it occurs, and exits with status 4. --claims decides claims about the model "
        "itself, written like rules "
        "(\"if age > 80 then not High\"). Each is proved for every row of the domain, refuted by a row (exit status "
        "4), or left undecided, for example at the time limit (exit status 1).";
    verb.positionals = {positional(arguments->model, "MODEL", "model file").completes(Complete::file),
                        positional(arguments->tree, "TREE", "tree file of that model (polyrx tree --format json)")
                            .completes(Complete::file)};
    verb.positionals.back().required = false;
    verb.options = {
        option(arguments->claims, "claims", "FILE", "claims to decide, in the language of rules (docs/rules.md)")
            .completes(Complete::file),
        domain_option(arguments->domain),
        when_missing_option(arguments->when_missing).default_is("skip"),
        max_seconds_option(arguments->max_seconds),
        threads_option(arguments->threads),
        json_option(arguments->json),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx verify model.json tree.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli

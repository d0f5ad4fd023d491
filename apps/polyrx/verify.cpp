// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domain_option.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/api/verify_claims.hpp"
#include "polyrx/api/verify_tree.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/rules/language/rules_json.hpp"
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

void verify_a_tree(const VerifyArguments& arguments, Terminal& terminal) {
    if (!arguments.domain.empty() || arguments.max_seconds)
        throw usage_error("--domain and --max-seconds are for --claims: a tree has its own domain");
    if (arguments.when_missing) throw usage_error("--when-missing is for --claims: a tree's rules are its model's");
    if (arguments.model == "-" && arguments.tree == "-")
        throw usage_error("only one of MODEL and TREE can be standard input");
    const Progress progress = terminal.progress();
    const Policy policy = load_model(arguments.model, progress);
    repeat_recommendation(policy, terminal);
    require_network(policy, "polyrx verify");
    const TreePolicy tree = load_tree(arguments.tree, progress);
    const TreeVerification verification =
        verify_tree(policy, tree, {arguments.threads, arguments.model, arguments.tree}, progress);
    if (arguments.json)
        Output("-").write(json_of(verification, tree).dump(1) + "\n");
    else
        Output("-").write_text(proof_summary(verification.check, tree));
    if (!verification.failure.empty()) throw Error(ErrorKind::proof, verification.failure);
}

void verify_all_claims(const VerifyArguments& arguments, Terminal& terminal) {
    if (arguments.model == "-" && arguments.claims == "-")
        throw usage_error("only one of MODEL and --claims can be standard input");
    const Progress progress = terminal.progress();
    const Policy policy = load_model(arguments.model, progress);
    repeat_recommendation(policy, terminal);
    require_network(policy, "polyrx verify");
    const DataText file = read_data(arguments.claims, progress);
    VerifyClaimsOptions options;
    options.domain = arguments.domain;
    options.when_missing = arguments.when_missing.value_or(options.when_missing);
    options.search.seconds = arguments.max_seconds.value_or(0);
    options.search.threads = arguments.threads;
    options.name = file.name;
    const DecidedClaims decided = verify_claims(policy, parse_rules_file(file.bytes, file.name), options, progress);
    if (arguments.json)
        Output("-").write(json_of(decided).dump(1) + "\n");
    else
        Output("-").write_text(text_of(decided));
    const auto of_all = [&](Verdict verdict) {
        return fmt::format("{}: {} of {} {} {}", file.name, decided.count(verdict), decided.claims.size(),
                           decided.claims.size() == 1 ? "claim is" : "claims are", name_of(verdict));
    };
    if (decided.count(Verdict::refuted) > 0) throw Error(ErrorKind::proof, of_all(Verdict::refuted));
    if (decided.count(Verdict::undecided) > 0) throw other_error(of_all(Verdict::undecided));
}

void run(const VerifyArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.claims.empty() == arguments.tree.empty())
        throw usage_error("expected either a TREE or --claims FILE: name what to verify");
    if (arguments.claims.empty())
        verify_a_tree(arguments, terminal);
    else
        verify_all_claims(arguments, terminal);
}

}  // namespace

Verb verify_verb() {
    const auto arguments = std::make_shared<VerifyArguments>();
    Verb verb;
    verb.name = "verify";
    verb.summary = "prove that a tree matches its model, or prove claims about a model";
    verb.description =
        "Checks the certificate of every leaf of a tree, with independent code and directed rounding. The proof covers "
        "every row of the tree's domain, not only those in the data. If the proof fails, verify prints the worst gap "
        "and the row where it occurs, and exits with status 4. --claims decides claims about the model itself, written "
        "like rules (\"if age > 80 then not High\"). Each is proved for every row of the domain, refuted by a row "
        "(exit status 4), or left undecided, for example at the time limit (exit status 1).";
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
    verb.example = {"polyrx verify distilled.json tree.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli

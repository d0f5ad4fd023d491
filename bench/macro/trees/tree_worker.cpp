// SPDX-License-Identifier: Apache-2.0
// Counts regions, makes trees, checks them and prescribes with them when asked: a request in JSON on a line of standard
// input, its answer on a line of standard output. Times are {"wall": s, "cpu": s}.
//
//     {"do": "random", "hidden": [20], "inputs": 40, "sparse": false, "binary": true, "seed": S, "rows": N}
//     {"do": "fitted", "data": "1", "recipe": "paper", "hidden": [], "inputs": 0, "rows": N}
//         makes the policy that the rest is about: see study.hpp
//     {"do": "count", "threads": T}
//     {"do": "count with Clp"}
//         regions, and for Clp the number of linear programs
//     {"do": "tree", "mode": "exact", "leaves": 0, "threads": T}
//         makes the tree that the rest is about; leaves are the most of a supported one, 0 the default
//     {"do": "check", "threads": T}
//     {"do": "prescribe", "turns": N}
//         least seconds of the network and of the tree, in turn, as a user calls them and from encoded rows
//     {"do": "about"}
//         the compiler, and the most memory that the process has had, in MB
#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "bench/macro/trees/clp_search.hpp"
#include "bench/macro/trees/study.hpp"
#include "bench/macro/worker.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/extract/extract_tree.hpp"
#include "polyrx/extract/regions/enumerate.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/policy/tree_policy.hpp"
#include "polyrx/tree/flat_tree.hpp"
#include "polyrx/verify/check_tree.hpp"

namespace polyrx::bench {
namespace {

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

// Many splits ask for the sign of the same neuron.
std::size_t distinct_functions(const Tree& tree) {
    std::vector<const AffineFunction*> distinct;
    for (const Node& node : tree.nodes)
        if (const auto* split = std::get_if<Split>(&node.what))
            if (std::none_of(distinct.begin(), distinct.end(), [&](const auto* f) { return *f == split->function; }))
                distinct.push_back(&split->function);
    return distinct.size();
}

class Worker {
public:
    Json answer(const JsonCursor& request) {
        const std::string what = request.at("do").text();
        if (what == "random") return make_random(request);
        if (what == "fitted") return make_fitted(request);
        if (what == "count") return count(request);
        if (what == "count with Clp") return count_with_clp();
        if (what == "tree") return make_tree(request);
        if (what == "check") return check(request);
        if (what == "prescribe") return prescribe_in_turn(request);
        if (what == "about") return {{"compiler", compiler}, {"peak", peak_megabytes()}};
        throw usage_error("there is no request '" + what + "'");
    }

private:
    Json make_random(const JsonCursor& request) {
        RandomNetwork network;
        network.hidden = hidden_in(request);
        network.inputs = request.at("inputs").whole<decltype(network.inputs)>();
        network.sparse = request.at("sparse").truth();
        network.binary = request.at("binary").truth();
        network.seed = request.at("seed").whole<std::uint64_t>();
        return take(random_study(network, request.at("rows").whole<std::size_t>()));
    }

    Json make_fitted(const JsonCursor& request) {
        FittedNetwork network;
        network.data = request.at("data").text();
        network.recipe = request.at("recipe").text();
        network.hidden = hidden_in(request);
        network.inputs = request.at("inputs").whole<decltype(network.inputs)>();
        return take(fitted_study(network, request.at("rows").whole<std::size_t>()));
    }

    Json take(Study study) {
        tree_.policy = std::move(study.policy);
        rows_ = std::move(study.rows);
        domain_ = policy_domain(tree_.policy);
        tree_.tree = {};
        return {{"inputs", domain_.inputs()}};
    }

    [[nodiscard]] Json count(const JsonCursor& request) const {
        std::size_t regions = 0;
        Json times = seconds_of([&] {
            regions = count_patterns(tree_.policy.network, domain_, {.threads = request.at("threads").whole<int>()});
        });
        times["regions"] = regions;
        return times;
    }

    [[nodiscard]] Json count_with_clp() const {
        ClpCount count;
        Json times = seconds_of([&] { count = count_patterns_with_clp(tree_.policy.network, domain_); });
        times["regions"] = count.regions;
        times["questions"] = count.questions;
        return times;
    }

    Json make_tree(const JsonCursor& request) {
        ExtractOptions options;
        options.mode = request.at("mode").text() == "exact" ? ExtractMode::exact : ExtractMode::supported;
        options.limits = {.leaves = 10'000, .linear_programs = 0};
        options.grow.threads = request.at("threads").whole<int>();
        if (const auto leaves = request.at("leaves").whole<std::size_t>(); leaves > 0) options.grow.max_leaves = leaves;
        std::optional<Matrix> rows;
        if (options.mode == ExtractMode::supported) rows = tree_.policy.encoder.encode(rows_);
        Json times = seconds_of(
            [&] { tree_.tree = extract_tree(tree_.policy.network, tree_.policy.rules, domain_, rows, options); });
        times["leaves"] = leaf_count(tree_.tree);
        times["certified"] = tree_.tree.certified_share;
        times["functions"] = distinct_functions(tree_.tree);
        return times;
    }

    [[nodiscard]] Json check(const JsonCursor& request) const {
        TreeCheck check;
        const Policy& policy = tree_.policy;
        Json times = seconds_of([&] {
            check = check_tree(policy.network, policy.rules.bound, tree_.tree,
                               {.threads = request.at("threads").whole<int>()});
        });
        times["proved"] = check.proved;
        times["steps"] = check.steps;
        return times;
    }

    [[nodiscard]] Json prescribe_in_turn(const JsonCursor& request) const {
        const Matrix encoded = tree_.policy.encoder.encode(rows_);
        const FlatTree flat(tree_.tree);
        std::vector<int> ends(rows_.rows());
        constexpr double never = std::numeric_limits<double>::infinity();
        struct Contestant {
            const char* name;
            std::function<void()> work;
            double least = never;
        };
        Contestant contestants[] = {
            {"network", [&] { (void)prescribe(tree_.policy, rows_); }},
            {"tree", [&] { (void)prescribe(tree_, rows_); }},
            {"network, encoded", [&] { (void)argmin_rows(forward(tree_.policy.network, encoded)); }},
            {"tree, encoded", [&] { flat.arrive(encoded, ends); }},
        };
        for (int turn = 0; turn < request.at("turns").whole<int>(); ++turn)
            for (Contestant& contestant : contestants)
                contestant.least = std::min(contestant.least, seconds_of(contestant.work).find("cpu")->number());
        Json least = {{"rows", rows_.rows()}};
        for (const Contestant& contestant : contestants) least[contestant.name] = contestant.least;
        const TreePrescriptions given = prescribe(tree_, rows_);
        const Prescriptions expected = prescribe(tree_.policy, rows_);
        least["same"] = given.prescriptions.treatment == expected.treatment;
        least["answered"] = static_cast<double>(given.count(AnsweredBy::tree)) / static_cast<double>(rows_.rows());
        return least;
    }

    TreePolicy tree_;
    Table rows_;
    Domain domain_;
};

}  // namespace
}  // namespace polyrx::bench

int main() {
    return polyrx::bench::serve(polyrx::bench::Worker());
}

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/make_tree.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "polyrx/api/baseline_tree.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/extract/supported/count_rows.hpp"
#include "polyrx/extract/unreachable_leaves.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/show/draw/tree_dot.hpp"
#include "polyrx/show/draw/tree_svg.hpp"
#include "polyrx/show/tree_summary.hpp"
#include "polyrx/show/tree_text.hpp"
#include "polyrx/tree/tree_size.hpp"

namespace polyrx {
namespace {

// Rejects options for making a tree if the tree exists already.
void refuse_making(const MakeTreeOptions& options) {
    if (!options.domain.empty())
        throw usage_error(
            fmt::format("{} is a tree already, with a domain of its own: --domain is for models", options.name));
    for (const auto& [given, name] :
         {std::pair{options.mode.has_value(), "mode"}, std::pair{options.leaves.has_value(), "leaves"},
          std::pair{options.max_linear_programs.has_value(), "max-lps"},
          std::pair{options.max_seconds.has_value(), "max-seconds"},
          std::pair{options.test_fraction.has_value(), "test-fraction"}, std::pair{options.seed.has_value(), "seed"}})
        if (given)
            throw usage_error(
                fmt::format("{} is a tree already: --{} is for making one from a model", options.name, name));
}

ExtractOptions extract_options(const MakeTreeOptions& given) {
    ExtractOptions options;
    options.mode = given.mode.value_or(ExtractMode::automatic);
    options.limits = options.mode == ExtractMode::automatic ? automatic_limits : BudgetLimits{};
    options.limits.leaves = given.leaves.value_or(options.limits.leaves);
    options.limits.linear_programs = given.max_linear_programs.value_or(options.limits.linear_programs);
    options.limits.seconds = given.max_seconds.value_or(options.limits.seconds);
    options.grow.held_out = given.test_fraction.value_or(options.grow.held_out);
    options.grow.seed = given.seed.value_or(options.grow.seed);
    options.grow.threads = given.threads;
    options.grow.max_leaves = given.leaves.value_or(options.grow.max_leaves);
    return options;
}

std::string size_words(const TreeSize& size) {
    return fmt::format("{} leaves and {} terms", grouped(size.leaves), grouped(size.terms));
}

// The size that support adds to an exact tree, found by making the tree again without it.
std::string cost_of_support(const TreePolicy& tree, const MakeTreeOptions& given, const Progress& progress) {
    const Policy& policy = tree.policy;
    RuleBook rules = policy.rules;
    rules.support.reset();
    rules.bound = BoundRules(policy.rules.bound.rules(), policy.treatments.size());
    ExtractOptions options = extract_options(given);
    options.mode = ExtractMode::exact;
    const std::string with = size_words(size_of(tree.tree));
    try {
        const Tree without = extract_tree(policy.network, rules, tree.tree.domain, std::nullopt, options, progress);
        return fmt::format("Size: {}; without support {}.", with, size_words(size_of(without)));
    } catch (const BudgetSpent&) {
        return fmt::format("Size: {}; without support the tree is too large to be made.", with);
    }
}

// Users expect a certificate for every leaf of an exact tree, so this warns before they run verify.
void warn_of_unproved_leaves(MadeTree& made) {
    const std::size_t leaves = leaf_count(made.tree.tree);
    const std::size_t unproved = leaves - certified_leaves(made.tree.tree);
    if (made.tree.tree.mode != TreeMode::exact || unproved == 0) return;
    made.warnings.push_back(
        fmt::format("{} of {} could not be proved, because outcomes tie there or differ by less than rounding may; the "
                    "network answers there, and polyrx verify will say that the tree is not proved",
                    grouped(unproved), leaves == 1 ? "1 leaf" : fmt::format("{} leaves", grouped(leaves))));
}

MadeTree counted_tree(TreePolicy tree, std::optional<Matrix> rows) {
    if (rows) {
        count_rows(tree.tree, *rows);
        share_certified(tree.tree, *rows);
    }
    return {std::move(tree), std::move(rows), {}, {}};
}

MadeTree tree_of_baseline(Policy policy, std::optional<Matrix> rows) {
    std::optional<Tree> whole = baseline_tree(policy);
    if (!whole) require_network(policy, "polyrx tree");
    if (rows) count_rows(*whole, *rows);
    return {{std::move(policy), std::move(*whole)}, std::move(rows), {}, {}};
}

MadeTree tree_of_network(Policy policy, std::optional<Matrix> rows, const MakeTreeOptions& options,
                         const Progress& progress) {
    MadeTree made;
    made.tree.tree = extract_tree(policy.network, policy.rules, tree_domain(policy, parse_overrides(options.domain)),
                                  rows, extract_options(options), progress);
    made.tree.policy = std::move(policy);
    made.rows = std::move(rows);
    if (options.size_without_support && made.tree.policy.rules.support && made.tree.tree.mode == TreeMode::exact)
        made.notes.push_back(cost_of_support(made.tree, options, progress));
    warn_of_unproved_leaves(made);
    return made;
}

// Standardization of the inputs: deviations from the mean of the rows.
Scaling scaling_of(const Matrix& rows) {
    Scaling scaling{rows.colwise().mean(), Vector(rows.cols())};
    for (Eigen::Index i = 0; i < rows.cols(); ++i) {
        const double deviation = std::sqrt((rows.col(i).array() - scaling.shift[i]).square().mean());
        scaling.scale[i] = deviation > 0 ? deviation : 1;
    }
    return scaling;
}

}  // namespace

MadeTree make_tree(ModelOrTree source, const Table* rows, const MakeTreeOptions& options, const Progress& progress) {
    auto* tree = std::get_if<TreePolicy>(&source);
    Policy& policy = tree ? tree->policy : std::get<Policy>(source);
    if (tree || policy.baseline) refuse_making(options);
    if (rows && rows->rows() == 0) throw data_error(fmt::format("{}: there are no rows", rows->where()));
    std::optional<Matrix> encoded;
    if (rows) encoded = policy.encoder.encode(*rows);
    if (tree) return counted_tree(std::move(*tree), std::move(encoded));
    if (policy.baseline) return tree_of_baseline(std::move(policy), std::move(encoded));
    return tree_of_network(std::move(policy), std::move(encoded), options, progress);
}

std::string_view name_of(TreeFormat format) {
    switch (format) {
        case TreeFormat::json:
            return "json";
        case TreeFormat::dot:
            return "dot";
        case TreeFormat::svg:
            return "svg";
        case TreeFormat::text:
            break;
    }
    return "text";
}

std::string_view name_of(TreeUnits units) {
    return units == TreeUnits::original ? "original" : "scaled";
}

std::vector<std::string> draw_tree(const MadeTree& made, const std::function<void(std::string_view)>& write,
                                   const DrawTreeOptions& options, const Progress& progress) {
    const auto& [policy, tree] = made.tree;
    if (options.format == TreeFormat::json) {
        write_tree_json(made.tree, write);
        return summary_of(policy, tree);
    }
    WordOptions words{.max_terms = options.max_terms, .scaled = {}};
    if (options.units == TreeUnits::scaled) {
        if (!made.rows) throw usage_error("scaled units are deviations from the means of rows, and there are none");
        words.scaled = scaling_of(*made.rows);
    }
    LeftOut left_out;
    if (!options.all_leaves) left_out = leaves_to_leave_out(tree, unreachable_leaves(tree, options.threads, progress));
    std::vector<std::string> summary = summary_of(policy, tree, left_out);
    if (options.format == TreeFormat::svg) {
        if (words.max_terms == 0) words.max_terms = SvgOptions{}.words.max_terms;
        write_tree_svg(policy, tree, write, {.words = words, .title = {}, .left_out = std::move(left_out)});
    } else if (options.format == TreeFormat::dot) {
        write_tree_dot(policy, tree, write, words, left_out);
    } else {
        TextOptions text;
        text.words = words;
        text.left_out = std::move(left_out);
        write_tree_text(policy, tree, write, text);
    }
    return summary;
}

}  // namespace polyrx

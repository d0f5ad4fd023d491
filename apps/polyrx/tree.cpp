// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "polyrx/api/baseline_tree.hpp"
#include "domain_option.hpp"
#include "polyrx/api/model_or_tree.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/encode/input_domain.hpp"
#include "polyrx/extract/extract_tree.hpp"
#include "polyrx/extract/supported/count_rows.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/show/draw/tree_dot.hpp"
#include "polyrx/show/draw/tree_svg.hpp"
#include "polyrx/show/tree_summary.hpp"
#include "polyrx/show/tree_text.hpp"
#include "polyrx/tree/tree_size.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

enum class Format { text, json, dot, svg };
enum class Units { original, scaled };

std::string_view name_of(Format format) {
    switch (format) {
        case Format::json:
            return "json";
        case Format::dot:
            return "dot";
        case Format::svg:
            return "svg";
        case Format::text:
            break;
    }
    return "text";
}

std::string_view name_of(Units units) {
    return units == Units::original ? "original" : "scaled";
}

struct TreeArguments {
    std::string model;
    std::string data;
    std::optional<ExtractMode> mode;
    std::vector<std::string> domain;
    std::optional<std::uint64_t> leaves;
    std::optional<std::uint64_t> max_lps;
    std::optional<double> max_seconds;
    std::optional<double> test_fraction;
    std::optional<Format> format;
    std::uint64_t terms_per_split = 0;
    Units units = Units::original;
    std::optional<std::uint64_t> seed;
    int threads = 0;
    std::string output = "-";
    bool quiet = false;
};

// What the user asked for, or what the name of the file says, or text.
Format format_for(const TreeArguments& arguments) {
    if (arguments.format) return *arguments.format;
    for (const Format format : {Format::json, Format::dot, Format::svg})
        if (arguments.output.ends_with(fmt::format(".{}", name_of(format)))) return format;
    return Format::text;
}

ExtractMode mode_for(const TreeArguments& arguments) {
    return arguments.mode.value_or(ExtractMode::automatic);
}

// What says how a tree is made says nothing of one that is there.
void refuse_making(const TreeArguments& arguments) {
    if (!arguments.domain.empty())
        throw usage_error(
            fmt::format("{} is a tree already, with a domain of its own: --domain is for models", arguments.model));
    for (const auto& [given, name] :
         {std::pair{arguments.mode.has_value(), "mode"}, std::pair{arguments.leaves.has_value(), "leaves"},
          std::pair{arguments.max_lps.has_value(), "max-lps"},
          std::pair{arguments.max_seconds.has_value(), "max-seconds"},
          std::pair{arguments.test_fraction.has_value(), "test-fraction"},
          std::pair{arguments.seed.has_value(), "seed"}})
        if (given)
            throw usage_error(
                fmt::format("{} is a tree already: --{} is for making one from a model", arguments.model, name));
}

// An exact tree promises a proof of every leaf; where there is none, it should not take verify to find out.
void warn_of_unproved_leaves(const Tree& tree, Terminal& terminal) {
    const std::size_t leaves = leaf_count(tree);
    const std::size_t unproved = leaves - certified_leaves(tree);
    if (tree.mode != TreeMode::exact || unproved == 0) return;
    terminal.warn(
        fmt::format("{} of {} could not be proved, because outcomes tie there or differ by less than rounding may; the "
                    "network answers there, and polyrx verify will say that the tree is not proved",
                    grouped(unproved), leaves == 1 ? "1 leaf" : fmt::format("{} leaves", grouped(leaves))));
}

// The limits of the mode, unless the user sets others.
BudgetLimits limits_for(const TreeArguments& arguments) {
    BudgetLimits limits = mode_for(arguments) == ExtractMode::automatic ? automatic_limits : BudgetLimits{};
    if (arguments.leaves) limits.leaves = *arguments.leaves;
    if (arguments.max_lps) limits.linear_programs = *arguments.max_lps;
    if (arguments.max_seconds) limits.seconds = *arguments.max_seconds;
    return limits;
}

std::string words_of(const TreeSize& size) {
    return fmt::format("{} leaves and {} terms", grouped(size.leaves), grouped(size.terms));
}

// What support adds to an exact tree: the same tree is made again without it.
std::string cost_of_support(const Policy& policy, const Tree& tree, const ExtractOptions& options,
                            const Progress& progress) {
    RuleBook rules = policy.rules;
    rules.support.reset();
    rules.bound = BoundRules(policy.rules.bound.rules(), policy.treatments.size());
    ExtractOptions exact = options;
    exact.mode = ExtractMode::exact;
    try {
        const Tree without = extract_tree(policy.network, rules, tree.domain, std::nullopt, exact, progress);
        return fmt::format("Size: {}; without support {}.", words_of(size_of(tree)), words_of(size_of(without)));
    } catch (const BudgetSpent&) {
        return fmt::format("Size: {}; without support the tree is too large to be made.", words_of(size_of(tree)));
    }
}

// Inputs as a standard scaler shows them: deviations from the mean of the rows.
Scaling scaling_of(const Matrix& rows) {
    Scaling scaling{rows.colwise().mean(), Vector(rows.cols())};
    for (Eigen::Index i = 0; i < rows.cols(); ++i) {
        const double deviation = std::sqrt((rows.col(i).array() - scaling.shift[i]).square().mean());
        scaling.scale[i] = deviation > 0 ? deviation : 1;
    }
    return scaling;
}

void write_tree(const TreePolicy& tree, Format format, const WordOptions& words, Output& output) {
    const auto sink = [&](std::string_view text) { output.write(text); };
    switch (format) {
        case Format::text:
            write_tree_text(tree.policy, tree.tree, sink, {.words = words});
            break;
        case Format::json:
            write_tree_json(tree, sink);
            break;
        case Format::dot:
            write_tree_dot(tree.policy, tree.tree, sink, words);
            break;
        case Format::svg:
            write_tree_svg(tree.policy, tree.tree, sink, {.words = words, .title = {}});
            break;
    }
}

void run(const TreeArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.model == "-" && arguments.data == "-")
        throw usage_error("only one of MODEL and --data can be standard input");
    check_writable(arguments.output, {arguments.model, arguments.data});
    if (arguments.units == Units::scaled && arguments.data.empty())
        throw usage_error("--units scaled shows deviations from the means of the rows: name a file with --data");
    const Progress progress = terminal.progress();
    ModelOrTree loaded = load_model_or_tree(arguments.model, progress);
    const bool is_tree = std::holds_alternative<TreePolicy>(loaded);
    if (is_tree) refuse_making(arguments);
    const Policy& policy = is_tree ? std::get<TreePolicy>(loaded).policy : std::get<Policy>(loaded);
    repeat_recommendation(policy, terminal);
    std::optional<Matrix> rows;
    if (!arguments.data.empty()) {
        const Table data = parse_for(policy, read_data(arguments.data, progress), {}, progress);
        if (data.rows() == 0) throw data_error(fmt::format("{}: there are no rows", data.where()));
        rows = policy.encoder.encode(data);
    }

    TreePolicy tree;
    std::string size;  // with and without support
    if (policy.baseline) {
        refuse_making(arguments);
        if (format_for(arguments) == Format::json)
            throw usage_error(
                "the model file is the tree itself; as JSON it is polyrx's own: expected text, dot or svg");
        std::optional<Tree> whole = baseline_tree(policy);
        if (!whole) require_network(policy, "polyrx tree");
        tree.tree = std::move(*whole);
        if (rows) count_rows(tree.tree, *rows);
        tree.policy = policy;
    } else if (is_tree) {
        tree = std::move(std::get<TreePolicy>(loaded));
        if (rows) {
            count_rows(tree.tree, *rows);
            share_certified(tree.tree, *rows);
        }
    } else {
        ExtractOptions options;
        options.mode = mode_for(arguments);
        options.limits = limits_for(arguments);
        options.grow.held_out = arguments.test_fraction.value_or(options.grow.held_out);
        options.grow.seed = arguments.seed.value_or(options.grow.seed);
        options.grow.threads = arguments.threads;
        if (arguments.leaves) options.grow.max_leaves = *arguments.leaves;
        tree.tree = extract_tree(policy.network, policy.rules, tree_domain_for(policy, arguments.domain), rows, options,
                                 progress);
        if (policy.rules.support && tree.tree.mode == TreeMode::exact && !arguments.quiet && arguments.output != "-")
            size = cost_of_support(policy, tree.tree, options, progress);
        tree.policy = std::move(std::get<Policy>(loaded));
    }

    WordOptions words;
    words.max_terms = arguments.terms_per_split;
    if (arguments.units == Units::scaled) words.scaled = scaling_of(*rows);
    const Format format = format_for(arguments);
    if (format == Format::svg && words.max_terms == 0) words.max_terms = SvgOptions{}.words.max_terms;
    Output output(arguments.output);
    write_tree(tree, format, words, output);
    output.commit();
    if (!is_tree) warn_of_unproved_leaves(tree.tree, terminal);
    if (arguments.output == "-") return;
    for (const std::string& line : summary_of(tree.policy, tree.tree))
        if (!tree.policy.recommendation || line != tree.policy.recommendation->sentence) terminal.say(line);
    if (!size.empty()) terminal.say(size);
    terminal.say(fmt::format("tree {}", arguments.output));
}

}  // namespace

Verb tree_verb() {
    const auto arguments = std::make_shared<TreeArguments>();
    Verb verb;
    verb.name = "tree";
    verb.summary = "convert a model to a decision tree that provably makes the same recommendations";
    verb.description =
        "An exact tree makes the network's recommendations on every row of the domain, and carries a certificate that "
        "polyrx verify checks. A supported tree is grown on data, for networks whose exact tree would be too large to "
        "read: leaves that could be proved are certified, and in the others the network decides. By default, tree "
        "makes the exact one if it has at most 500 leaves. A tree written as JSON can take the model's place in "
        "polyrx prescribe. An exact tree that reaches a limit (--leaves, --max-lps, --max-seconds) is an error.";
    verb.positionals = {
        positional(arguments->model, "MODEL", "model file; or a tree file, to show it").completes(Complete::file)};
    verb.options = {
        option(arguments->data, "data", "DATA.csv", "rows to count in the leaves, and to grow a supported tree on")
            .completes(Complete::file),
        choice(arguments->mode, {ExtractMode::exact, ExtractMode::supported, ExtractMode::automatic}, "mode", "MODE",
               "kind of tree")
            .default_is(std::string(name_of(ExtractMode::automatic))),
        domain_option(arguments->domain),
        option(arguments->leaves, "leaves", "N", "maximum number of leaves")
            .default_is("10000 exact, 500 auto, 64 supported")
            .must_be(allowed::whole_from_1),
        option(arguments->max_lps, "max-lps", "N", "maximum number of linear programs for an exact tree")
            .default_is("20000000 exact, 300000 auto")
            .must_be(allowed::whole_from_1),
        max_seconds_option(arguments->max_seconds),
        option(arguments->test_fraction, "test-fraction", "X",
               "fraction of rows to hold out for measuring the fidelity of a supported tree")
            .default_is(default_text(GrowOptions{}.held_out))
            .must_be(allowed::fraction),
        choice(arguments->format, {Format::text, Format::json, Format::dot, Format::svg}, "format", "FORMAT",
               "output format")
            .default_is("by the file name, else text"),
        terms_per_split_option(arguments->terms_per_split).default_is("4 in SVG, else all"),
        choice(arguments->units, {Units::original, Units::scaled}, "units", "UNITS",
               "show splits in the units of the data, or in standard deviations from the mean"),
        output_option(arguments->output, "file of the tree"),
        seed_option(arguments->seed).default_is(default_text(GrowOptions{}.seed)),
        threads_option(arguments->threads),
        quiet_option(arguments->quiet),
    };
    verb.example = {"polyrx tree model.json --data train.csv -o tree.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli

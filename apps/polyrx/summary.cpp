// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/encode/domain_words.hpp"
#include "polyrx/export/row_words.hpp"
#include "polyrx/network/big_m.hpp"
#include "polyrx/plot/label_text.hpp"
#include "polyrx/policy/policy_domain.hpp"

namespace polyrx::cli {
namespace {

double percent(std::size_t part, std::size_t whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// "network 20-100-3", or "pt (max-depth 5, treatment-rows 10)".
std::string model_words(const Policy& policy) {
    if (!policy.baseline) {
        std::vector<Eigen::Index> widths;
        for (const Layer& layer : policy.network.layers()) widths.push_back(layer.weights.rows());
        return fmt::format("network {}-{}", policy.network.inputs(), fmt::join(widths, "-"));
    }
    constexpr std::string_view shown[] = {"max-depth", "treatment-rows", "leaf-rows",    "split-step",
                                          "search",    "held-out cost",  "stopped after"};
    std::vector<std::string> settings;
    for (const auto& [name, value] : policy.provenance.options)
        if (std::ranges::find(shown, name) != std::end(shown)) settings.push_back(fmt::format("{} {}", name, value));
    return settings.empty() ? std::string(name_of(policy.baseline->method))
                            : fmt::format("{} ({})", name_of(policy.baseline->method), fmt::join(settings, ", "));
}

// What the certificates say of a tree whose claims all hold.
std::string proved_words(const TreeCheck& check, const ProvedDomain& domain, bool rules) {
    const std::string_view who = rules ? "the network and its rules do" : "the network does";
    std::string words;
    if (check.certified == check.leaves)
        words = fmt::format("proved: on every row of its domain the tree prescribes what {}\n", who);
    else if (check.certified == 0)
        words = "nothing is claimed: no leaf is certified, and the network is asked for every row\n";
    else
        words = fmt::format(
            "proved: in its certified leaves the tree prescribes what {}; in the others the network is asked\n", who);
    if (check.certified > 0 && !domain.differences.empty())
        words += one_line(fmt::format("its domain is {} the model's: {}", domain.narrower ? "narrower than" : "not",
                                      fmt::join(domain.differences, ", "))) +
                 "\n";
    words += fmt::format("{} of {} {} certified", grouped(check.certified), grouped(check.leaves),
                         check.leaves == 1 ? "leaf" : "leaves");
    words += fmt::format("; {} of proof replayed\n", counted(check.steps, "step"));
    return words;
}

std::string failed_words(const TreeCheck& check, const TreePolicy& tree) {
    std::string words = fmt::format("not proved: {}\n", check.reason);
    if (check.point.size() > 0)
        words += fmt::format("worst gap {:.6g} at {}{}\n", check.worst_gap, row_words(tree.policy.encoder, check.point),
                             check.refuted ? "" : " (a bound: no row was found that refutes it)");
    else
        words += fmt::format("worst gap {:.6g}; no row was found where it happens\n", check.worst_gap);
    return words;
}

}  // namespace

std::string counted(std::size_t number, std::string_view what) {
    return fmt::format("{} {}{}", grouped(number), what, number == 1 ? "" : "s");
}

std::string big_m_words(const Policy& policy) {
    return fmt::format("big M {:.6g} is enough on the domain; the paper's bound is {:.6g}", *policy.rules.big_m,
                       crude_big_m(policy.network, policy_domain(policy)));
}

std::string not_certain_words(const std::string& rules) {
    return fmt::format("{}: no conflict was found, but it is not certain that the rules leave every row a treatment",
                       rules);
}

std::string none_words(std::size_t rows) {
    return fmt::format("the rules leave no treatment for {}: prescribed as 'none'", counted(rows, "row"));
}

std::string this_and_others(std::size_t number) {
    return number == 1 ? "this row" : fmt::format("this and {}", counted(number - 1, "other row"));
}

std::string fit_summary(const Fit& fit, double seconds) {
    const Policy& policy = fit.policy;
    const std::size_t rows = policy.provenance.rows;
    std::string text =
        fmt::format("{}, {}, {}; {}\n", counted(rows, "row"), counted(policy.encoder.read_columns().size(), "feature"),
                    counted(policy.encoder.columns().size(), "input"), model_words(policy));
    std::size_t widest = policy.treatment_name.size();
    for (const auto& label : policy.treatments) widest = std::max(widest, display_width(label));
    text += fmt::format("{}  {:>18}  {:>18}\n", padded(policy.treatment_name, widest), "given", "prescribed");
    for (std::size_t k = 0; k < policy.treatments.size(); ++k)
        text += fmt::format("{}  {:>9}  {:5.1f} %  {:>9}  {:5.1f} %\n", padded(policy.treatments[k], widest),
                            grouped(fit.given[k]), percent(fit.given[k], rows), grouped(fit.prescribed[k]),
                            percent(fit.prescribed[k], rows));
    if (!policy.baseline) {
        text += fmt::format("loss {:.6g} after {}", fit.loss, counted(fit.history.size(), "epoch"));
        if (!fit.history.empty() && fit.history.back().validation)
            text += fmt::format(" (best on held-out rows: epoch {}{})", fit.best_epoch,
                                fit.stopped_early ? ", stopped early" : "");
        text += ", ";
    }
    text += fmt::format("{:.1f} s", seconds);
    if (policy.rules.empty()) return text;
    return text + fmt::format("\n{}: {} changed by them ({:.1f} %)", counted(policy.rules.rules.rules.size(), "rule"),
                              counted(fit.changed, "prescription"), percent(fit.changed, rows));
}

// What settings of a grid differ in, without what a network does not have.
std::string setting_words(const NetworkOptions& options) {
    std::string text = fmt::format("hidden layers {}, weight decay {}",
                                   options.hidden.empty() ? "none" : fmt::format("{}", fmt::join(options.hidden, ",")),
                                   options.weight_decay);
    if (options.effects.wanted())
        text += fmt::format(", effect share {} with decay {}", options.effects.share, options.effects.decay);
    if (options.effect_shrinkage > 0) text += fmt::format(", effect shrinkage {}", options.effect_shrinkage);
    if (options.balance > 0) text += fmt::format(", balance {}", options.balance);
    return text + fmt::format(", mu {}", options.mu);
}

std::string tuning_words(const Fit& fit) {
    const Tuning& tuning = *fit.tuning;
    if (!tuning.why_untried.empty())
        return fmt::format("{} to choose settings by: one for few rows is taken untried", tuning.why_untried);
    const auto tried = std::ranges::count_if(tuning.trials, [](const TuningTrial& trial) { return trial.folds > 0; });
    const auto out = std::ranges::count_if(
        tuning.trials, [](const TuningTrial& trial) { return trial.folds == 0 && !trial.remark.empty(); });
    std::string text = fmt::format(
        "{} tried{}{}; the policy is the mean of {}:", counted(static_cast<std::size_t>(tried), "setting"),
        tuning.out_of_time ? fmt::format(" of {} until the time was up", tuning.trials.size()) : "",
        out > 0 && !tuning.out_of_time ? fmt::format(", and {} that cannot be trained on these rows", out) : "",
        counted(tuning.chosen.size(), "network"));
    for (const TuningTrial& trial : tuning.trials)
        if (trial.chosen > 0) text += fmt::format("\n  {} with {}", trial.chosen, setting_words(trial.options));
    return text;
}

std::string truth_summary(const TruthScore& score, const Policy& policy) {
    const auto& outcomes = score.treatment_outcomes;
    const auto best = policy.objective == Objective::max ? std::max_element(outcomes.begin(), outcomes.end())
                                                         : std::min_element(outcomes.begin(), outcomes.end());
    const auto constant = static_cast<std::size_t>(best - outcomes.begin());
    const double constant_regret =
        policy.objective == Objective::max ? score.best_outcome - *best : *best - score.best_outcome;
    const std::string always = fmt::format("always {}", policy.treatments[constant]);
    const std::size_t width = std::max<std::size_t>(display_width(always), 13);
    std::string text = fmt::format("{} with known truth\n", counted(score.rows, "row"));
    text += fmt::format("{:{}}  {:>9}  {:>9}  {:>13}\n", "", width, "accuracy", "regret", "mean outcome");
    text += fmt::format("{}  {:>7.1f} %  {:>9.4g}  {:>13.5g}\n", padded("this policy", width), 100 * score.accuracy,
                        score.regret, score.outcome);
    text += fmt::format("{}  {:>7.1f} %  {:>9.4g}  {:>13.5g}\n", padded(always, width),
                        100 * score.treatment_accuracies[constant], constant_regret, *best);
    text += fmt::format("{}  {:>7.1f} %  {:>9.4g}  {:>13.5g}\n", padded("best possible", width), 100.0, 0.0,
                        score.best_outcome);
    return text;
}

ProvedDomain proved_domain(const TreePolicy& tree) {
    Domain own;
    try {
        own = tree_domain(tree.policy);
    } catch (const Error&) {  // too wide to claim anything of: a tree of such a model is always of a narrower one
        own = domain_of(tree.policy.encoder);
    }
    return {is_within(tree.tree.domain, own), domain_differences(tree.policy.encoder, tree.tree.domain, own)};
}

std::string proof_summary(const TreeCheck& check, const TreePolicy& tree) {
    return check.proved ? proved_words(check, proved_domain(tree), !tree.policy.rules.empty())
                        : failed_words(check, tree);
}

}  // namespace polyrx::cli

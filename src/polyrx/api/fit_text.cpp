// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/fit_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "polyrx/api/summary.hpp"
#include "polyrx/core/text/number_text.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/tree_summary.hpp"
#include "polyrx/study/epsilon.hpp"

namespace polyrx {
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

// The settings that a grid varies, without optional settings that are off.
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

// The range that bounds the outcomes of unsupported prescriptions; empty if there are none.
std::string range_words(const Fit& fit) {
    const Judgment& judgment = fit.recommended->judgment;
    const auto is_bounded = [](const Gain& gain) { return gain.known && gain.least != gain.most; };
    if (std::ranges::none_of(judgment.gains, is_bounded) && std::ranges::none_of(judgment.rival_gains, is_bounded))
        return "";
    return fmt::format("  Outcomes of unsupported prescriptions are bounded by {} and {}{}.\n",
                       number_text(fit.outcome_range.least), number_text(fit.outcome_range.greatest),
                       fit.outcome_range.origin == RangeOrigin::observed
                           ? ", the least and greatest observed: an assumption (declare with --outcome-range)"
                           : "");
}

// The recommendation of the written policy, with its evidence.
std::string recommendation_words(const Fit& fit, const Policy& written) {
    if (!written.recommendation || !fit.recommended) return fmt::format("{}\n", not_compared);
    const Recommended& recommended = *fit.recommended;
    const Judgment& judgment = recommended.judgment;
    std::string text = one_line(written.recommendation->sentence) + "\n";
    text += fmt::format("  This assumes that those who chose treatments used nothing that is not in these columns.\n");
    if (recommended.folds == 0 || &written != &fit.policy) return text + range_words(fit);
    text += fmt::format(
        "  Estimated by refitting in {} folds{}.", recommended.folds,
        recommended.sampled_rows > 0 ? fmt::format(" of {} rows drawn", grouped(recommended.sampled_rows)) : "");
    const std::size_t intervals = judgment.gains.size() + judgment.rival_gains.size();
    text += intervals == 1
                ? " The interval is one of 95 %.\n"
                : fmt::format(" The {} intervals are simultaneous (95 %, Bonferroni).\n", grouped(intervals));
    text += range_words(fit);
    if (recommended.fallback) return text;  // the written policy is not the learned one
    for (const Gain& gain : judgment.gains)
        if (&gain != &judgment.gains.front()) text += fmt::format("  gain over {}: {}\n", gain.over, words_of(gain));
    return text;
}

std::string changes_words(const Fit& fit) {
    const std::size_t rows = fit.policy.provenance.rows;
    std::size_t changed = 0;
    std::vector<std::pair<std::size_t, std::string>> ways;
    for (std::size_t from = 0; from < fit.changes.size(); ++from)
        for (std::size_t to = 0; to < fit.changes.size(); ++to) {
            if (from == to || fit.changes[from][to] == 0) continue;
            changed += fit.changes[from][to];
            ways.emplace_back(fit.changes[from][to],
                              fmt::format("{} to {} ({})", label_of(fit.policy, static_cast<int>(from)),
                                          label_of(fit.policy, static_cast<int>(to)), grouped(fit.changes[from][to])));
        }
    if (changed == 0) return "No training row would change treatment.\n";
    std::ranges::stable_sort(ways, std::greater(), &std::pair<std::size_t, std::string>::first);
    constexpr std::size_t most = 6;
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(most, ways.size()); ++i) shown.push_back(ways[i].second);
    return fmt::format("{} of {} training rows ({:.1f} %) would change treatment: {}{}.\n", grouped(changed),
                       grouped(rows), percent(changed, rows), fmt::join(shown, ", "),
                       ways.size() > most ? ", ..." : "");
}

// How far a tree that approximates a known design differs from it.
std::string design_words(const LearnedSupport& learned) {
    std::string text;
    if (learned.conservative > 0)
        text += fmt::format(
            "For {:.1f} % of training rows this support is more conservative than the design: no tree of at most 16 "
            "leaves follows it exactly.\n",
            100 * learned.conservative);
    if (learned.beyond > 0)
        text += fmt::format(
            "For {:.1f} % of training rows it supports a treatment that the design does not give them: no treatment "
            "is possible for all rows of their leaf.\n",
            100 * learned.beyond);
    return text;
}

std::string support_words(const Fit& fit) {
    const Policy& policy = fit.policy;
    const std::size_t rows = policy.provenance.rows;
    if (!policy.rules.support)
        return "Extrapolates: treatments are prescribed also where the data do not support them.\n";
    const Support& support = *policy.rules.support;
    std::string how = kind_of(support);
    if (support.epsilon == most_likely_epsilon)
        return fmt::format("Support ({}): only the most likely treatment is prescribed.\n", how);
    if (fit.support && !fit.support->trials.empty()) how = fit.support->trials[fit.support->chosen].name;
    if (!support.design) how += fmt::format(", epsilon {}", support.epsilon);
    std::string text = fmt::format("Support ({}): {} changed by it ({:.1f} %).\n", how,
                                   counted(fit.unsupported, "prescription"), percent(fit.unsupported, rows));
    for (const int k : support.never) {
        const std::size_t given = fit.given[static_cast<std::size_t>(k)];
        text += fmt::format("{} is not prescribed: {}.\n", label_of(policy, k),
                            given < least_rows_of_treatment
                                ? fmt::format("{} training rows received it, and at least {} are needed",
                                              grouped(given), least_rows_of_treatment)
                                : fmt::format("the design gives it a probability below {} for every training row",
                                              least_design_probability));
    }
    if (support.design && fit.support) text += design_words(*fit.support);
    if (fit.support && !fit.support->trials.empty() &&
        fit.support->trials[fit.support->chosen].contradicted > most_contradicted)
        text += fmt::format(
            "For {:.1f} % of rows the flexible propensity models find less support than this one; no simpler model is "
            "better.\n",
            100 * fit.support->trials[fit.support->chosen].contradicted);
    if (fit.recommended && fit.recommended->extrapolating)
        text += fmt::format(
            "--beyond-support extrapolate would change {} held-out prescriptions; its gain over current practice "
            "would be {}.\n",
            grouped(fit.recommended->changed_by_extrapolation), words_of(*fit.recommended->extrapolating));
    return text;
}

std::string features_words(const Policy& policy) {
    const std::vector<std::string> names = policy.encoder.read_columns();
    return fmt::format("{}: {}", counted(names.size(), "feature"), listed(names, 12));
}

}  // namespace

std::string counts_by_treatment(const Observations& observations, std::span<const std::size_t> rows) {
    std::vector<std::size_t> count(observations.treatments.size());
    for (const std::size_t row : rows) ++count[static_cast<std::size_t>(observations.treatment[row])];
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < count.size(); ++k)
        if (count[k] > 0)
            parts.push_back(fmt::format("{} ({})", one_line(observations.treatments[k]), grouped(count[k])));
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string fit_summary(const Fit& fit, double seconds, const Policy* tree) {
    const Policy& policy = fit.policy;
    const std::size_t rows = policy.provenance.rows;
    std::string text = recommendation_words(fit, tree ? *tree : policy);
    text += fmt::format("{} {} is better.\n", policy.objective == Objective::min ? "A smaller" : "A larger",
                        one_line(policy.outcome_name));
    text += fmt::format("{}, {}; {}\n", counted(rows, "row"), counted(policy.encoder.columns().size(), "input"),
                        model_words(policy));
    text += features_words(policy) + "\n";
    const std::string treatment = one_line(policy.treatment_name);
    std::size_t widest = treatment.size();
    for (const auto& label : policy.treatments) widest = std::max(widest, display_width(one_line(label)));
    text += fmt::format("{}  {:>18}  {:>18}\n", padded(treatment, widest), "given", "prescribed");
    for (std::size_t k = 0; k < policy.treatments.size(); ++k)
        text += fmt::format("{}  {:>9}  {:5.1f} %  {:>9}  {:5.1f} %\n", padded(one_line(policy.treatments[k]), widest),
                            grouped(fit.given[k]), percent(fit.given[k], rows), grouped(fit.prescribed[k]),
                            percent(fit.prescribed[k], rows));
    text += changes_words(fit) + support_words(fit);
    if (!policy.rules.empty())
        text += fmt::format("{}: {} changed by them ({:.1f} %)\n", counted(policy.rules.rules.rules.size(), "rule"),
                            counted(fit.changed, "prescription"), percent(fit.changed, rows));
    if (fit.only_unsupported > 0)
        text += only_unsupported_words(fit.only_unsupported, rows, fit.support->support) + "\n";
    if (!policy.baseline) {
        text += fmt::format("loss {} after {}", number_text(fit.loss), counted(fit.history.size(), "epoch"));
        if (!fit.history.empty() && fit.history.back().validation)
            text += fmt::format(" (best on held-out rows: epoch {}{})", fit.best_epoch,
                                fit.stopped_early ? ", stopped early" : "");
        text += ", ";
    }
    return text + fmt::format("{:.1f} s", seconds);
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

}  // namespace polyrx

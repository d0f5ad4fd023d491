// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/evaluation_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/core/text/number_text.hpp"
#include "polyrx/core/text/text_table.hpp"

namespace polyrx {
namespace {

using Lines = std::vector<std::vector<std::string>>;

std::string percent(double share) {
    return fmt::format("{:.1f} %", 100 * share);
}

// "too few rows: 20 effective" if that is the reason.
std::string missing_words(const std::string& reason) {
    const std::size_t found = reason.find("too few rows");
    return found == std::string::npos ? "not estimable" : reason.substr(found, reason.find(", and") - found);
}

// Formats values in the units of the outcome.
struct ValueWriter {
    NumberWriter number;

    explicit ValueWriter(const Evaluation& evaluation)
        : number(std::max(std::abs(evaluation.supported.range.least), std::abs(evaluation.supported.range.greatest))) {}

    [[nodiscard]] std::string value(const ValueEstimate& estimate) const {
        return estimate.value ? number(*estimate.value) : "not estimable";
    }

    [[nodiscard]] std::string interval(const IntervalAnswer& answer) const {
        return answer.interval ? number.range(answer.interval->low, answer.interval->high) : "-";
    }

    // "0.31", or "between 0.2 and 0.4" for bounds.
    [[nodiscard]] std::string between(double lower, double upper) const {
        return lower == upper ? number(lower) : fmt::format("between {} and {}", number(lower), number(upper));
    }

    [[nodiscard]] std::string with_interval(const IntervalledValue& value) const {
        if (!value.estimate.value) return "not estimable";
        const IntervalAnswer& answer = shown_interval(value);
        return answer.interval ? fmt::format("{} {}", number(*value.estimate.value), interval(answer))
                               : number(*value.estimate.value);
    }

    // "0.31 [0.28, 0.34]", or "between 0.2 and 0.4 [0.18, 0.43]" for bounds.
    [[nodiscard]] std::string with_interval(const BoundedValue& value) const {
        if (!value.estimate.estimable()) return "not estimable";
        const std::string text = between(*value.estimate.lower.value, *value.estimate.upper.value);
        return value.normal.interval ? fmt::format("{} {}", text, interval(value.normal)) : text;
    }

    [[nodiscard]] std::string with_interval(const MeanEstimate& estimate) const {
        if (!estimate.known) return missing_words(estimate.reason);
        const ValueAndError& known = *estimate.known;
        return fmt::format("{} {}", between(known.value, known.upper ? known.upper->value : known.value),
                           number.range(known.low, known.high));
    }
};

std::string level_words(const EvaluationNames& names) {
    return fmt::format("{:g} % interval", 100 * names.level);
}

// " by a calibrated forest in 4 of 5 folds, by logistic in 1"
std::string model_words(const PropensityReport& report) {
    std::string text;
    for (const PropensityModel model : {PropensityModel::stack, PropensityModel::logistic, PropensityModel::forest})
        for (const bool calibrated : {false, true}) {
            std::size_t folds = 0;
            for (std::size_t f = 0; f < report.model.size(); ++f)
                folds += report.model[f] == model && report.calibrated[f] == calibrated ? 1 : 0;
            if (folds > 0)
                text += fmt::format("{} by {}{} in {} of {} folds", text.empty() ? "" : ",",
                                    calibrated ? "calibrated " : "", name_of(model), folds, report.model.size());
        }
    return text;
}

std::string propensity_words(const PropensityReport& report) {
    if (report.known) return fmt::format("known, log-loss {:.4f}", report.log_loss);
    std::string text =
        fmt::format("estimated{}, log-loss {:.4f} on rows not learned from", model_words(report), report.log_loss);
    if (report.trials.empty()) return text;
    if (report.model.front() == PropensityModel::stack) {
        text += " (weights, and log-losses of each alone:";
        for (const PropensityTrial& trial : report.trials)
            text += fmt::format("{} {} {:.2f}, {:.4f}", &trial == &report.trials.front() ? "" : ";",
                                name_of(trial.model), trial.weight, trial.log_loss);
        return text + ")";
    }
    text += " (tried:";
    for (const PropensityTrial& trial : report.trials)
        text += fmt::format("{} {} {:.4f}, calibrated {:.4f}", &trial == &report.trials.front() ? "" : ";",
                            name_of(trial.model), trial.log_loss, trial.calibrated_log_loss);
    return text + ")";
}

// Describes what is supported, and the assumption where it is not.
std::string support_words(const Evaluation& evaluation) {
    const ValueWriter written(evaluation);
    const SupportedValue& supported = evaluation.supported;
    std::string text = fmt::format("Support: {} of prescriptions are supported, {} of {} rows are not. ",
                                   percent(1 - evaluation.overlap.unsupported_share),
                                   grouped(evaluation.overlap.unsupported), grouped(evaluation.rows));
    text += supported.rule.by_design
                ? fmt::format("A treatment is supported where its known propensity is at least {}.\n",
                              least_design_probability)
                : fmt::format(
                      "A treatment is supported where its propensity is at least {:.3g} times the highest; below "
                      "{}, {} rows with a similar propensity must be expected to have received it.\n",
                      supported.rule.epsilon / 2, common_ratio, least_expected_rows);
    if (supported.disagreement)
        text += fmt::format("The policy's own support differs from this in {} of rows.\n",
                            percent(*supported.disagreement));
    if (evaluation.overlap.unsupported > 0)
        text += fmt::format("Outcomes of unsupported prescriptions are bounded by {} and {}{}.\n",
                            written.number(supported.range.least), written.number(supported.range.greatest),
                            supported.range.origin == RangeOrigin::observed
                                ? ", the least and greatest observed: an assumption (declare with --outcome-range)"
                                : "");
    return text;
}

// Lambda* of the gain where supported; empty if there is no gain.
std::optional<double> lambda_that_matters(const Evaluation& evaluation, const EvaluationNames& names) {
    const std::optional<double>& lambda = evaluation.supported.sensitivity.lambda;
    const auto& gain = evaluation.supported.gain_where_supported.estimate.value;
    if (!lambda || !gain || *lambda <= 1 || !(names.larger_is_better ? *gain > 0 : *gain < 0)) return std::nullopt;
    return lambda;
}

std::string lambda_words(double lambda) {
    return lambda > 1'000 ? "above 1,000" : fmt::format("{:.2f}", lambda);
}

std::string sensitivity_words(const Evaluation& evaluation, const EvaluationNames& names) {
    const Sensitivity& sensitivity = evaluation.supported.sensitivity;
    if (!sensitivity.lambda || !evaluation.supported.gain_where_supported.estimate.value) return "";
    const std::optional<double> lambda = lambda_that_matters(evaluation, names);
    if (!lambda) return "Sensitivity: there is no gain over practice that an unrecorded factor could undo.\n";
    const std::string interval =
        sensitivity.low && sensitivity.high
            ? fmt::format(" [{}, {}]", lambda_words(*sensitivity.low), lambda_words(*sensitivity.high))
            : "";
    if (std::isinf(*lambda))
        return fmt::format(
            "Sensitivity: no unrecorded factor could undo the gain where supported, however strongly it changes the "
            "odds of treatment (Lambda* {}{}).\n",
            lambda_words(*lambda), interval);
    return fmt::format(
        "Sensitivity: an unrecorded factor that changes the odds of treatment by {}{} would undo the gain where "
        "supported (Lambda*).\n",
        lambda_words(*lambda), interval);
}

std::string policy_table(const Evaluation& evaluation, const EvaluationNames& names) {
    const ValueWriter written(evaluation);
    const SupportedValue& supported = evaluation.supported;
    Lines lines = {{"doubly robust", "value", level_words(names), "bootstrap",
                    fmt::format("minus as treated, {}", level_words(names))}};
    const auto words = [&](const BoundedEstimate& estimate) {
        return estimate.estimable() ? written.between(*estimate.lower.value, *estimate.upper.value)
                                    : missing_words(estimate.lower.reason);
    };
    lines.push_back({"policy", words(supported.value.estimate), written.interval(supported.value.normal),
                     written.interval(supported.value.percentile), written.with_interval(supported.gain)});
    lines.push_back({"prescribe where supported, elsewhere as now", written.value(supported.where_supported.estimate),
                     written.interval(supported.where_supported.normal),
                     written.interval(supported.where_supported.percentile),
                     written.with_interval(supported.gain_where_supported)});
    lines.push_back({"as treated", written.value(evaluation.as_treated.estimate),
                     written.interval(evaluation.as_treated.normal), written.interval(evaluation.as_treated.percentile),
                     "-"});
    std::string text = text_table(lines);
    if (!supported.value.estimate.lower.reason.empty()) text += supported.value.estimate.lower.reason + "\n";
    if (const auto& tipping = supported.tipping_point) {
        text += fmt::format(
            "Tipping point: the policy equals practice if the {} unsupported rows have a mean {} of {} under it (now "
            "{})",
            grouped(evaluation.overlap.unsupported), names.outcome, written.number(tipping->outcome),
            written.number(tipping->now));
        text += tipping->possible() ? ".\n"
                                    : fmt::format(": impossible, that mean is between {} and {}.\n",
                                                  written.number(tipping->least), written.number(tipping->greatest));
    }
    return text + sensitivity_words(evaluation, names);
}

std::string values_table(const Evaluation& evaluation, const EvaluationNames& names) {
    const ValueWriter written(evaluation);
    Lines lines = {{evaluation.overlap.unsupported > 0 ? "extrapolation: estimates that ignore support"
                                                       : "value of the policy by estimator",
                    "estimate", level_words(names), "bootstrap", "s.e.", "clipped"}};
    for (const EstimatedValue& each : evaluation.values) {
        const ValueEstimate& estimate = each.value.estimate;
        lines.push_back({std::string(long_name_of(each.estimator)), written.value(estimate),
                         written.interval(each.value.normal), written.interval(each.value.percentile),
                         estimate.standard_error ? written.number(*estimate.standard_error, 2) : "-",
                         each.estimator == Estimator::dm ? "-" : grouped(estimate.clipped)});
    }
    std::string text = text_table(lines);
    for (const EstimatedValue& each : evaluation.values)
        if (!each.value.estimate.reason.empty())
            text += fmt::format("{}: {}\n", long_name_of(each.estimator), each.value.estimate.reason);
    const bool has_ipw = std::ranges::any_of(
        evaluation.values, [](const EstimatedValue& each) { return each.estimator == Estimator::ipw; });
    if (has_ipw && !evaluation.propensity.known)
        text += "inverse propensity: with estimated propensities the interval is conservative\n";
    if (evaluation.self_assessed)
        text += fmt::format("The policy's own predictions promise {}: a self-assessment, not evidence.\n",
                            written.number(*evaluation.self_assessed));
    return text;
}

std::string compared_table(const Evaluation& evaluation, const EvaluationNames& names) {
    const ValueWriter written(evaluation);
    Lines lines = {
        {"compared with (doubly robust)", "its value", fmt::format("policy minus it, {}", level_words(names))}};
    for (const ComparedValue& each : evaluation.compared)
        lines.push_back({each.name, written.with_interval(each.value),
                         each.cannot_be_compared.empty()
                             ? written.with_interval(each.difference)
                             : fmt::format("cannot be compared: {}", each.cannot_be_compared)});
    return text_table(lines);
}

std::string overlap_table(const Evaluation& evaluation, const EvaluationNames& names) {
    Lines lines = {{"overlap", "received", "prescribed", "least propensity", "not supported", "effective rows"}};
    for (std::size_t k = 0; k < names.treatments.size(); ++k) {
        const TreatmentOverlap& each = evaluation.overlap.treatments[k];
        lines.push_back({names.treatments[k], grouped(each.received), grouped(each.prescribed),
                         each.smallest.empty() ? "-" : number_text(each.smallest.front(), 2),
                         percent(each.unsupported_share), fmt::format("{:.0f}", each.effective_rows)});
    }
    return text_table(lines) +
           fmt::format("{} rows received their prescription; effective sample size (supported rows): {:.0f}\n",
                       grouped(evaluation.overlap.matched), evaluation.overlap.effective_rows);
}

// Predicted and observed shares where propensities are low; empty if they never are.
std::string low_propensities_table(const Evaluation& evaluation, const EvaluationNames& names) {
    if (evaluation.low_propensities.empty()) return "";
    Lines lines = {{"low propensities", "from", "to", "rows", "predicted", "received it", ""}};
    for (const LowPropensities& low : evaluation.low_propensities)
        lines.push_back({names.treatments[static_cast<std::size_t>(low.treatment)], number_text(low.from),
                         number_text(low.to), grouped(low.rows), percent(low.predicted), percent(low.observed),
                         low.too_high ? "too high" : ""});
    return text_table(lines) + "\n";
}

std::string balance_table(const Evaluation& evaluation, const EvaluationNames& names) {
    constexpr std::size_t shown = 5;
    Lines lines = {{"balance: the largest differences to all rows, in standard deviations", "treatment", "before",
                    "after weighting"}};
    const auto words = [](const std::optional<double>& value) { return value ? fmt::format("{:.2f}", *value) : "-"; };
    for (std::size_t i = 0; i < std::min(shown, evaluation.balance.size()); ++i) {
        const CovariateBalance& each = evaluation.balance[i];
        lines.push_back({names.inputs[each.column], names.treatments[static_cast<std::size_t>(each.treatment)],
                         words(each.before), words(each.after)});
    }
    const auto notable = std::ranges::count_if(evaluation.balance, [](const CovariateBalance& each) {
        return each.after && std::abs(*each.after) > notable_difference;
    });
    std::string text = text_table(lines) + fmt::format("{} of {} differences are above {} after weighting\n",
                                                       grouped(static_cast<std::size_t>(notable)),
                                                       grouped(evaluation.balance.size()), notable_difference);
    const BalanceWithinBins& bins = evaluation.bin_balance;
    text += fmt::format("within fifths of the propensities: {} of {} differences are above {} beyond chance",
                        grouped(bins.notable), grouped(bins.checked), notable_difference);
    if (bins.largest)
        text += fmt::format(" (the largest: {}, {}, fifth {}: {:.2f})", names.inputs[bins.largest->column],
                            names.treatments[static_cast<std::size_t>(bins.largest->treatment)],
                            bins.largest->fifth + 1, bins.largest->difference);
    return text + "\n";
}

std::string cross_words(const Evaluation& evaluation, const EvaluationNames& names) {
    Lines lines = {{"received \\ prescribed"}};
    for (const std::string& label : names.treatments) lines.front().push_back(label);
    for (std::size_t received = 0; received < names.treatments.size(); ++received) {
        lines.push_back({names.treatments[received]});
        for (const std::size_t count : evaluation.cross_table[received]) lines.back().push_back(grouped(count));
    }
    return text_table(lines);
}

std::string personalizing_words(const Evaluation& evaluation, const EvaluationNames& names) {
    const ValueWriter written(evaluation);
    const PersonalizingTest& test = evaluation.personalizing;
    std::string text = "Does personalizing pay? ";
    const auto label = [&](int k) { return names.treatments[static_cast<std::size_t>(k)]; };
    if (test.over_best.known && test.best) {
        const ValueAndError& gain = *test.over_best.known;
        text += fmt::format("Gain over the best treatment for all ({}): {}; ", label(*test.best),
                            written.with_interval(test.over_best));
        if (test.p_value)
            text += *test.p_value < 0.0001 ? "p < 0.0001; " : fmt::format("p = {}; ", number_text(*test.p_value, 2));
        text += gain.low > 0    ? "yes."
                : gain.high < 0 ? "no, one treatment for all is better."
                                : "the data do not show a difference.";
    } else {
        text += test.over_best.reason + ".";
    }
    std::string others;
    for (const int k : test.not_compared) others += fmt::format("{}{}", others.empty() ? "" : ", ", label(k));
    if (!others.empty())
        text += fmt::format(" For all: {} cannot be compared (not supported widely enough, or too few rows).", others);
    return text + "\n";
}

std::string two_treatment_words(const Evaluation& evaluation, const EvaluationNames& names) {
    const ValueWriter written(evaluation);
    std::string text;
    if (evaluation.ranked)
        text += fmt::format(
            "Ranking by predicted gain of {} over {} ({} rows where both are supported): AUTOC {}, Qini {}\n",
            names.treatments[1], names.treatments[0], grouped(evaluation.both_supported),
            written.with_interval(evaluation.ranked->autoc), written.with_interval(evaluation.ranked->qini));
    if (evaluation.calibration && !evaluation.calibration->groups.empty()) {
        Lines lines = {{fmt::format("predicted {} minus {}", names.treatments[1], names.treatments[0]), "rows",
                        "predicted, mean", fmt::format("doubly robust, {}", level_words(names))}};
        for (const CalibrationGroup& group : evaluation.calibration->groups)
            lines.push_back({written.number.range(group.lowest, group.highest), grouped(group.rows),
                             written.number(group.predicted), written.with_interval(group.estimated)});
        text += text_table(lines);
        text += fmt::format("slope of the doubly robust on the predicted difference: {} (1 is calibrated)\n",
                            written.with_interval(evaluation.calibration->slope));
    }
    return text;
}

std::string risk_words(const Evaluation& evaluation) {
    const ValueWriter written(evaluation);
    const NumberNeeded& needed = evaluation.risk->needed;
    std::string text =
        fmt::format("Risk difference to as treated ({} rows with a supported prescription, {:.0f} effective): {}; ",
                    grouped(evaluation.risk->rows), evaluation.risk->effective_rows,
                    written.with_interval(evaluation.risk->difference));
    if (!needed.value) return text + "no number needed to treat\n";
    text += fmt::format("number needed to treat, to {}: {:.1f}", needed.to_benefit ? "benefit" : "harm", *needed.value);
    if (needed.low && needed.high) return text + fmt::format(" [{:.1f}, {:.1f}]\n", *needed.low, *needed.high);
    return text + fmt::format(" ({})\n", needed.reason);
}

// Counts of rows by treatment.
std::string counts(const std::vector<std::size_t>& rows) {
    std::string text;
    for (const std::size_t count : rows) text += fmt::format("{}{}", text.empty() ? "" : "/", grouped(count));
    return text;
}

std::string groups_table(const std::string& title, const std::vector<GroupValue>& groups,
                         const std::vector<std::string>& group_names, const EvaluationNames& names,
                         const ValueWriter& written) {
    Lines lines = {{title, "rows", "received", "prescribed", "observed", "policy"}};
    for (const std::string& label : names.treatments) lines.front().push_back(fmt::format("all {}", label));
    lines.front().emplace_back("margin");
    std::string notes;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const GroupValue& group = groups[g];
        std::vector<std::string> line = {group_names[g],
                                         grouped(group.rows),
                                         counts(group.received),
                                         counts(group.prescribed),
                                         written.with_interval(group.observed),
                                         written.with_interval(group.policy)};
        for (const MeanEstimate& treatment : group.treatments) line.push_back(written.with_interval(treatment));
        line.push_back(written.with_interval(group.margin));
        lines.push_back(std::move(line));
        for (const int k : group.never_observed)
            notes += fmt::format("{}: prescribes {}, which no row here received\n", group_names[g],
                                 names.treatments[static_cast<std::size_t>(k)]);
    }
    return text_table(lines) + notes +
           fmt::format("Intervals of this table hold all at once ({:g} %).\n", 100 * names.level);
}

}  // namespace

std::string evaluation_text(const Evaluation& evaluation, const EvaluationNames& names) {
    const ValueWriter written(evaluation);
    std::string text;
    if (names.recommended == false && names.recommendation) text += *names.recommendation + "\n";
    text += names.rows + "\n";
    text += fmt::format(
        "Value: the mean of '{}' if every row received its prescription ({} is better). The data identify it if those\n"
        "who chose treatments used nothing that is not in these columns (no unmeasured confounding), if the "
        "treatments\n"
        "concerned are supported (overlap), and if a row's outcome depends on its own treatment only (consistency).\n",
        names.outcome, names.larger_is_better ? "larger" : "smaller");
    text += fmt::format("Can the data answer? {}\n", evaluation.overlap.words);
    text += support_words(evaluation);
    text += fmt::format("Propensities: {}\n", propensity_words(evaluation.propensity));
    if (evaluation.training_sample)
        text += fmt::format("Nuisance models were trained on a sample of {} rows per fold, and predict every row.\n",
                            grouped(*evaluation.training_sample));
    text += "\n";
    text += policy_table(evaluation, names) + "\n";
    text += compared_table(evaluation, names) + "\n";
    text += personalizing_words(evaluation, names);
    text += two_treatment_words(evaluation, names);
    if (evaluation.risk) text += risk_words(evaluation);
    text += "\n" + overlap_table(evaluation, names) + "\n";
    text += low_propensities_table(evaluation, names);
    text += balance_table(evaluation, names) + "\n";
    text += cross_words(evaluation, names) + "\n";
    text += values_table(evaluation, names);
    if (!evaluation.leaves.empty())
        text += "\n" + groups_table("leaf", evaluation.leaves, names.leaves, names, written);
    if (!evaluation.groups.empty())
        text += "\n" + groups_table(names.by, evaluation.groups, names.groups, names, written);
    return text + "\n" + headline_sentence(evaluation, names) + "\n";
}

std::string headline_sentence(const Evaluation& evaluation, const EvaluationNames& names) {
    const ValueWriter written(evaluation);
    const BoundedValue& value = evaluation.supported.value;
    if (!value.estimate.estimable())
        return fmt::format("On {} rows the policy's expected {} is not estimable: {}.", grouped(evaluation.rows),
                           names.outcome, evaluation.overlap.words);
    std::string text = fmt::format(
        "If those who chose treatments used nothing that is not in these columns: on {} {}rows the policy's expected "
        "{} "
        "is {} against {} as treated",
        grouped(evaluation.rows), evaluation.held_out ? "held-out " : "", names.outcome, written.with_interval(value),
        written.with_interval(evaluation.as_treated));
    if (evaluation.overlap.unsupported > 0 || evaluation.overlap.verdict != OverlapVerdict::supported)
        text += fmt::format("; {}", evaluation.overlap.words);
    if (const auto lambda = lambda_that_matters(evaluation, names))
        text += fmt::format("; Lambda* {}", lambda_words(*lambda));
    return text + ".";
}

}  // namespace polyrx

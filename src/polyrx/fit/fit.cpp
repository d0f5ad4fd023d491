// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/every_row.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/core/text/utf8.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/fit/constrain.hpp"
#include "polyrx/fit/fit_baseline.hpp"
#include "polyrx/fit/learn/learn_average.hpp"
#include "polyrx/fit/learn/received_propensities.hpp"
#include "polyrx/fit/minimized_outcome.hpp"
#include "polyrx/fit/option_fields.hpp"
#include "polyrx/fit/recommend/scored_study.hpp"
#include "polyrx/network/big_m.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/rules/only_unsupported.hpp"
#include "polyrx/study/splits/held_out.hpp"
#include "polyrx/version.hpp"

namespace polyrx {
namespace {

using Clock = std::chrono::steady_clock;
using Spelled = std::pair<std::string, std::string>;  // an option and its text, as on the command line

double seconds_between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
}

// The settings in which candidates differ, such as "hidden 100,100 weight-decay 0.3".
std::string settings_words(const NetworkOptions& options, int epochs) {
    std::string words;
    for (const auto& [name, value] : spelled(options, epochs))
        words += fmt::format("{}{} {}", words.empty() ? "" : " ", name, value);
    return words;
}

// All settings that affect the result and are not stored elsewhere in the model. Threads do not affect it.
OptionTexts spelled(const Observations& observations, const FitOptions& options, const Fit& result) {
    OptionTexts list;
    const auto add = [&](const OptionTexts& more) { list.insert(list.end(), more.begin(), more.end()); };
    if (result.tuning) {
        const TuningOptions& tuning = options.tuning->options;
        list.emplace_back("recipe", name_of(Recipe::tuned));
        add(recorded(tuning_fields(), tuning));
        list.emplace_back("candidates", fmt::format("{}", result.tuning->trials.size()));
        if (result.tuning->out_of_time) list.emplace_back("max-seconds", fmt::format("{}", tuning.max_seconds));
        for (std::size_t i = 0; i < result.tuning->chosen.size(); ++i) {
            const NetworkOptions& chosen = result.tuning->chosen[i];
            list.emplace_back(fmt::format("chosen {}", i + 1),
                              settings_words(chosen, epochs_for(chosen, observations.rows())));
        }
    } else if (options.method == Method::network) {
        list = spelled(options.network, result.epochs);
    }
    if (!observations.weight_name.empty()) list.emplace_back("weight", observations.weight_name);
    if (!observations.group_name.empty()) list.emplace_back("group", observations.group_name);
    if (observations.has_design()) list.emplace_back("propensities", observations.design_name);
    add(recorded(fit_fields(), options));
    return list;
}

// Objective (4) on all rows in the user's units. Outcomes are negated if they are maximized.
double policy_loss(const Observations& observations, const Prescriptions& prescriptions, double mu,
                   Objective objective) {
    const double sign = objective == Objective::max ? -1 : 1;
    double sum = 0;
    double total = 0;
    for (std::size_t i = 0; i < observations.rows(); ++i) {
        const auto predicted = prescriptions.outcomes.row(static_cast<Eigen::Index>(i));
        const int given = observations.treatment[i];
        const int prescribed = prescriptions.treatment[i];
        const double weight = observations.weight.empty() ? 1 : observations.weight[i];
        const double error = observations.outcome[i] - predicted[given];
        const double expected = prescribed == no_treatment
                                    ? 0
                                    : sign * (prescribed == given ? observations.outcome[i] : predicted[prescribed]);
        sum += weight * (mu * expected + (1 - mu) * error * error);
        total += weight;
    }
    return sum / total;
}

std::vector<std::size_t> count_each(std::span<const int> treatment, std::size_t treatments) {
    std::vector<std::size_t> counts(treatments);
    for (const int t : treatment)
        if (t != no_treatment) ++counts[static_cast<std::size_t>(t)];
    return counts;
}

// The encoder of all features, including derived features that the rules need.
Encoder encoder_for(const Observations& observations, const FitOptions& options, const Schema& schema) {
    Encoder encoder = make_encoder(observations.features, schema);
    encoder =
        with_derived(encoder, needed_features(options.rules, encoder, options.rules_source), &observations.features);
    return encoder;
}

// Rows whose received treatment the rules forbid.
std::vector<std::size_t> rows_that_break_rules(const Observations& observations, const FitOptions& options,
                                               const Schema& schema) {
    const Encoder encoder = encoder_for(observations, options, schema);
    const BoundRules rules =
        bind_rules(options.rules, encoder, observations.treatments, options.when_missing, options.rules_source);
    const Matrix encoded = encoder.encode(observations.features);
    const std::vector<TreatmentSet> allowed = rules.allowed(encoded);
    std::vector<std::size_t> violations;
    for (std::size_t i = 0; i < allowed.size(); ++i) {
        if (has(allowed[i], observations.treatment[i])) continue;
        violations.push_back(i);
        if (options.on_violation != OnViolation::error) continue;
        const auto row = encoded.row(static_cast<Eigen::Index>(i));
        const auto broken = std::ranges::find_if(rules.rules(), [&](const BoundRule& rule) {
            return !has(rule.allowed, observations.treatment[i]) && rule.applies.holds(row.data());
        });
        throw data_error(
            fmt::format("{}: the treatment {} breaks rule {}", observations.features.where(i),
                        in_quotes(observations.treatments[static_cast<std::size_t>(observations.treatment[i])]),
                        broken - rules.rules().begin() + 1));
    }
    return violations;
}

// Throws a data error about the file unless every treatment has rows: "without ..., no rows of B are left".
void check_each_treatment(const Observations& kept, std::string_view without, std::string_view file) {
    const std::vector<std::size_t> given = count_each(kept.treatment, kept.treatments.size());
    for (std::size_t k = 0; k < given.size(); ++k)
        if (given[k] < 2)
            throw data_error(fmt::format("{}: {}, {} row{} of {} {} left; expected at least 2", file, without,
                                         given[k] == 0 ? "no" : "one", given[k] == 0 ? "s" : "",
                                         in_quotes(kept.treatments[k]), given[k] == 0 ? "are" : "is"));
}

std::size_t count_differences(const std::vector<int>& one, const std::vector<int>& other) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < one.size(); ++i) count += one[i] != other[i] ? 1 : 0;
    return count;
}

// Counts the rows whose prescription would differ without rules, and without support.
void count_changed(const Policy& policy, const Matrix& encoded, const Prescriptions& prescriptions, Fit& result) {
    if (policy.rules.bound.empty()) return;
    // Internal units of the policy: smaller is better.
    const bool turned = policy.objective == Objective::max || kind_of(policy) == ScoreKind::votes;
    const Matrix outputs = (turned ? -1 : 1) * prescriptions.outcomes;
    const BoundRules& rules = policy.rules.bound;
    result.changed = count_differences(choose(rules.without_rules(), encoded, outputs), prescriptions.treatment);
    result.unsupported = count_differences(choose(rules.allowed(encoded), outputs), prescriptions.treatment);
}

// Learns where the data support each treatment, and restricts the policy to it.
void add_support(const NetworkStudy& study, const ScoredStudy* scored, const FitOptions& options, Policy& policy,
                 Fit& result) {
    result.support = learn_support(support_study(study, scored), every_row(study.observations.rows()),
                                   {.epsilon = *options.support, .seed = options.seed, .threads = options.threads});
    policy.rules = make_rule_book(options.rules, options.when_missing, policy.encoder, policy.treatments,
                                  options.rules_source, result.support->support);
    // Count this now: a fallback may have another support, whose epsilon measures what is likely, not what is
    // supported.
    result.only_unsupported = count_only_unsupported(policy.rules.bound, study.encoded);
}

// A policy without its learned parts.
Policy policy_for(const Observations& observations, const FitOptions& options, const Schema& schema) {
    Policy policy;
    policy.encoder = encoder_for(observations, options, schema);
    policy.objective = options.objective;
    policy.treatments = observations.treatments;
    policy.treatment_name = observations.treatment_name;
    policy.outcome_name = observations.outcome_name;
    policy.missing_texts = schema.missing.value_or(default_missing_texts);
    policy.rules =
        make_rule_book(options.rules, options.when_missing, policy.encoder, policy.treatments, options.rules_source);
    return policy;
}

// Tunes settings if requested, trains the policy's network, and reports on both in `result`.
void learn(NetworkStudy study, const FitOptions& options, Policy& policy, Fit& result, const Progress& progress) {
    const auto began = Clock::now();
    const std::vector<std::size_t> rows = every_row(study.observations.rows());
    std::vector<NetworkOptions> chosen = {options.network};
    if (options.tuning) {
        result.tuning = tune_network(study, options.tuning->candidates, study.observations.group,
                                     options.tuning->options, options.seed, options.threads, progress);
        chosen = result.tuning->chosen;
        study.propensity = result.tuning->propensity;
        result.seconds.tune = seconds_between(began, Clock::now());
    }
    const auto training_began = Clock::now();
    std::vector<double> propensity;
    if (study.propensity.empty() && std::ranges::any_of(chosen, [](const auto& each) { return each.balance > 0; })) {
        propensity = received_propensities(study, options.seed, options.threads, progress);
        study.propensity = propensity;
    }
    LearnedNetwork learned = learn_average(study, rows, chosen, options.seed, options.threads, progress);
    policy.network = std::move(learned.network);
    result.history = std::move(learned.history);
    result.epochs = learned.epochs;
    result.best_epoch = learned.best_epoch;
    result.stopped_early = learned.stopped_early;
    result.learning_rate = learned.learning_rate;
    result.retries = learned.retries;
    result.seconds.train = seconds_between(training_began, Clock::now());
}

// Compares the policy with others. If a simple one is better, it replaces the policy.
void add_recommendation(NetworkStudy study, const ScoredStudy* scored, const FitOptions& options, Policy& policy,
                        Fit& result, const Progress& progress) {
    const auto began = Clock::now();
    std::vector<double> propensity;
    TeacherPlan plan{.how = {}, .seed = options.seed};
    const Matrix* held_out = nullptr;
    if (options.method != Method::network) {
        plan.how = BaselinePlan{options.method, options.baseline};
    } else if (result.tuning) {
        plan.how = result.tuning->chosen;
        study.propensity = result.tuning->propensity;
        if (result.tuning->held_out) held_out = &*result.tuning->held_out;
    } else {
        plan.how = std::vector<NetworkOptions>{options.network};
    }
    const auto* networks = std::get_if<std::vector<NetworkOptions>>(&plan.how);
    if (networks && study.propensity.empty() &&
        std::ranges::any_of(*networks, [](const NetworkOptions& each) { return each.balance > 0; })) {
        propensity = received_propensities(study, options.seed, options.threads);
        study.propensity = propensity;
    }
    const LearnedPolicy learned{.policy = policy,
                                .study = study,
                                .plan = std::move(plan),
                                .scored = scored,
                                .support = result.support ? &*result.support : nullptr,
                                .held_out_outputs = held_out};
    result.recommended = recommend(learned, *options.recommend, options.seed, options.threads, progress);
    policy.recommendation = result.recommended->recommendation;
    if (const auto& fallback = result.recommended->fallback) {
        if (fallback->network) {
            policy.network = *fallback->network;
            policy.baseline.reset();
            policy.provenance.options.emplace_back("fallback", fallback->name);
        } else {
            const auto support = std::ranges::find(policy.provenance.options, "support", &Spelled::first);
            support->second = fmt::format("{}", fallback->support->epsilon);
        }
        if (fallback->support)
            policy.rules = make_rule_book(options.rules, options.when_missing, policy.encoder, policy.treatments,
                                          options.rules_source, fallback->support);
    }
    result.seconds.recommend = seconds_between(began, Clock::now());
}

Fit fit_rows(const Observations& observations, const FitOptions& options, const Schema& schema,
             const Progress& progress) {
    const auto encoding_began = Clock::now();
    const bool is_network = options.method == Method::network;
    if (!is_network && options.big_m) throw usage_error("--big-m is for networks");
    Fit result;
    Policy policy = policy_for(observations, options, schema);
    if (!policy.rules.empty())
        result.conflict_free =
            refuse_conflicts(policy.rules, policy.encoder, policy.treatments, options.rules_source, 0, progress);
    const Matrix encoded = policy.encoder.encode(observations.features);
    const FeatureRows features = feature_rows(policy.encoder, observations.features);
    const auto support_began = Clock::now();
    result.seconds.encode = seconds_between(encoding_began, support_began);
    const std::vector<double> outcome = minimized_outcome(observations, options.objective);
    NetworkStudy study{observations, policy.encoder, encoded, features, outcome};
    const bool is_scored = options.support || options.recommend;
    std::optional<ScoredStudy> scored;
    if (is_scored)
        scored = score_study(study, options.recommend.has_value(), options.seed, options.threads,
                             part_of_work(progress, 0, 0.2, "support"));
    result.outcome_range = outcome_range(observations.outcome, options.outcome_range);
    if (scored) scored->range = minimized_range(result.outcome_range, options.objective);
    if (options.support) add_support(study, scored ? &*scored : nullptr, options, policy, result);
    std::vector<TreatmentSet> allowed;
    if (!policy.rules.bound.empty()) allowed = policy.rules.bound.supported(encoded);
    study.allowed = allowed;
    if (options.support)
        study.allowed_from = [&](std::span<const std::size_t> rows) {
            const Support refitted =
                refit_support(support_study(study, scored ? &*scored : nullptr), rows, *result.support);
            const BoundRules& rules = policy.rules.bound;
            return BoundRules(rules.rules(), policy.treatments.size(),
                              bind_support(refitted, policy.encoder, policy.treatments.size()))
                .supported(encoded);
        };
    const auto learning_began = Clock::now();
    if (is_scored) result.seconds.support = seconds_between(support_began, learning_began);
    std::vector<std::pair<std::string, std::string>> chosen;
    const double learned_share = options.recommend ? 0.7 : 1;
    const Progress learning = part_of_work(progress, is_scored ? 0.2 : 0, learned_share);
    if (is_network) {
        learn(study, options, policy, result, learning);
        if (options.big_m)
            policy.rules.big_m =
                sufficient_big_m(policy.network, policy_domain(policy), ever_forbidden(policy.rules.bound));
    } else {
        FittedBaseline fitted = fit_baseline(options.method, observations, policy.encoder, encoded, outcome,
                                             options.seed, options.threads, learning, options.baseline);
        result.stopped = fitted.stopped;
        policy.baseline = std::move(fitted.baseline);
        chosen = std::move(fitted.chosen);
        result.seconds.train = seconds_between(learning_began, Clock::now());
    }

    policy.provenance = {"polyrx " POLYRX_VERSION,
                         options.seed,
                         observations.rows(),
                         fingerprint(observations),
                         0,
                         spelled(observations, options, result)};
    std::ranges::move(chosen, std::back_inserter(policy.provenance.options));
    if (options.recommend && !result.stopped)
        add_recommendation(study, scored ? &*scored : nullptr, options, policy, result,
                           part_of_work(progress, learned_share, 1));
    const auto review_began = Clock::now();
    if (options.row_sketch) policy.provenance.sketch = sketch_rows(content_hashes(observations));
    const Prescriptions prescriptions =
        prescribe(policy, observations.features, {.threads = options.threads, .outcomes = true},
                  result.stopped ? Progress{} : progress);
    if (!prescriptions.outcomes.allFinite())
        throw data_error(
            fmt::format("{}: what {} learned is not finite: values are too large or too small to compute "
                        "with; use other units",
                        observations.features.where(), name_of(options.method)));
    if (is_network) {
        const double mu = result.tuning ? result.tuning->chosen.front().mu : options.network.mu;
        result.loss = policy_loss(observations, prescriptions, mu, options.objective);
    }
    count_changed(policy, encoded, prescriptions, result);
    result.changes.assign(policy.treatments.size(), std::vector<std::size_t>(policy.treatments.size()));
    for (std::size_t i = 0; i < observations.rows(); ++i)
        if (prescriptions.treatment[i] != no_treatment)
            ++result.changes[static_cast<std::size_t>(observations.treatment[i])]
                            [static_cast<std::size_t>(prescriptions.treatment[i])];
    result.given = count_each(observations.treatment, policy.treatments.size());
    result.prescribed = count_each(prescriptions.treatment, policy.treatments.size());
    result.policy = std::move(policy);
    result.seconds.review = seconds_between(review_began, Clock::now());
    return result;
}

Fit fit_within_rules(const Observations& observations, const FitOptions& options, const Schema& schema,
                     const Progress& progress) {
    if (options.rules.rules.empty()) return fit_rows(observations, options, schema, progress);
    std::vector<std::size_t> violations = rows_that_break_rules(observations, options, schema);
    Fit result = fit_rows(observations, options, schema, progress);
    result.violations = std::move(violations);
    return result;
}

}  // namespace

std::string_view name_of(OnViolation on_violation) {
    return on_violation == OnViolation::keep ? "keep" : "error";
}

Fit fit(const Observations& observations, const FitOptions& options, const Schema& schema, const Progress& progress) {
    check_fields(fit_fields(), options);
    if (options.outcome_range)
        if (const auto row = first_outside(observations.outcome, *options.outcome_range))
            throw data_error(fmt::format("{}: the outcome is {}, outside of the declared range from {} to {}",
                                         observations.features.where(*row), observations.outcome[*row],
                                         options.outcome_range->least, options.outcome_range->greatest));
    if (options.test_fraction == 0) return fit_within_rules(observations, options, schema, progress);
    HeldOut split = hold_out(observations, options.test_fraction, options.seed);
    if (split.rows.held_out.empty())
        throw data_error(fmt::format("{}: a test fraction of {} holds out none of {} rows; expected a larger one",
                                     observations.features.where(), options.test_fraction, observations.rows()));
    const Observations kept = take(observations, split.rows.kept);
    check_each_treatment(kept, "without the rows that are held out", observations.features.where());
    Fit result = fit_within_rules(kept, options, schema, progress);
    result.policy.provenance.test_fraction = options.test_fraction;
    result.policy.provenance.split = std::move(split.record);
    result.violations = picked(split.rows.kept, result.violations);
    result.held_out = std::move(split.rows.held_out);
    return result;
}

}  // namespace polyrx

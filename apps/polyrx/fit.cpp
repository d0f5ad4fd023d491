// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

#include "fit_arguments.hpp"
#include "fit_summary.hpp"
#include "frontier_words.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/fit/distill/distill.hpp"
#include "polyrx/fit/rows_learned_from.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/study/column_screens.hpp"
#include "polyrx/table/io/csv_read.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "polyrx/train/train_kernel.hpp"
#include "polyrx/api/data_text.hpp"
#include "polyrx/api/summary.hpp"
#include "terminal.hpp"
#include "timings.hpp"
#include "verbs.hpp"

namespace polyrx::cli {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

nlohmann::ordered_json json_of(const Gain& gain) {
    if (!gain.known) return {{"over", gain.over}, {"known", false}};
    if (gain.too_few_rows) return {{"over", gain.over}, {"known", false}, {"too_few_rows", true}};
    return {{"over", gain.over}, {"known", true},   {"least", gain.least},
            {"most", gain.most}, {"low", gain.low}, {"high", gain.high}};
}

nlohmann::ordered_json gains_json(const Fit& fit) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    if (fit.recommended)
        for (const Gain& gain : fit.recommended->judgment.gains) list.push_back(json_of(gain));
    return list;
}

// Of each simple policy over current practice.
nlohmann::ordered_json rivals_json(const Fit& fit) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    if (!fit.recommended) return list;
    const Judgment& judgment = fit.recommended->judgment;
    for (std::size_t r = 0; r < judgment.rival_gains.size(); ++r) {
        list.push_back(json_of(judgment.rival_gains[r]));
        list.back()["policy"] = judgment.gains[r + 1].over;
    }
    return list;
}

nlohmann::ordered_json support_json(const Fit& fit) {
    if (!fit.policy.rules.support) return {{"beyond_support", "extrapolate"}};
    const Support& support = *fit.policy.rules.support;
    nlohmann::ordered_json json = {{"beyond_support", "avoid"},
                                   {"epsilon", support.epsilon},
                                   {"model", kind_of(support)},
                                   {"terms", most_terms(support)},
                                   {"changed", fit.unsupported},
                                   {"only_unsupported_allowed", fit.only_unsupported},
                                   {"tried", nlohmann::ordered_json::array()}};
    if (fit.support)
        for (const SupportTrial& trial : fit.support->trials)
            json["tried"].push_back(
                {{"model", trial.name}, {"log_loss", trial.log_loss}, {"contradicted", trial.contradicted}});
    if (fit.recommended && fit.recommended->extrapolating) {
        json["extrapolating"] = json_of(*fit.recommended->extrapolating);
        json["changed_by_extrapolation"] = fit.recommended->changed_by_extrapolation;
    }
    return json;
}

nlohmann::ordered_json json_summary(const Fit& fit, const FitTimings& timings, const std::string& model) {
    nlohmann::ordered_json treatments = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < fit.policy.treatments.size(); ++k)
        treatments.push_back(
            {{"label", fit.policy.treatments[k]}, {"given", fit.given[k]}, {"prescribed", fit.prescribed[k]}});
    nlohmann::ordered_json seconds;
    for (const Stage& stage : stages(timings)) seconds[std::string(stage.name)] = stage.seconds;
    nlohmann::ordered_json options;
    for (const auto& [name, value] : fit.policy.provenance.options) options[name] = value;
    return {{"model", model},
            {"method", name_of(fit.policy.baseline ? fit.policy.baseline->method : Method::network)},
            {"options", options},
            {"rows", fit.policy.provenance.rows},
            {"held_out", fit.held_out.size()},
            {"treatments", treatments},
            {"recommended", fit.policy.recommendation ? nlohmann::ordered_json(fit.policy.recommendation->recommended)
                                                      : nlohmann::ordered_json()},
            {"recommendation", fit.policy.recommendation ? fit.policy.recommendation->sentence : ""},
            {"gains", gains_json(fit)},
            {"safer_policies", rivals_json(fit)},
            {"fallback", fit.recommended && fit.recommended->fallback
                             ? nlohmann::ordered_json(fit.recommended->fallback->name)
                             : nlohmann::ordered_json()},
            {"better", fit.policy.objective == Objective::min ? "smaller" : "larger"},
            {"features", fit.policy.encoder.read_columns()},
            {"received_by_prescribed", fit.changes},
            {"support", support_json(fit)},
            {"violations", fit.violations.size()},
            {"changed_by_rules", fit.changed},
            {"loss", fit.policy.baseline ? nlohmann::ordered_json() : nlohmann::ordered_json(fit.loss)},
            {"epochs", fit.history.size()},
            {"best_epoch", fit.best_epoch},
            {"seconds", timings.total},
            {"timings", seconds},
            {"kernels", kernel_target()}};
}

void check_test_file(const FitArguments& arguments) {
    if (arguments.test_file.empty()) return;
    if (arguments.test_fraction == 0)
        throw usage_error("--test-file writes held-out rows: say how many with --test-fraction SHARE");
    if (is_standard_output(arguments.test_file)) throw usage_error("--test-file needs a file, not standard output");
    check_writable(arguments.test_file, {arguments.data.path, arguments.data.schema, arguments.rules});
    check_apart(arguments.output, arguments.test_file, "--test-file");
    if (!arguments.tuning_log.empty()) check_apart(arguments.tuning_log, arguments.test_file, "--test-file");
}

// All columns of the held-out rows, with every cell as it was.
void write_test_file(const std::string& path, const DataText& text, const Table& held_out, const Progress& progress) {
    const Table all = parse_as_text(text, held_out.source().header, progress);
    const std::set<std::uint32_t> lines(held_out.source().lines.begin(), held_out.source().lines.end());
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < all.rows(); ++row)
        if (lines.contains(all.source().lines[row])) rows.push_back(row);
    Output output(path);
    write_csv(all.take(rows), [&](std::string_view part) { output.write(part); });
    output.commit();
}

void run(const FitArguments& arguments, Terminal& terminal) {
    if (arguments.quiet) terminal.be_quiet();
    if (arguments.json && is_standard_output(arguments.output))
        throw usage_error(fmt::format("--json and -o {} would both write to standard output", arguments.output));
    check_inputs(arguments.data);
    const auto began = Clock::now();
    const FitOptions options = fit_options(arguments);
    check_writable(arguments.output, {arguments.data.path, arguments.data.schema, arguments.rules});
    if (!arguments.tuning_log.empty()) {
        check_writable(arguments.tuning_log, {arguments.data.path, arguments.data.schema, arguments.rules});
        check_apart(arguments.output, arguments.tuning_log, "--tuning-log");
    }
    check_test_file(arguments);

    FitTimings timings;
    const Progress progress = terminal.progress();
    CsvOptions reading;
    reading.schema = schema_for(arguments.data, progress);
    const DataText text = read_data(arguments.data.path, progress);
    const Observations observations =
        observe(parse_csv(text.bytes, text.name, reading, progress), arguments.data.roles, reading.schema);
    timings.read = seconds_since(began);
    for (const std::string& note : observations.notes) terminal.say(note);
    for (const std::string& note : suspicious_features(observations)) terminal.warn(note);
    Fit fitted = fit(observations, options, reading.schema, progress);
    if (fitted.stopped && arguments.leaves) throw Error(ErrorKind::canceled, "interrupted");
    if (fitted.stopped) forgive_interrupt();
    timings.fit = fitted.seconds;

    std::optional<Distilled> distilled;
    const bool is_simple = fitted.recommended && fitted.recommended->fallback && fitted.recommended->fallback->network;
    if (arguments.leaves && !is_simple) {
        const auto distilling_began = Clock::now();
        const Observations rows = rows_learned_from(fitted.policy, observations);
        distilled = distill(fitted.policy, rows,
                            {.budget = {.leaves = static_cast<std::size_t>(*arguments.leaves)},
                             .seed = options.seed,
                             .threads = options.threads,
                             .outcome_range = options.outcome_range},
                            progress);
        // The model that is written is what the summary is about.
        std::ranges::fill(fitted.prescribed, 0);
        for (std::vector<std::size_t>& of_received : fitted.changes) std::ranges::fill(of_received, 0);
        const Prescriptions prescriptions =
            prescribe(distilled->tree.policy, rows.features, {.threads = options.threads}, progress);
        for (std::size_t i = 0; i < rows.rows(); ++i) {
            if (prescriptions.treatment[i] == no_treatment) continue;
            const auto prescribed = static_cast<std::size_t>(prescriptions.treatment[i]);
            ++fitted.prescribed[prescribed];
            ++fitted.changes[static_cast<std::size_t>(rows.treatment[i])][prescribed];
        }
        timings.distill = seconds_since(distilling_began);
    }

    const auto writing_began = Clock::now();
    Output output(arguments.output);
    write_model(distilled ? distilled->tree.policy : fitted.policy, [&](std::string_view part) { output.write(part); });
    if (!arguments.tuning_log.empty()) {  // before the model: what fails leaves no model behind
        Output log(arguments.tuning_log);
        log.write(tuning_log(*fitted.tuning));
        log.commit();
    }
    if (!arguments.test_file.empty())
        write_test_file(arguments.test_file, text, take(observations, fitted.held_out).features, progress);
    output.commit();
    timings.write = seconds_since(writing_began);
    timings.total = seconds_since(began);
    const Policy& written = distilled ? distilled->tree.policy : fitted.policy;
    terminal.say(fit_summary(fitted, timings.total, distilled ? &written : nullptr));
    if (!fitted.held_out.empty())
        terminal.say(fmt::format("{} of {} held out for polyrx evaluate: {}", grouped(fitted.held_out.size()),
                                 counted(observations.rows(), "row"),
                                 counts_by_treatment(observations, fitted.held_out)));
    if (fitted.violations.size() > 0)
        terminal.say(fmt::format("In {} of {}, the treatment breaks a rule: {}", grouped(fitted.violations.size()),
                                 counted(observations.rows(), "row"),
                                 counts_by_treatment(observations, fitted.violations)));
    if (fitted.tuning) terminal.say(tuning_words(fitted));
    if (fitted.retries > 0)
        terminal.warn(fmt::format("training diverged {}; it was repeated with a learning rate of {:.3g}",
                                  counted(static_cast<std::size_t>(fitted.retries), "time"), fitted.learning_rate));
    if (!fitted.conflict_free) terminal.warn(not_certain_words(arguments.rules));
    if (fitted.policy.rules.big_m) terminal.say(big_m_words(fitted.policy));
    if (distilled) terminal.say(distilled_words(*distilled));
    if (arguments.leaves && is_simple)
        terminal.say(
            fmt::format("--leaves: {} is written as it is; polyrx tree shows it", fitted.recommended->fallback->name));
    if (!is_standard_output(arguments.output)) terminal.say(fmt::format("model {}", arguments.output));
    if (!arguments.test_file.empty()) terminal.say(fmt::format("held-out rows {}", arguments.test_file));
    if (arguments.timings) terminal.say(timings_table(timings));
    if (arguments.json) {
        nlohmann::ordered_json json = json_summary(fitted, timings, arguments.output);
        if (distilled) {
            json["recommended"] = written.recommendation ? nlohmann::ordered_json(written.recommendation->recommended)
                                                         : nlohmann::ordered_json();
            json["recommendation"] = written.recommendation ? written.recommendation->sentence : "";
            json["distilled"] = to_json(*distilled);
        }
        Output("-").write(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    }
    // The model is kept, and whoever called, a loop of a shell perhaps, is told all the same.
    if (fitted.stopped) throw Error(ErrorKind::canceled, "interrupted: the model is the best tree that had been found");
}

}  // namespace

Verb fit_verb() {
    const auto arguments = std::make_shared<FitArguments>();
    Verb verb;
    verb.name = "fit";
    verb.summary = "learn a policy from observational data";
    verb.description =
        "Learns which treatment to recommend from rows of features, treatment received and outcome. By default it "
        "trains a prescriptive ReLU network, which predicts the outcome under each treatment and recommends the best. "
        "All other columns are features (but y0, y1, ... and best, the truth columns of simulate, are left out). "
        "Options given here override those of the recipe.";
    verb.positionals = {data_positional(arguments->data)};
    verb.options = options_of(*arguments);
    verb.example = {
        "polyrx fit train.csv --treatment treatment --outcome outcome --recipe fast --seed 1 -o model.json"};
    verb.run = [arguments](Terminal& terminal) { run(*arguments, terminal); };
    return verb;
}

}  // namespace polyrx::cli

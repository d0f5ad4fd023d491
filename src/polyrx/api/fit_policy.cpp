// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/fit_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "polyrx/api/distilled_text.hpp"
#include "polyrx/api/fit_text.hpp"
#include "polyrx/api/summary.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/text/number_text.hpp"
#include "polyrx/fit/rows_learned_from.hpp"
#include "polyrx/study/column_screens.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace polyrx {
namespace {

bool is_simple(const Fit& fit) {
    return fit.recommended && fit.recommended->fallback && fit.recommended->fallback->network;
}

// Replaces the teacher's counts of prescriptions by the student's.
void count_prescriptions(const Policy& student, const Observations& rows, int threads, const Progress& progress,
                         Fit& fit) {
    std::ranges::fill(fit.prescribed, 0);
    for (std::vector<std::size_t>& of_received : fit.changes) std::ranges::fill(of_received, 0);
    const Prescriptions prescriptions = prescribe(student, rows.features, {.threads = threads}, progress);
    for (std::size_t i = 0; i < rows.rows(); ++i) {
        if (prescriptions.treatment[i] == no_treatment) continue;
        const auto prescribed = static_cast<std::size_t>(prescriptions.treatment[i]);
        ++fit.prescribed[prescribed];
        ++fit.changes[static_cast<std::size_t>(rows.treatment[i])][prescribed];
    }
}

Distilled distilled_from(Fit& fit, const Observations& observations, const FitPolicyOptions& options,
                         const Progress& progress) {
    const Observations rows = rows_learned_from(fit.policy, observations);
    Distilled distilled = distill(fit.policy, rows,
                                  {.budget = {.leaves = *options.leaves},
                                   .seed = options.fit.seed,
                                   .threads = options.fit.threads,
                                   .outcome_range = options.fit.outcome_range},
                                  progress);
    count_prescriptions(distilled.tree.policy, rows, options.fit.threads, progress, fit);
    return distilled;
}

void add_notes(const Observations& observations, const FitPolicyOptions& options, PolicyFit& fitted) {
    const Fit& fit = fitted.fit;
    const std::string rows = counted(observations.rows(), "row");
    if (!fit.held_out.empty())
        fitted.notes.push_back(fmt::format("{} of {} held out for polyrx evaluate: {}", grouped(fit.held_out.size()),
                                           rows, counts_by_treatment(observations, fit.held_out)));
    if (!fit.violations.empty())
        fitted.notes.push_back(fmt::format("In {} of {}, the treatment breaks a rule: {}",
                                           grouped(fit.violations.size()), rows,
                                           counts_by_treatment(observations, fit.violations)));
    if (fit.tuning) fitted.notes.push_back(tuning_words(fit));
    if (fit.policy.rules.big_m) fitted.notes.push_back(big_m_words(fit.policy));
    if (fitted.distilled) fitted.notes.push_back(text_of(*fitted.distilled));
    if (options.leaves && is_simple(fit))
        fitted.notes.push_back(
            fmt::format("--leaves: {} is written as it is; polyrx tree shows it", fit.recommended->fallback->name));
    if (fit.retries > 0)
        fitted.warnings.push_back(fmt::format("training diverged {}; it was repeated with a learning rate of {}",
                                              counted(static_cast<std::size_t>(fit.retries), "time"),
                                              number_text(fit.learning_rate, 3)));
    if (!fit.conflict_free) fitted.warnings.push_back(not_certain_words(options.fit.rules_source));
}

}  // namespace

ObservedRows observed_rows(const DataText& data, const Roles& roles, const Schema& schema, const Progress& progress) {
    CsvOptions reading;
    reading.schema = schema;
    ObservedRows rows;
    rows.observations = observe(parse_csv(data.bytes, data.name, reading, progress), roles, schema);
    rows.schema = schema;
    rows.notes = rows.observations.notes;
    rows.warnings = suspicious_features(rows.observations);
    return rows;
}

PolicyFit fit_policy(const ObservedRows& rows, const FitPolicyOptions& options, const Progress& progress) {
    PolicyFit fitted;
    fitted.fit = fit(rows.observations, options.fit, rows.schema, progress);
    if (fitted.fit.stopped && options.leaves) throw Error(ErrorKind::canceled, "interrupted");
    fitted.timings.fit = fitted.fit.seconds;
    if (options.leaves && !is_simple(fitted.fit)) {
        const auto began = std::chrono::steady_clock::now();
        fitted.distilled = distilled_from(fitted.fit, rows.observations, options, progress);
        fitted.timings.distill = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
    add_notes(rows.observations, options, fitted);
    return fitted;
}

std::string text_of(const PolicyFit& fitted) {
    return fit_summary(fitted.fit, fitted.timings.total, fitted.distilled ? &fitted.policy() : nullptr);
}

Table held_out_rows(const DataText& data, const ObservedRows& rows, const Fit& fit, const Progress& progress) {
    const TableSource& source = rows.observations.features.source();
    std::set<std::uint32_t> lines;
    for (const std::size_t row : fit.held_out) lines.insert(source.lines[row]);
    const Table all = parse_as_text(data, source.header, progress);
    std::vector<std::size_t> held_out;
    for (std::size_t row = 0; row < all.rows(); ++row)
        if (lines.contains(all.source().lines[row])) held_out.push_back(row);
    return all.take(held_out);
}

}  // namespace polyrx

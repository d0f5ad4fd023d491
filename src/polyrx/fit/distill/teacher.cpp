// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/distill/teacher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/fit/learn/learn_average.hpp"
#include "polyrx/fit/provenance_options.hpp"
#include "polyrx/rules/choose.hpp"

namespace polyrx {
namespace {

// Treatment effects are rarely larger than this share of the outcome's standard deviation.
constexpr double deviations_of_votes = 0.3;

void make_finite(Matrix& outputs) {
    for (Eigen::Index i = 0; i < outputs.rows(); ++i) {
        double worst = -std::numeric_limits<double>::infinity();
        for (const double value : outputs.row(i))
            if (std::isfinite(value)) worst = std::max(worst, value);
        for (double& value : outputs.row(i))
            if (!std::isfinite(value)) value = std::isfinite(worst) ? worst : 0;
    }
}

// Sums in row-major order, so that the result is the same on all platforms.
double mean_square_contrast(const Matrix& outputs) {
    double sum = 0;
    for (Eigen::Index i = 0; i < outputs.rows(); ++i) {
        double mean = 0;
        for (const double value : outputs.row(i)) mean += value;
        mean /= static_cast<double>(outputs.cols());
        for (const double value : outputs.row(i)) sum += (value - mean) * (value - mean);
    }
    return sum / static_cast<double>(outputs.size());
}

double margin_of(const Eigen::Ref<const Eigen::RowVectorXd>& outcomes, const TreatmentSet* allowed) {
    double best = std::numeric_limits<double>::infinity();
    double second = best;
    for (Eigen::Index k = 0; k < outcomes.size(); ++k) {
        if (allowed && !has(*allowed, static_cast<int>(k))) continue;
        if (outcomes[k] < best)
            second = std::exchange(best, outcomes[k]);
        else
            second = std::min(second, outcomes[k]);
    }
    return std::isfinite(second) ? second - best : 0;  // 0: there is no choice
}

}  // namespace

TeacherPlan teacher_plan(const Policy& policy) {
    TeacherPlan plan;
    plan.seed = policy.provenance.seed;
    for (const auto& [name, value] : policy.provenance.options)
        if (name == "fallback")
            throw usage_error(fmt::format(
                "this model prescribes {}, a fallback that needs no distilling: polyrx tree shows it", value));
        else if (name == "distilled-from")
            throw usage_error("this model was distilled itself: distill the one that it was distilled from");
    if (policy.baseline) {
        plan.how = BaselinePlan{policy.baseline->method, baseline_options_of(policy.provenance)};
        return plan;
    }
    std::optional<std::vector<NetworkOptions>> networks = network_options_of(policy.provenance);
    if (!networks)
        throw usage_error(
            "the model does not say how its network was trained, so it cannot be trained again without held-out rows");
    plan.how = std::move(*networks);
    return plan;
}

Matrix refitted_outputs(const NetworkStudy& study, std::span<const std::size_t> rows, const TeacherPlan& plan,
                        int threads, const Progress& progress) {
    if (const auto* networks = std::get_if<std::vector<NetworkOptions>>(&plan.how)) {
        NetworkStudy unseen = study;
        std::vector<TreatmentSet> allowed;
        if (study.allowed_from) unseen.allowed = allowed = study.allowed_from(rows);
        return forward(learn_average(unseen, rows, *networks, plan.seed, threads, progress).network, study.encoded);
    }
    std::vector<double> outcome;
    for (const std::size_t row : rows) outcome.push_back(study.outcome[row]);
    const auto& [method, options] = std::get<BaselinePlan>(plan.how);
    const Baseline baseline =
        fit_baseline(method, take(study.observations, rows), study.encoder, study.encoded(rows, Eigen::all), outcome,
                     plan.seed, threads, progress, options)
            .baseline;
    return scores(baseline, study.encoded, study.features, threads);
}

Lesson lesson_of(Matrix outputs, ScoreKind kind, std::span<const TreatmentSet> allowed, double deviation) {
    Lesson lesson;
    lesson.prescribed = allowed.empty() ? argmin_rows(outputs) : choose(allowed, outputs);
    lesson.outcomes = std::move(outputs);
    make_finite(lesson.outcomes);
    if (kind == ScoreKind::votes)
        if (const double square = mean_square_contrast(lesson.outcomes); square > 0)
            lesson.outcomes *= deviations_of_votes * deviation / std::sqrt(square);
    for (Eigen::Index i = 0; i < lesson.outcomes.rows(); ++i)
        lesson.margin.push_back(
            margin_of(lesson.outcomes.row(i), allowed.empty() ? nullptr : &allowed[static_cast<std::size_t>(i)]));
    return lesson;
}

void teach(TrainingRows& rows, const Lesson& lesson, std::span<const std::size_t> named, double outcome_scale) {
    double total = 0;
    for (std::size_t i = 0; i < named.size(); ++i) total += rows.weight[i] * lesson.margin[named[i]];
    const double mean = total / static_cast<double>(named.size());
    rows.teacher.clear();
    rows.teacher_weight.clear();
    for (std::size_t i = 0; i < named.size(); ++i) {
        const auto outcomes = lesson.outcomes.row(static_cast<Eigen::Index>(named[i]));
        double level = 0;
        for (const double value : outcomes) level += value;
        level /= static_cast<double>(outcomes.size());
        for (const double value : outcomes) rows.teacher.push_back(static_cast<float>((value - level) / outcome_scale));
        // A teacher without any preference weights all rows equally.
        rows.teacher_weight.push_back(mean > 0 ? static_cast<float>(rows.weight[i] * lesson.margin[named[i]] / mean)
                                               : rows.weight[i]);
    }
}

}  // namespace polyrx

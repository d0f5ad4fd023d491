// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "polyrx/core/json/json.hpp"
#include "polyrx/core/text/number_text.hpp"
#include "polyrx/core/text/text_table.hpp"

namespace polyrx {
namespace {

// One of the figures of a table: how its means are found, called and written.
struct Figure {
    std::string name;   // in CSV and JSON
    std::string title;  // over its column of the table
    std::optional<double> (*of)(const SplitScore&) = nullptr;
    std::string (*words)(double) = nullptr;
    std::string (*error_words)(double) = nullptr;  // of its standard error; none: it is shown without
    std::size_t width = 0;                         // of its column, at least
    bool is_difference = false;                    // to the best single treatment, paired by split
};

// The method that gives one treatment to all.
constexpr std::string_view single_treatment = "constant";

const CandidateScores* find_single_treatment(const Comparison& comparison) {
    const auto found = std::ranges::find(comparison.candidates, single_treatment, &CandidateScores::name);
    return found == comparison.candidates.end() ? nullptr : &*found;
}

std::optional<MeanScore> score_of(const Figure& figure, const CandidateScores& candidate,
                                  const CandidateScores* single) {
    if (!figure.is_difference) return mean_over_splits(candidate, figure.of);
    if (single == nullptr || candidate.name == single->name) return std::nullopt;
    return mean_difference(candidate, *single, figure.of);
}

std::optional<double> number(const std::optional<std::size_t>& count) {
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

// What methods are ranked by: regret where the truth is known, else the doubly robust value.
Figure ranking_figure(const Comparison& comparison) {
    const auto number_words = [](double value) { return number_text(value); };
    const auto error_words = [](double value) { return number_text(value, 2); };
    if (comparison.has_truth)
        return {"regret", "regret", [](const SplitScore& s) { return s.regret; }, number_words, error_words, 8};
    return {"doubly_robust_value",
            "doubly robust, worst case",
            [](const SplitScore& s) { return s.doubly_robust; },
            number_words,
            error_words,
            8};
}

// Those that rank come first.
std::vector<Figure> figures_of(const Comparison& comparison, Times times) {
    const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
    const auto count = [](double value) {
        return value < 100 ? fmt::format("{:g}", std::round(10 * value) / 10)
                           : grouped(static_cast<std::size_t>(std::llround(value)));
    };
    const auto seconds = [](double value) { return fmt::format("{:.3f} s", value); };
    const Figure ranking = ranking_figure(comparison);
    std::vector<Figure> figures = {ranking};
    if (find_single_treatment(comparison) != nullptr) {
        Figure difference = ranking;
        difference.name += "_minus_constant";
        difference.title = "minus constant";
        difference.is_difference = true;
        figures.push_back(difference);
    }
    if (comparison.has_truth) {
        figures.push_back(
            {"accuracy", "accuracy", [](const SplitScore& s) { return s.accuracy; }, percent, percent, 8});
        figures.push_back({"doubly_robust_value", "doubly robust, worst case",
                           [](const SplitScore& s) { return s.doubly_robust; }, ranking.words, ranking.error_words, 8});
    }
    figures.push_back(
        {"supported_share", "supported", [](const SplitScore& s) { return s.supported; }, percent, nullptr, 8});
    if (!comparison.has_truth)
        figures.push_back({"self_assessed_value", "self-assessed value",
                           [](const SplitScore& s) { return s.self_assessed; }, ranking.words, ranking.error_words, 8});
    figures.push_back(
        {"leaves", "leaves", [](const SplitScore& s) { return number(s.size.leaves); }, count, nullptr, 6});
    figures.push_back({"terms", "terms", [](const SplitScore& s) { return number(s.size.terms); }, count, nullptr, 6});
    if (times == Times::left_out) return figures;
    // Wide enough for hours, so that the table has one shape whatever the machine.
    figures.push_back({"fit_seconds", "fit", [](const SplitScore& s) { return s.fit_seconds; }, seconds, nullptr, 11});
    figures.push_back({"prescribe_seconds", "prescribe", [](const SplitScore& s) { return s.prescribe_seconds; },
                       seconds, nullptr, 11});
    return figures;
}

std::vector<CandidateScores> in_order(const Comparison& comparison) {
    const bool larger_is_better = !comparison.has_truth && comparison.objective == Objective::max;
    const Figure ranking = ranking_figure(comparison);
    const auto rank = [&](const CandidateScores& candidate) {
        const std::optional<MeanScore> score = mean_over_splits(candidate, ranking.of);
        return std::pair(!score, score ? (larger_is_better ? -score->mean : score->mean) : 0);
    };
    std::vector<CandidateScores> list = comparison.candidates;
    std::ranges::stable_sort(list, {}, rank);
    return list;
}

using Line = std::vector<std::string>;

std::string table_of(const Comparison& comparison, const std::vector<Figure>& figures) {
    const CandidateScores* single = find_single_treatment(comparison);
    Line head = {"method"};
    std::vector<std::size_t> widths = {0};
    for (const Figure& figure : figures) {
        head.push_back(figure.title);
        widths.push_back(figure.width);
        if (figure.error_words == nullptr) continue;
        head.emplace_back("s.e.");
        widths.push_back(6);
    }
    std::vector<Line> lines = {head};
    for (const CandidateScores& candidate : in_order(comparison)) {
        Line line = {candidate.name};
        for (const Figure& figure : figures) {
            const std::optional<MeanScore> score = score_of(figure, candidate, single);
            line.push_back(score ? figure.words(score->mean) : "-");
            if (figure.error_words != nullptr)
                line.push_back(score && score->standard_error ? figure.error_words(*score->standard_error) : "-");
        }
        lines.push_back(line);
    }
    return text_table(lines, widths);
}

// "180", or "119 to 121"
std::string held_out_words(const Comparison& comparison) {
    const auto size = [](const PlannedSplit& split) { return split.rows.held_out.size(); };
    const auto [least, most] = std::ranges::minmax(comparison.splits, {}, size);
    return size(least) == size(most) ? grouped(size(least))
                                     : fmt::format("{} to {}", grouped(size(least)), grouped(size(most)));
}

Json splits_json(const CandidateScores& candidate, const std::vector<Figure>& figures) {
    Json splits = Json::array();
    for (const SplitScore& score : candidate.splits) {
        Json split = Json::object();
        for (const Figure& figure : figures)
            if (!figure.is_difference) split[figure.name] = figure.of(score);
        splits.push_back(std::move(split));
    }
    return splits;
}

Json plan_json(const SplitPlan& plan) {
    if (const auto* folds = std::get_if<Folds>(&plan)) return {{"folds", folds->folds}};
    const auto& random = std::get<RandomSplits>(plan);
    return {{"splits", random.splits}, {"test_fraction", random.test_fraction}};
}

}  // namespace

std::string comparison_text(const Comparison& comparison, Times times) {
    std::string text = fmt::format("{} rows, {} treatments; {}, held out: {} rows{}\n", grouped(comparison.rows),
                                   comparison.treatments, plan_words(comparison.plan), held_out_words(comparison),
                                   comparison.splits.size() > 1 ? " each" : "");
    text += comparison.support
                ? fmt::format("All methods keep to the same support (epsilon {}).\n", *comparison.support)
                : std::string("All methods extrapolate beyond support, as published.\n");
    text += table_of(comparison, figures_of(comparison, times));
    for (const CandidateScores& candidate : comparison.candidates)
        if (!candidate.failed.empty())
            text += fmt::format("{} failed in {} of {} splits; the first time: {}\n", candidate.name,
                                candidate.failed.size(), comparison.splits.size(), candidate.failed.front().why);
    if (!comparison.has_truth)
        text +=
            "Methods are sorted by the doubly robust value. It is the same measure for all of them, and takes the "
            "worst\n"
            "observed outcome where a prescription is not supported. The self-assessed value uses a method's own\n"
            "predictions where it prescribes another treatment than was given: it ranks nobody.\n";
    return text;
}

std::string comparison_csv(const Comparison& comparison, Times times) {
    const std::vector<Figure> figures = figures_of(comparison, times);
    const CandidateScores* single = find_single_treatment(comparison);
    std::string text = "method";
    for (const Figure& figure : figures) {
        text += "," + figure.name;
        if (figure.error_words != nullptr) text += "," + figure.name + "_se";
    }
    text += ",failed_splits\n";
    for (const CandidateScores& candidate : in_order(comparison)) {
        text += candidate.name;
        for (const Figure& figure : figures) {
            const std::optional<MeanScore> score = score_of(figure, candidate, single);
            text += score ? fmt::format(",{}", score->mean) : ",";
            if (figure.error_words != nullptr)
                text += score && score->standard_error ? fmt::format(",{}", *score->standard_error) : ",";
        }
        text += fmt::format(",{}\n", candidate.failed.size());
    }
    return text;
}

std::string comparison_json(const Comparison& comparison, Times times) {
    const std::vector<Figure> figures = figures_of(comparison, times);
    const CandidateScores* single = find_single_treatment(comparison);
    Json json = {{"rows", comparison.rows},
                 {"treatments", comparison.treatments},
                 {"plan", plan_json(comparison.plan)},
                 {"seed", comparison.seed},
                 {"self_assessed", !comparison.has_truth},
                 {"splits", Json::array()},
                 {"support", comparison.support},
                 {"methods", Json::array()}};
    for (const PlannedSplit& split : comparison.splits)
        json["splits"].push_back({{"learned_from", split.rows.kept.size()},
                                  {"held_out", split.rows.held_out.size()},
                                  {"fit_seed", split.seed}});
    for (const CandidateScores& candidate : in_order(comparison)) {
        Json method = {{"method", candidate.name}};
        for (const Figure& figure : figures) {
            const std::optional<MeanScore> score = score_of(figure, candidate, single);
            method[figure.name] = score ? Json(score->mean) : Json();
            if (figure.error_words != nullptr)
                method[figure.name + "_se"] = score ? Json(score->standard_error) : Json();
        }
        method["splits"] = splits_json(candidate, figures);
        method["failed"] = Json::array();
        for (const FailedSplit& failed : candidate.failed)
            method["failed"].push_back({{"split", failed.split}, {"why", failed.why}});
        json["methods"].push_back(std::move(method));
    }
    return json.dump(2, InvalidUtf8::replace) + "\n";
}

}  // namespace polyrx

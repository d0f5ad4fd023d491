// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <tuple>

#include "polyrx/core/text/text_table.hpp"

namespace polyrx {
namespace {

using Json = nlohmann::ordered_json;

// One of the figures of a table: how its means are found, called and written.
struct Figure {
    std::string name;   // in CSV and JSON
    std::string title;  // over its column of the table
    std::optional<double> (*of)(const SplitScore&) = nullptr;
    std::string (*words)(double) = nullptr;
    std::string (*error_words)(double) = nullptr;  // of its standard error; none: it is shown without
    std::size_t width = 0;                         // of its column, at least
};

std::optional<double> number(const std::optional<std::size_t>& count) {
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

std::vector<Figure> figures_of(const Comparison& comparison, Times times) {
    const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
    const auto short_number = [](double value) { return fmt::format("{:.4g}", value); };
    const auto error = [](double value) { return fmt::format("{:.2g}", value); };
    const auto count = [](double value) {
        return value < 100 ? fmt::format("{:g}", std::round(10 * value) / 10)
                           : grouped(static_cast<std::size_t>(std::llround(value)));
    };
    const auto seconds = [](double value) { return fmt::format("{:.3f} s", value); };
    std::vector<Figure> figures;
    if (comparison.has_truth) {
        figures.push_back(
            {"accuracy", "accuracy", [](const SplitScore& s) { return s.accuracy; }, percent, percent, 8});
        figures.push_back({"regret", "regret", [](const SplitScore& s) { return s.regret; }, short_number, error, 8});
    } else {
        figures.push_back({"self_assessed_value", "self-assessed value",
                           [](const SplitScore& s) { return s.self_assessed; }, short_number, error, 8});
    }
    figures.push_back({"doubly_robust_value", "doubly robust, worst case",
                       [](const SplitScore& s) { return s.doubly_robust; }, short_number, error, 8});
    figures.push_back(
        {"supported_share", "supported", [](const SplitScore& s) { return s.supported; }, percent, nullptr, 8});
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
    std::vector<CandidateScores> list = comparison.candidates;
    if (!comparison.has_truth) return list;
    const auto rank = [](const CandidateScores& candidate) {
        const auto accuracy = mean_over_splits(candidate, [](const SplitScore& s) { return s.accuracy; });
        const auto regret = mean_over_splits(candidate, [](const SplitScore& s) { return s.regret; });
        return std::tuple(!accuracy, accuracy ? -accuracy->mean : 0, regret ? regret->mean : 0);
    };
    std::stable_sort(list.begin(), list.end(),
                     [&](const CandidateScores& a, const CandidateScores& b) { return rank(a) < rank(b); });
    return list;
}

using Line = std::vector<std::string>;

std::string table_of(const std::vector<CandidateScores>& candidates, const std::vector<Figure>& figures) {
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
    for (const CandidateScores& candidate : candidates) {
        Line line = {candidate.name};
        for (const Figure& figure : figures) {
            const std::optional<MeanScore> score = mean_over_splits(candidate, figure.of);
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

Json number_or_null(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

Json splits_json(const CandidateScores& candidate, const std::vector<Figure>& figures) {
    Json splits = Json::array();
    for (const SplitScore& score : candidate.splits) {
        Json split = Json::object();
        for (const Figure& figure : figures) split[figure.name] = number_or_null(figure.of(score));
        splits.push_back(split);
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
    text += table_of(in_order(comparison), figures_of(comparison, times));
    for (const CandidateScores& candidate : comparison.candidates)
        if (!candidate.failed.empty())
            text += fmt::format("{} failed in {} of {} splits; the first time: {}\n", candidate.name,
                                candidate.failed.size(), comparison.splits.size(), candidate.failed.front().why);
    if (!comparison.has_truth)
        text +=
            "The self-assessed value uses a method's own predictions where it prescribes another treatment than was\n"
            "given: it ranks nobody. Go by the doubly robust value. It is the same measure for all methods, and takes\n"
            "the worst observed outcome where a prescription is not supported.\n";
    return text;
}

std::string comparison_csv(const Comparison& comparison, Times times) {
    const std::vector<Figure> figures = figures_of(comparison, times);
    std::string text = "method";
    for (const Figure& figure : figures) {
        text += "," + figure.name;
        if (figure.error_words != nullptr) text += "," + figure.name + "_se";
    }
    text += ",failed_splits\n";
    for (const CandidateScores& candidate : in_order(comparison)) {
        text += candidate.name;
        for (const Figure& figure : figures) {
            const std::optional<MeanScore> score = mean_over_splits(candidate, figure.of);
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
    Json json = {{"rows", comparison.rows},
                 {"treatments", comparison.treatments},
                 {"plan", plan_json(comparison.plan)},
                 {"seed", comparison.seed},
                 {"self_assessed", !comparison.has_truth},
                 {"splits", Json::array()},
                 {"support", number_or_null(comparison.support)},
                 {"methods", Json::array()}};
    for (const PlannedSplit& split : comparison.splits)
        json["splits"].push_back({{"learned_from", split.rows.kept.size()},
                                  {"held_out", split.rows.held_out.size()},
                                  {"fit_seed", split.seed}});
    for (const CandidateScores& candidate : in_order(comparison)) {
        Json method = {{"method", candidate.name}};
        for (const Figure& figure : figures) {
            const std::optional<MeanScore> score = mean_over_splits(candidate, figure.of);
            method[figure.name] = number_or_null(score ? std::optional(score->mean) : std::nullopt);
            if (figure.error_words != nullptr)
                method[figure.name + "_se"] = number_or_null(score ? score->standard_error : std::nullopt);
        }
        method["splits"] = splits_json(candidate, figures);
        method["failed"] = Json::array();
        for (const FailedSplit& failed : candidate.failed)
            method["failed"].push_back({{"split", failed.split}, {"why", failed.why}});
        json["methods"].push_back(method);
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace polyrx

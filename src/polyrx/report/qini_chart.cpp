// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/text/number_text.hpp"
#include "polyrx/report/chart_canvas.hpp"
#include "polyrx/report/evaluation_charts.hpp"
#include "polyrx/show/draw/axis.hpp"

namespace polyrx {
namespace {

constexpr double qini_height = 380;
constexpr double qini_left = 90;

}  // namespace

std::string qini_chart(const RankedGain& ranked, const EvaluationNames& names) {
    const std::string coefficient =
        ranked.qini.known ? fmt::format("Qini coefficient {} [{}, {}]", number_text(ranked.qini.known->value),
                                        number_text(ranked.qini.known->low), number_text(ranked.qini.known->high))
                          : "Qini coefficient not estimable";
    ChartCanvas canvas(chart_width, qini_height,
                       fmt::format("Gain of {} over {}, in the order of the policy's ranking", names.treatments[1],
                                   names.treatments[0]),
                       fmt::format("{}; dashed: the same number at random", coefficient), warning_of(names));
    double low = 0;
    double high = 0;
    for (const QiniPoint& point : ranked.qini_curve) {
        low = std::min({low, point.gain, point.random});
        high = std::max({high, point.gain, point.random});
    }
    const double bottom = qini_height - 52;
    const Axis share(0, 1, qini_left, chart_width - chart_margin);
    const Axis gain(low, high, bottom, chart_head);
    share.draw_below(canvas.svg(), chart_head, bottom,
                     fmt::format("share of rows that receive {}", names.treatments[1]));
    gain.draw_left(canvas.svg(), qini_left, chart_width - chart_margin);
    std::vector<Point> curve;
    std::vector<Point> random;
    for (const QiniPoint& point : ranked.qini_curve) {
        curve.push_back({share.at(point.share), gain.at(point.gain)});
        random.push_back({share.at(point.share), gain.at(point.random)});
    }
    canvas.svg().path(random, {chart_quiet, 1.5, true});
    canvas.svg().path(curve, {chart_policy, 2.5, false});
    return canvas.finish();
}

std::string_view warning_of(const EvaluationNames& names) {
    return names.recommended == false ? "NOT recommended" : "";
}

std::vector<NamedChart> evaluation_charts(const Evaluation& evaluation, const EvaluationNames& names) {
    std::vector<NamedChart> charts = {{"values", value_chart(evaluation, names)},
                                      {"overlap", overlap_chart(evaluation.overlap, names)},
                                      {"balance", balance_chart(evaluation.balance, names)}};
    if (evaluation.ranked && !evaluation.ranked->qini_curve.empty())
        charts.push_back({"qini", qini_chart(*evaluation.ranked, names)});
    return charts;
}

}  // namespace polyrx

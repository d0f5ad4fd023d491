// SPDX-License-Identifier: Apache-2.0
// How often 95 % intervals of a policy's value hold the truth, over many draws of data whose truth is known.
//
//     coverage [DRAWS [THREADS]]
//
// Prints a table in Markdown. Draws, rows, seeds and settings are those below; the same on every machine.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "experiments/coverage/binomial.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/evaluate/value/policy_difference.hpp"
#include "polyrx/nuisance/nuisances.hpp"
#include "polyrx/statistics/bootstrap.hpp"
#include "polyrx/statistics/intervals.hpp"
#include "polyrx/statistics/normal_quantile.hpp"
#include "polyrx/studies/simulate.hpp"
#include "tests/support/overlap_study.hpp"

namespace {

using namespace polyrx;

constexpr std::size_t rows_per_draw = 1'000;
constexpr std::size_t resamples = 1'000;
constexpr std::uint64_t overlap_seed = 20'260'101;
constexpr std::uint64_t paper_seed = 500'000;     // of draw d of data set s: this + 10,000 s + d
constexpr std::uint64_t truth_seed = 99'000'000;  // + s
constexpr std::size_t truth_rows = 2'000'000;
constexpr double level = 0.95;
constexpr double least_propensity = 0.02;

// A study of which all is known.
struct Known {
    FeatureRows features;
    int treatments = 2;
    std::vector<int> treatment;
    std::vector<double> outcome;
    Matrix propensities;
    std::vector<int> policy;
};

Known overlap(std::uint64_t draw, double curvature) {
    Rng rng(overlap_seed, Draw::test, draw);
    test::OverlapStudy study = test::overlap_study(rng, rows_per_draw, curvature);
    return {std::move(study.features),     3,
            std::move(study.treatment),    std::move(study.outcome),
            std::move(study.propensities), std::move(study.policy)};
}

const std::vector<double>& numbers(const Table& table, const std::string& column) {
    return std::get<NumericColumn>(table.at(column).values).values;
}

// To have something to judge: treatment 1 where x3 is above 0.
int prescribed(const Table& table, std::size_t row) {
    return numbers(table, "x3")[row] > 0 ? 1 : 0;
}

Known paper(int dataset, std::uint64_t draw) {
    const Table table =
        simulate_paper(dataset, {.rows = rows_per_draw,
                                 .seed = paper_seed + 10'000 * static_cast<std::uint64_t>(dataset) + draw,
                                 .truth = true});
    const auto rows = static_cast<Eigen::Index>(table.rows());
    Known known{
        {Eigen::MatrixXd(rows, 20), std::vector<int>(20, 0)}, 2, {}, numbers(table, "outcome"), Matrix(rows, 2), {}};
    for (int j = 0; j < 20; ++j)
        known.features.values.col(j) =
            Eigen::Map<const Vector>(numbers(table, "x" + std::to_string(j + 1)).data(), rows);
    for (std::size_t i = 0; i < table.rows(); ++i) {
        const double second = 1 / (1 + std::exp(-numbers(table, "y0")[i]));  // as simulate_paper assigns it
        known.propensities.row(static_cast<Eigen::Index>(i)) << 1 - second, second;
        known.treatment.push_back(static_cast<int>(numbers(table, "treatment")[i]));
        known.policy.push_back(prescribed(table, i));
    }
    return known;
}

double paper_truth(int dataset) {
    const Table table = simulate_paper(
        dataset, {.rows = truth_rows, .seed = truth_seed + static_cast<std::uint64_t>(dataset), .truth = true});
    double sum = 0;
    for (std::size_t i = 0; i < truth_rows; ++i) sum += numbers(table, prescribed(table, i) == 1 ? "y1" : "y0")[i];
    return sum / static_cast<double>(truth_rows);
}

// One way to come by nuisances.
struct Way {
    const char* propensities;
    const char* outcomes;
    bool known;
    NuisanceOptions options;
};

std::vector<Way> ways(bool with_forests) {
    NuisanceOptions linear;
    linear.outcome = OutcomeModel::ridge;
    linear.propensity.model = PropensityModel::logistic;
    NuisanceOptions forests;
    forests.outcome_trees = forests.propensity.trees = 25;
    forests.propensity.model = PropensityModel::forest;
    std::vector<Way> all{{"known", "ridge", true, linear}, {"logistic", "ridge", false, linear}};
    if (with_forests) all.push_back({"forest", "forest", false, forests});
    return all;
}

struct Answer {
    std::optional<ConfidenceInterval> interval;
    double clipped_share = 0;
};

constexpr std::array estimators{Estimator::dm, Estimator::ipw, Estimator::snipw, Estimator::dr};

// By estimator: the normal interval, then the one by percentiles.
std::vector<Answer> answers(const Known& known, const Way& way, std::uint64_t draw) {
    std::vector<std::size_t> all(known.outcome.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    NuisanceOptions options = way.options;
    options.seed = draw;
    std::vector<Answer> result(2 * estimators.size());
    try {
        const Nuisances nuisances = cross_fit({known.features, known.treatment, known.treatments, known.outcome}, all,
                                              options, {.propensities = way.known ? &known.propensities : nullptr});
        const EvaluatedRows rows{known.treatment, known.outcome, nuisances.outcomes, nuisances.propensities};
        std::vector<ValueEstimate> values;
        std::vector<RowTerms> terms;
        for (const Estimator estimator : estimators) {
            values.push_back(policy_value(rows, known.policy, estimator, least_propensity));
            terms.push_back(values.back().terms);
        }
        if (!std::ranges::all_of(values, [](const ValueEstimate& value) { return value.value.has_value(); }))
            return result;
        const Matrix draws = bootstrap(terms, {}, {.draws = resamples, .seed = draw});
        for (std::size_t e = 0; e < estimators.size(); ++e) {
            const Vector column = draws.col(static_cast<Eigen::Index>(e));
            result[2 * e] = {normal_interval(values[e], two_sided_factor(level)).interval, values[e].clipped_share};
            result[2 * e + 1] = {percentile_interval(values[e], {column.data(), resamples}, level).interval,
                                 values[e].clipped_share};
        }
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::data) throw;  // too few rows of a treatment: no answer
    }
    return result;
}

void print_line(const char* design, const Way& way, Estimator estimator, const char* kind,
                const std::vector<Answer>& of_draws, double truth) {
    long held = 0;
    long there = 0;
    double width = 0;
    double error = 0;
    double squares = 0;
    double clipped = 0;
    for (const Answer& answer : of_draws) {
        if (!answer.interval) continue;
        const double off = answer.interval->estimate - truth;
        ++there;
        held += answer.interval->low <= truth && truth <= answer.interval->high ? 1 : 0;
        width += answer.interval->high - answer.interval->low;
        error += off;
        squares += off * off;
        clipped += answer.clipped_share;
    }
    if (there == 0) return;  // the direct method has no normal interval
    const auto n = static_cast<double>(there);
    const double deviation = std::sqrt(std::max(0.0, squares / n - (error / n) * (error / n)));
    std::printf("| %s | %.*s | %s | %s | %s | %.1f | %s | %.3f | %+.4f | %.4f | %.1f | %ld |\n", design,
                static_cast<int>(name_of(estimator).size()), name_of(estimator).data(),
                estimator == Estimator::dm ? "" : way.propensities,
                estimator == Estimator::dm || estimator == Estimator::dr ? way.outcomes : "", kind,
                100 * static_cast<double>(held) / n, experiments::may_be(level, held, there) ? "yes" : "no", width / n,
                error / n, deviation / std::sqrt(n), 100 * clipped / n, there);
    std::fflush(stdout);
}

void run(const char* design, bool with_forests, double truth, std::size_t draws, int threads,
         const std::function<Known(std::uint64_t)>& draw_study) {
    for (const Way& way : ways(with_forests)) {
        std::vector<std::vector<Answer>> by_kind(2 * estimators.size(), std::vector<Answer>(draws));
        parallel_for(draws, threads, [&](std::size_t draw) {
            const std::vector<Answer> found = answers(draw_study(draw), way, draw);
            for (std::size_t kind = 0; kind < found.size(); ++kind) by_kind[kind][draw] = found[kind];
        });
        for (std::size_t e = 0; e < estimators.size(); ++e) {
            if (estimators[e] == Estimator::dm && way.known) continue;  // the same as with estimated propensities
            print_line(design, way, estimators[e], "normal", by_kind[2 * e], truth);
            print_line(design, way, estimators[e], "percentile", by_kind[2 * e + 1], truth);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const auto draws = static_cast<std::size_t>(argc > 1 ? std::atol(argv[1]) : 2'000);
        const int threads = argc > 2 ? std::atoi(argv[2]) : 0;
        std::puts(
            "| data | estimator | propensities | outcomes | interval | covers % | may be 95 % | mean width | bias | "
            "its "
            "error | clipped % | draws |\n"
            "|---|---|---|---|---|---:|---|---:|---:|---:|---:|---:|");
        run("overlap", true, test::overlap_policy_value(), draws, threads,
            [](std::uint64_t d) { return overlap(d, 0); });
        run("curved", true, test::overlap_policy_value(0.5), draws, threads,
            [](std::uint64_t d) { return overlap(d, 0.5); });
        for (const int dataset : {1, 2, 3})
            run(("D" + std::to_string(dataset)).c_str(), false, paper_truth(dataset), draws, threads,
                [dataset](std::uint64_t d) { return paper(dataset, d); });
    } catch (const std::exception& error) {
        std::fprintf(stderr, "coverage: %s\n", error.what());
        return 1;
    }
}

// SPDX-License-Identifier: Apache-2.0
// How often 95 % intervals hold the value of a policy, and its gain over practice, where some of what it prescribes is
// not supported: the intervals that `polyrx evaluate` shows.
//
//     bounded_coverage [DRAWS [STACK_DRAWS [THREADS [LEAST_PROPENSITY]]]]
//
// Lower propensities are raised to the least one; without it, to that of `polyrx evaluate`. Prints a table in Markdown.
// In every design the features decide all that treatment and outcome have in common.

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
#include "polyrx/evaluate/overlap/overlap.hpp"
#include "polyrx/evaluate/overlap/propensity_check.hpp"
#include "polyrx/evaluate/overlap/supported_rows.hpp"
#include "polyrx/evaluate/value/bounded_interval.hpp"
#include "polyrx/evaluate/value/policy_difference.hpp"
#include "polyrx/nuisance/doubly_robust.hpp"
#include "polyrx/nuisance/nuisances.hpp"
#include "polyrx/statistics/normal_quantile.hpp"
#include "polyrx/studies/simulate.hpp"
#include "tests/support/overlap_study.hpp"

namespace {

using namespace polyrx;

constexpr std::size_t rows_per_draw = 600;
constexpr std::uint64_t seed = 20'261'118;
constexpr std::uint64_t paper_seed = 700'000;  // + draw
constexpr double level = 0.95;

struct Known {
    FeatureRows features;
    int treatments = 2;
    std::vector<int> treatment;
    std::vector<double> outcome;
    std::vector<int> policy;
};

// What is to be held.
struct Truth {
    double value = 0;
    double gain = 0;
};

double logistic(double t) {
    return 1 / (1 + std::exp(-t));
}

// The mean of a function of a standard normal number.
double normal_mean(const std::function<double(double)>& f) {
    constexpr int steps = 4'000;
    constexpr double reach = 8;
    double sum = 0;
    double total = 0;
    for (int i = 0; i <= steps; ++i) {
        const double x = reach * (2.0 * i / steps - 1);
        sum += std::exp(-0.5 * x * x) * f(x);
        total += std::exp(-0.5 * x * x);
    }
    return sum / total;
}

// --- all is supported

Known overlap(std::uint64_t draw) {
    Rng rng(seed, Draw::test, draw);
    test::OverlapStudy study = test::overlap_study(rng, rows_per_draw);
    return {std::move(study.features), 3, std::move(study.treatment), std::move(study.outcome),
            std::move(study.policy)};
}

// Practice has no closed form: the mean of what was done over as many rows as give four digits.
Truth overlap_truth() {
    Rng rng(seed + 1, Draw::test);
    const test::OverlapStudy study = test::overlap_study(rng, 4'000'000);
    const double practice = study.propensities.cwiseProduct(study.truth).sum() / 4e6;
    return {test::overlap_policy_value(), test::overlap_policy_value() - practice};
}

// --- events, treatment 1 for all

// The probability of treatment 1 and that of an event under each treatment, by z (0 or 1 with probability 0.3) and x
// (normal).
struct Events {
    std::function<double(double z, double x)> treated;
    std::function<double(double z, double x)> event_0;
    std::function<double(double z, double x)> event_1;
};

constexpr double share_of_z = 0.3;

Known events(const Events& design, std::uint64_t draw) {
    Rng rng(seed + 2, Draw::test, draw);
    const auto rows = static_cast<Eigen::Index>(rows_per_draw);
    Known known{{Eigen::MatrixXd(rows, 2), {0, 0}}, 2, {}, {}, std::vector<int>(rows_per_draw, 1)};
    for (Eigen::Index i = 0; i < rows; ++i) {
        const double z = rng.bernoulli(share_of_z) ? 1 : 0;
        const double x = rng.normal();
        known.features.values.row(i) << z, x;
        const int t = rng.bernoulli(design.treated(z, x)) ? 1 : 0;
        known.treatment.push_back(t);
        known.outcome.push_back(rng.bernoulli(t == 1 ? design.event_1(z, x) : design.event_0(z, x)) ? 1 : 0);
    }
    return known;
}

Truth events_truth(const Events& design) {
    const auto mean = [](const std::function<double(double, double)>& f) {
        return (1 - share_of_z) * normal_mean([&](double x) { return f(0, x); }) +
               share_of_z * normal_mean([&](double x) { return f(1, x); });
    };
    const double value = mean(design.event_1);
    const double practice = mean([&](double z, double x) {
        const double e = design.treated(z, x);
        return e * design.event_1(z, x) + (1 - e) * design.event_0(z, x);
    });
    return {value, value - practice};
}

// In z = 1 nobody received treatment 1, and an event under it has the given probability.
Events silent(double event_there) {
    return {[](double z, double x) { return z == 1 ? 0 : logistic(0.5 * x); },
            [](double z, double x) { return logistic(-0.5 + 0.5 * x + 0.3 * z); },
            [event_there](double z, double x) { return z == 1 ? event_there : logistic(-1 + 0.5 * x); }};
}

// Treatment 1 fades out along x; nowhere does it end.
Events fading() {
    return {[](double, double x) { return logistic(-0.5 - 2 * x); },
            [](double z, double x) { return logistic(-0.5 + 0.5 * x + 0.3 * z); },
            [](double, double x) { return logistic(-0.5 + x); }};
}

// --- the sixth data set of the paper, treatment 1 for all

const std::vector<double>& numbers(const Table& table, const std::string& column) {
    return std::get<NumericColumn>(table.at(column).values).values;
}

Known sixth(std::size_t count, std::uint64_t draw) {
    const Table table = simulate_paper(6, {.rows = count, .seed = paper_seed + draw});
    const auto rows = static_cast<Eigen::Index>(count);
    Known known{{Eigen::MatrixXd(rows, 20), std::vector<int>(20, 0)},
                3,
                {},
                numbers(table, "outcome"),
                std::vector<int>(count, 1)};
    for (int j = 0; j < 20; ++j)
        known.features.values.col(j) =
            Eigen::Map<const Vector>(numbers(table, "x" + std::to_string(j + 1)).data(), rows);
    for (const double t : numbers(table, "treatment")) known.treatment.push_back(static_cast<int>(t));
    return known;
}

Truth sixth_truth() {
    constexpr std::size_t rows = 1'000'000;
    const Table table = simulate_paper(6, {.rows = rows, .seed = paper_seed - 1, .truth = true});
    double value = 0;
    double practice = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        const double e = logistic(numbers(table, "y0")[i]);
        value += numbers(table, "y1")[i] / rows;
        practice +=
            ((1 - e) * numbers(table, "y0")[i] + e / 2 * (numbers(table, "y1")[i] + numbers(table, "y2")[i])) / rows;
    }
    return {value, value - practice};
}

// ---

struct Way {
    const char* name;
    NuisanceOptions options;
};

Way linear() {
    NuisanceOptions options;
    options.outcome = OutcomeModel::ridge;
    options.propensity.model = PropensityModel::logistic;
    options.propensity.calibrate = false;
    return {"logistic, ridge", options};
}

Way forests() {
    NuisanceOptions options;
    options.outcome_trees = options.propensity.trees = 50;
    options.propensity.model = PropensityModel::forest;
    return {"forests", options};
}

Way stack() {
    NuisanceOptions options = stacked_nuisances();
    options.outcome_trees = options.propensity.trees = 50;
    return {"stack", options};
}

struct Answer {
    std::optional<ConfidenceInterval> value;
    std::optional<ConfidenceInterval> gain;
    double supported = 0;           // share of the prescriptions
    bool called_supported = false;  // the verdict of `polyrx evaluate`
};

// As `polyrx evaluate` decides it.
bool is_called_supported(const Known& known, const Nuisances& nuisances, std::span<const TreatmentSet> supported,
                         double least) {
    for (const LowPropensities& low : low_propensities(nuisances.propensities, known.treatment))
        if (low.too_high) return false;
    const DoublyRobust scored =
        doubly_robust_from(nuisances.outcomes, nuisances.propensities, known.treatment, known.outcome, least);
    ScoredRows rows{scored.scores, scored.propensities, known.treatment, known.outcome, known.policy};
    rows.supported = supported;
    rows.least_propensity = least;
    rows.needed_rows = least_effective_rows;
    return overlap_of(rows).verdict == OverlapVerdict::supported;
}

Answer answer(const Known& known, const Way& way, double least, std::uint64_t draw) {
    std::vector<std::size_t> all(known.outcome.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    NuisanceOptions options = way.options;
    options.seed = draw;
    const Nuisances nuisances =
        cross_fit({known.features, known.treatment, known.treatments, known.outcome}, all, options);
    const EvaluatedRows rows{known.treatment, known.outcome, nuisances.outcomes, nuisances.propensities};
    const std::vector<TreatmentSet> treatments = supported_treatments(nuisances.propensities, {});
    const std::vector<char> supported = supported_prescriptions(treatments, known.policy);
    const BoundedEstimate value = bounded_value(rows, {known.policy, supported}, outcome_range(known.outcome), least);
    const BoundedEstimate gain = bounded_difference(rows, value, value_as_treated(rows));
    double share = 0;
    for (const char each : supported) share += each / static_cast<double>(supported.size());
    const double factor = two_sided_factor(level);
    return {bounded_interval(value, factor).interval, bounded_interval(gain, factor).interval, share,
            is_called_supported(known, nuisances, treatments, least)};
}

void print_line(const char* design, const char* way, const char* quantity, const std::vector<Answer>& answers,
                std::optional<ConfidenceInterval> Answer::* interval, double truth) {
    long held = 0;
    long there = 0;
    long called = 0;
    long called_and_held = 0;
    double width = 0;
    double share = 0;
    for (const Answer& each : answers) {
        const auto& found = each.*interval;
        if (!found) continue;
        ++there;
        const bool holds = found->low <= truth && truth <= found->high;
        held += holds ? 1 : 0;
        called += each.called_supported ? 1 : 0;
        called_and_held += each.called_supported && holds ? 1 : 0;
        width += found->high - found->low;
        share += each.supported;
    }
    const auto n = static_cast<double>(there);
    std::printf("| %s | %s | %s | %.1f | %s | %s | %.3f | %.1f | %ld | %ld | %ld |\n", design, way, quantity,
                100 * static_cast<double>(held) / n, experiments::may_be(level, held, there) ? "yes" : "no",
                experiments::may_reach(level, held, there) ? "yes" : "no", width / n, 100 * share / n, called,
                called_and_held, there);
    std::fflush(stdout);
}

struct Plan {
    std::size_t draws = 0;
    int threads = 0;
    double least_propensity = 0;
};

void run(const char* design, const Way& way, const Truth& truth, const Plan& plan,
         const std::function<Known(std::uint64_t)>& draw_study) {
    std::vector<Answer> answers(plan.draws);
    parallel_for(plan.draws, plan.threads,
                 [&](std::size_t draw) { answers[draw] = answer(draw_study(draw), way, plan.least_propensity, draw); });
    print_line(design, way.name, "value", answers, &Answer::value, truth.value);
    print_line(design, way.name, "gain", answers, &Answer::gain, truth.gain);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const auto draws = static_cast<std::size_t>(argc > 1 ? std::atol(argv[1]) : 2'000);
        const auto stack_draws = static_cast<std::size_t>(argc > 2 ? std::atol(argv[2]) : 100);
        const int threads = argc > 3 ? std::atoi(argv[3]) : 0;
        const double least = argc > 4 ? std::atof(argv[4]) : least_propensity(false);
        const Plan linear_plan{draws, threads, least};
        const Plan stack_plan{stack_draws, threads, least};
        std::puts(
            "| design | nuisance models | of | covers % | may be 95 % | not below 95 % | mean width | supported % | "
            "called supported | of these covered | draws |\n"
            "|---|---|---|---:|---|---|---:|---:|---:|---:|---:|");
        const std::pair<const char*, Events> designs[] = {{"silent, truth at the lower bound", silent(0)},
                                                          {"silent, truth at the upper bound", silent(1)},
                                                          {"silent, truth between", silent(0.5)},
                                                          {"fading", fading()}};
        for (const auto& [way, plan] : {std::pair{linear(), linear_plan}, std::pair{stack(), stack_plan}}) {
            if (plan.draws == 0) continue;
            run("overlap", way, overlap_truth(), plan, overlap);
            for (const auto& [name, design] : designs)
                run(name, way, events_truth(design), plan,
                    [&design](std::uint64_t draw) { return events(design, draw); });
        }
        const Truth truth = sixth_truth();
        for (const std::size_t count : {1'000, 3'000}) {
            const std::string name = "D6, " + std::to_string(count) + " rows";
            for (const Way& way : {forests(), stack()})
                run(name.c_str(), way, truth, stack_plan, [count](std::uint64_t draw) { return sixth(count, draw); });
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bounded_coverage: %s\n", error.what());
        return 1;
    }
}

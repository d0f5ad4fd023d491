// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/study/splits/group_numbers.hpp"

namespace polyrx {
namespace {

// The sums that determine the least lambda. Let d be how much worse than practice an outcome is. Weights that reach
// practice exist if the largest sum of w d is at least 0: rows with d > 0 at their highest weight, others at their
// lowest.
//     sum w d = fixed + lambda * worse - better / lambda
struct WorstCase {
    double fixed = 0;   // sum d
    double worse = 0;   // sum of odds_against * d where d > 0
    double better = 0;  // sum of odds_against * -d where d < 0

    void add(const MatchedOutcome& row, double d, double weight) {
        fixed += weight * d;
        (d > 0 ? worse : better) += weight * row.odds_against * std::abs(d);
    }

    // The positive root of worse * lambda^2 + fixed * lambda - better.
    [[nodiscard]] double lambda() const {
        if (fixed + worse - better >= 0) return 1;
        // If worse rows always receive their prescription, no confounder increases their weight.
        if (worse <= 0) return fixed > 0 ? better / fixed : std::numeric_limits<double>::infinity();
        const double root = std::sqrt(fixed * fixed + 4 * worse * better);
        // Of the two forms of the root, this is the one without cancellation.
        return std::max(1.0, fixed < 0 ? (root - fixed) / (2 * worse) : 2 * better / (fixed + root));
    }
};

double worse_by(double outcome, double practice, bool larger_is_better) {
    return larger_is_better ? practice - outcome : outcome - practice;
}

struct SupportedRow {
    std::size_t unit = 0;  // bootstrap unit: the row or its group
    bool matched = false;
    MatchedOutcome row;
};

// Empty if no row received its prescription.
template <class TimesOf>
std::optional<double> lambda_of(const std::vector<SupportedRow>& rows, bool larger_is_better, const TimesOf& times_of) {
    double sum = 0;
    double total = 0;
    bool any = false;
    for (const SupportedRow& each : rows) {
        const double weight = each.row.weight * times_of(each.unit);
        sum += weight * each.row.outcome;
        total += weight;
        any = any || (each.matched && weight > 0);
    }
    if (!any) return std::nullopt;
    WorstCase worst;
    for (const SupportedRow& each : rows)
        if (each.matched)
            worst.add(each.row, worse_by(each.row.outcome, sum / total, larger_is_better),
                      each.row.weight * times_of(each.unit));
    return worst.lambda();
}

}  // namespace

double lambda_that_undoes(std::span<const MatchedOutcome> rows, double practice, bool larger_is_better) {
    WorstCase worst;
    for (const MatchedOutcome& row : rows)
        worst.add(row, worse_by(row.outcome, practice, larger_is_better), row.weight);
    return worst.lambda();
}

Sensitivity sensitivity_of(const EvaluatedRows& rows, const SupportedPolicy& policy, bool larger_is_better,
                           double least_propensity, double level, const BootstrapOptions& options,
                           const Progress& progress) {
    const std::size_t count = rows.outcome.size();
    GroupNumbers groups;
    if (!rows.group.empty()) groups = number_groups(rows.group);
    std::vector<SupportedRow> supported;
    for (std::size_t i = 0; i < count; ++i) {
        if (policy.supported[i] == 0) continue;
        const int prescribed = policy.prescriptions[i];
        const double propensity =
            std::max(rows.propensities(static_cast<Eigen::Index>(i), prescribed), least_propensity);
        supported.push_back({rows.group.empty() ? i : groups.of_row[i],
                             rows.treatment[i] == prescribed,
                             {rows.outcome[i], 1 / propensity - 1, rows.weight_of(i)}});
    }
    Sensitivity result;
    result.lambda = lambda_of(supported, larger_is_better, [](std::size_t) { return 1.0; });
    if (!result.lambda) {
        result.reason = "not estimable: no row received what was prescribed";
        return result;
    }
    if (options.draws == 0) return result;
    std::vector<double> lambdas(options.draws);
    parallel_for(options.draws, options.threads, [&](std::size_t draw) {
        report(progress, 1, "drawing samples");
        DrawnTimes times(rows.group.empty() ? count : groups.count);
        draw_units(Rng(options.seed, Draw::bootstrap, draw), times);
        lambdas[draw] = lambda_of(supported, larger_is_better, [&](std::size_t unit) {
                            return static_cast<double>(times[unit]);
                        }).value_or(1);
    });
    std::ranges::sort(lambdas);
    const auto quantile = [&](double probability) {  // without interpolation: draws may be infinite
        return lambdas[static_cast<std::size_t>(probability * static_cast<double>(lambdas.size() - 1))];
    };
    result.low = quantile(0.5 * (1 - level));
    result.high = quantile(0.5 * (1 + level));
    return result;
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/effects/rate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

// Rows in descending order of priority, with running sums of w (upto) and of w g (gained). The gain g of a row is the
// mean over its ties, which averages over their orders.
struct Ranking {
    std::vector<std::size_t> order;
    std::vector<std::size_t> tied_end;  // end (exclusive) of the block of equal priorities that contains the place
    std::vector<double> weight;         // by place
    std::vector<double> gain;           // by place, before averaging ties
    std::vector<double> upto;
    std::vector<double> gained;

    [[nodiscard]] std::size_t places() const { return order.size(); }
    [[nodiscard]] double total() const { return upto.back(); }
    [[nodiscard]] double mean_gain() const { return gained.back() / upto.back(); }
};

template <class Visit>
void for_each_block(const Ranking& ranking, const Visit& visit) {
    for (std::size_t first = 0; first < ranking.places(); first = ranking.tied_end[first])
        visit(first, ranking.tied_end[first]);
}

Ranking ranked(const ScoredRows& rows, std::span<const double> priority) {
    Ranking ranking;
    for (std::size_t row = 0; row < rows.rows(); ++row)
        if (rows.sampling.weight_of(row) > 0) ranking.order.push_back(row);
    std::ranges::stable_sort(ranking.order, std::ranges::greater{}, [&](std::size_t row) { return priority[row]; });
    const std::size_t places = ranking.places();
    ranking.tied_end.resize(places);
    for (std::size_t place = places; place-- > 0;) {
        const bool last = place + 1 == places || priority[ranking.order[place]] != priority[ranking.order[place + 1]];
        ranking.tied_end[place] = last ? place + 1 : ranking.tied_end[place + 1];
        ranking.weight.push_back(0);
        ranking.gain.push_back(0);
    }
    for (std::size_t place = 0; place < places; ++place) {
        const std::size_t row = ranking.order[place];
        ranking.weight[place] = rows.sampling.weight_of(row);
        ranking.gain[place] = rows.gain(rows.score(row, 1), rows.score(row, 0));
    }
    double upto = 0;
    double gained = 0;
    for_each_block(ranking, [&](std::size_t first, std::size_t end) {
        double of_block = 0;
        double weight = 0;
        for (std::size_t place = first; place < end; ++place) {
            of_block += ranking.weight[place] * ranking.gain[place];
            weight += ranking.weight[place];
        }
        for (std::size_t place = first; place < end; ++place) {
            ranking.upto.push_back(upto += ranking.weight[place]);
            ranking.gained.push_back(gained += ranking.weight[place] * (of_block / weight));
        }
    });
    return ranking;
}

// For sum_j w_j s_j(w), where s_j depends on the running sums B_j of weights and A_j of gains, the derivative by the
// weight of place i is
//     s_i + sum_{j >= i} w_j (ds_j/dB + g_i ds_j/dA),
// because row i adds to the sums of all places from i on. Within a block of ties, rows have the average of the block.
std::vector<double> derivatives(const Ranking& ranking, std::span<const double> value, std::span<const double> by_upto,
                                std::span<const double> by_gained) {
    std::vector<double> place_part(ranking.places());
    std::vector<double> gain_part(ranking.places());
    double sum_upto = 0;
    double sum_gained = 0;
    for (std::size_t j = ranking.places(); j-- > 0;) {
        place_part[j] = value[j] + (sum_upto += ranking.weight[j] * by_upto[j]);
        gain_part[j] = sum_gained += ranking.weight[j] * by_gained[j];
    }
    std::vector<double> result(ranking.places());
    for_each_block(ranking, [&](std::size_t first, std::size_t end) {
        double place = 0;
        double gain = 0;
        double weight = 0;
        for (std::size_t j = first; j < end; ++j) {
            place += ranking.weight[j] * place_part[j];
            gain += ranking.weight[j] * gain_part[j];
            weight += ranking.weight[j];
        }
        for (std::size_t j = first; j < end; ++j) result[j] = (place + gain * ranking.gain[j]) / weight;
    });
    return result;
}

// Builds the estimate from its derivative by the weight of each place.
MeanEstimate estimate(double value, std::span<const double> derivative, const Ranking& ranking,
                      const Sampling& sampling, std::size_t rows) {
    std::vector<double> influence(rows, 0);
    for (std::size_t place = 0; place < ranking.places(); ++place)
        influence[ranking.order[place]] = ranking.weight[place] * derivative[place];
    return estimate_from_influence(value, influence, sampling);
}

double weighted_sum(const Ranking& ranking, std::span<const double> values) {
    return std::inner_product(values.begin(), values.end(), ranking.weight.begin(), 0.0);
}

// (1/W) sum_j w_j A_j / B_j - mean gain
MeanEstimate autoc_of(const Ranking& ranking, const Sampling& sampling, std::size_t rows) {
    std::vector<double> value(ranking.places());
    std::vector<double> by_upto(ranking.places());
    std::vector<double> by_gained(ranking.places());
    for (std::size_t j = 0; j < ranking.places(); ++j) {
        value[j] = ranking.gained[j] / ranking.upto[j];
        by_upto[j] = -value[j] / ranking.upto[j];
        by_gained[j] = 1 / ranking.upto[j];
    }
    const double total = ranking.total();
    const double mean = weighted_sum(ranking, value) / total;
    std::vector<double> derivative = derivatives(ranking, value, by_upto, by_gained);
    for (std::size_t j = 0; j < ranking.places(); ++j)
        derivative[j] = (derivative[j] - mean - (ranking.gain[j] - ranking.mean_gain())) / total;
    return estimate(mean - ranking.mean_gain(), derivative, ranking, sampling, rows);
}

// (1/W^2) sum_j w_j A_j - (1/W^2) sum_j w_j B_j * mean gain
MeanEstimate qini_of(const Ranking& ranking, const Sampling& sampling, std::size_t rows) {
    const std::vector<double> zeros(ranking.places(), 0);
    const std::vector<double> ones(ranking.places(), 1);
    const double total = ranking.total();
    const double squared = total * total;
    const double area = weighted_sum(ranking, ranking.gained) / squared;
    const double random = weighted_sum(ranking, ranking.upto) / squared;
    std::vector<double> derivative = derivatives(ranking, ranking.gained, zeros, ones);
    const std::vector<double> of_random = derivatives(ranking, ranking.upto, ones, zeros);
    const double mean_gain = ranking.mean_gain();
    for (std::size_t j = 0; j < ranking.places(); ++j) {
        const double area_part = derivative[j] / squared - 2 * area / total;
        const double random_part = of_random[j] / squared - 2 * random / total;
        derivative[j] = area_part - random_part * mean_gain - random * (ranking.gain[j] - mean_gain) / total;
    }
    return estimate(area - random * mean_gain, derivative, ranking, sampling, rows);
}

std::vector<QiniPoint> curve_of(const Ranking& ranking) {
    constexpr int steps = 100;
    std::vector<QiniPoint> curve;
    std::size_t place = 0;
    for (int step = 0; step <= steps; ++step) {
        const double share = static_cast<double>(step) / steps;
        const double reached = share * ranking.total();
        while (place + 1 < ranking.places() && ranking.upto[place] < reached) ++place;
        const double end = ranking.upto[place];
        const double begin = place == 0 ? 0 : ranking.upto[place - 1];
        const double before = place == 0 ? 0 : ranking.gained[place - 1];
        // The last row may be treated in part.
        const double part = std::clamp((reached - begin) / (end - begin), 0.0, 1.0);
        const double gained = before + part * (ranking.gained[place] - before);
        curve.push_back({share, gained / ranking.total(), share * ranking.mean_gain()});
    }
    return curve;
}

}  // namespace

RankedGain ranked_gain(const ScoredRows& rows, std::span<const double> priority, double level) {
    check_scored(rows);
    if (rows.treatments() != 2)
        throw usage_error(fmt::format("RATE and Qini are of two treatments, and there are {}", rows.treatments()));
    if (priority.size() != rows.rows())
        throw usage_error(fmt::format("{} priorities but {} rows", priority.size(), rows.rows()));
    for (std::size_t row = 0; row < priority.size(); ++row)
        if (std::isnan(priority[row])) throw data_error(fmt::format("row {}: the priority is not a number", row + 1));
    const Ranking ranking = ranked(rows, priority);
    RankedGain result;
    result.qini_curve = curve_of(ranking);
    if (ranking.tied_end.front() == ranking.places()) {
        result.autoc = result.qini = not_estimable("every row has the same priority");
        return result;
    }
    result.autoc = autoc_of(ranking, rows.sampling, rows.rows());
    result.qini = qini_of(ranking, rows.sampling, rows.rows());
    const double factor = simultaneous_factor(2, level);
    set_interval(result.autoc, factor);
    set_interval(result.qini, factor);
    return result;
}

}  // namespace polyrx

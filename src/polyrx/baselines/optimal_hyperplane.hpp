// SPDX-License-Identifier: Apache-2.0
// Hyperplane splits a . x > b, improved one coefficient at a time.
//
// As a_j changes and all else stays, row i changes sides at a_j - s_i / x_ij, where s_i = a . x_i - b: in the order of
// these flips every cut of the line of a_j is tried in one sweep, and so with b. Terms that gain nothing are dropped.
#pragma once

#include <cmath>

#include "polyrx/baselines/optimal_split.hpp"
#include "polyrx/core/rng.hpp"

namespace polyrx {

template <OptimalLeaves kind>
class Hyperplane {
public:
    // Gains below `least_gain` are rounding.
    Hyperplane(const OptimalRows& data, Fork<kind>& fork, const NodeColumns& columns, double least_gain)
        : data_(data), fork_(fork), columns_(columns), least_gain_(least_gain) {}

    // From a split, whose threshold is only kept if it is admissible.
    [[nodiscard]] FoundSplit improved(const OptimalSplit& from, Rng& rng) {
        set(from);
        if (cost_ == infinite) sweep_threshold();
        if (cost_ == infinite) return {};
        std::vector<int> order(static_cast<std::size_t>(data_.inputs()) + 1);
        for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<int>(j);
        bool gained = true;
        while (gained) {
            gained = false;
            rng.shuffle(std::span(order));
            for (const int j : order) {
                const bool better = j == data_.inputs() ? sweep_threshold() : sweep_weight(j);
                gained = gained || better;
            }
            normalise();
        }
        return {cost_, split()};
    }

    // Few inputs, with weights of either sign.
    [[nodiscard]] OptimalSplit random_direction(Rng& rng) const {
        const auto inputs = static_cast<std::uint64_t>(data_.inputs());
        std::vector<int> drawn(inputs);
        for (std::size_t j = 0; j < drawn.size(); ++j) drawn[j] = static_cast<int>(j);
        rng.shuffle(std::span(drawn));
        drawn.resize(std::min<std::uint64_t>(inputs, 2 + rng.below(3)));
        std::ranges::sort(drawn);
        OptimalSplit direction;
        for (const int j : drawn) direction.terms.push_back({j, rng.normal()});
        direction.threshold = infinite;  // whatever is best
        return direction;
    }

private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();
    // Flips are apart if a cut between them stays between them in any units.
    static constexpr double apart = 1e-9;

    struct Flip {
        double at = 0;
        double value = 0;  // x_ij, or -1 of the threshold
        std::uint32_t place = 0;
    };

    void set(const OptimalSplit& from) {
        weights_.assign(static_cast<std::size_t>(data_.inputs()), 0);
        for (const OptimalRows::Entry& term : from.terms) weights_[static_cast<std::size_t>(term.input)] = term.value;
        threshold_ = from.threshold == infinite ? 0 : from.threshold;
        sums_.resize(fork_.size());
        is_high_.assign(fork_.size(), 0);
        fork_.all_low();
        for (std::size_t i = 0; i < fork_.size(); ++i) {
            sums_[i] = from.sum(data_, fork_.row(i)) - threshold_;
            if (sums_[i] > 0) put(i, true);
        }
        cost_ = from.threshold == infinite ? infinite : fork_.cost();
    }

    void put(std::size_t place, bool high) {
        if ((is_high_[place] != 0) == high) return;
        is_high_[place] = high ? 1 : 0;
        if (high)
            fork_.to_high(place);
        else
            fork_.to_low(place);
    }

    bool sweep_weight(int input) {
        const std::span<const PlacedValue> column = columns_.of(input);
        double& weight = weights_[static_cast<std::size_t>(input)];
        flips_.clear();
        for (const PlacedValue& each : column)
            if (each.value != 0) flips_.push_back({weight - sums_[each.place] / each.value, each.value, each.place});
        if (flips_.empty()) {
            weight = 0;
            return false;
        }
        const std::optional<double> chosen = sweep(weight, true);
        if (!chosen) return false;
        for (const Flip& flip : flips_) sums_[flip.place] += (*chosen - weight) * flip.value;
        weight = *chosen;
        return true;
    }

    // In terms of -b, so that sums grow with it as they do with a weight of 1.
    bool sweep_threshold() {
        flips_.clear();
        for (std::size_t i = 0; i < sums_.size(); ++i)
            flips_.push_back({-threshold_ - sums_[i], 1, static_cast<std::uint32_t>(i)});
        const std::optional<double> chosen = sweep(-threshold_, false);
        if (!chosen) return false;
        for (double& sum : sums_) sum += *chosen + threshold_;
        threshold_ = -*chosen;
        return true;
    }

    // The best value in place of `now`; none if none is better. Rows are on the sides of what is returned.
    std::optional<double> sweep(double now, bool is_weight) {
        std::ranges::sort(
            flips_, [](const Flip& a, const Flip& b) { return a.at < b.at || (a.at == b.at && a.place < b.place); });
        before_.clear();
        for (const Flip& flip : flips_) {
            before_.push_back(is_high_[flip.place]);
            put(flip.place, flip.value < 0);
        }
        double best_cost = cost_ - least_gain_;
        std::optional<double> best;
        double zero_cost = infinite;
        for (std::size_t i = 0; i + 1 < flips_.size(); ++i) {
            put(flips_[i].place, flips_[i].value > 0);
            const double lower = flips_[i].at;
            const double upper = flips_[i + 1].at;
            if (!(upper - lower > apart * (1 + std::abs(lower) + std::abs(upper)))) continue;
            const double cost = fork_.cost();
            if (cost < best_cost) {
                best_cost = cost;
                best = lower + (upper - lower) / 2;
            }
            if (is_weight && lower < -apart && upper > apart) zero_cost = cost;
        }
        if (is_weight) {
            // Outside of all flips, too, 0 may be as good as anything.
            if (flips_.front().at > apart || flips_.back().at < -apart) {
                const bool below = flips_.front().at > apart;
                for (const Flip& flip : flips_) put(flip.place, (flip.value > 0) != below);
                zero_cost = fork_.cost();
            }
            const double least = best ? best_cost : cost_;
            if (now != 0 && zero_cost <= least + 1e-3 * least_gain_) {
                best = 0;
                best_cost = zero_cost;
            }
        }
        for (std::size_t i = 0; i < flips_.size(); ++i) {
            const Flip& flip = flips_[i];
            put(flip.place, best ? (flip.at < *best) == (flip.value > 0) : before_[i] != 0);
        }
        if (best) cost_ = fork_.cost();
        return best;
    }

    // The sum of absolute weights is 1.
    void normalise() {
        double sum = 0;
        for (const double weight : weights_) sum += std::abs(weight);
        if (sum == 0) return;
        for (double& weight : weights_) weight /= sum;
        for (double& each : sums_) each /= sum;
        threshold_ /= sum;
    }

    [[nodiscard]] OptimalSplit split() const {
        OptimalSplit split{{}, threshold_};
        for (std::size_t j = 0; j < weights_.size(); ++j)
            if (weights_[j] != 0) split.terms.push_back({static_cast<int>(j), weights_[j]});
        return split;
    }

    const OptimalRows& data_;
    Fork<kind>& fork_;
    const NodeColumns& columns_;
    double least_gain_;
    std::vector<double> weights_;
    double threshold_ = 0;
    double cost_ = infinite;
    std::vector<double> sums_;  // a . x - b, by place
    std::vector<char> is_high_;
    std::vector<Flip> flips_;
    std::vector<char> before_;
};

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Hyperplane splits a . x > b, improved one coefficient at a time.
//
// If only a_j changes, row i changes sides at a_j - s_i / x_ij, where s_i = a . x_i - b. One sweep over these flips in
// order evaluates every value of a_j; the same holds for b. Terms without a gain are dropped.
#pragma once

#include <cmath>

#include "polyrx/baselines/optimal/optimal_flips.hpp"
#include "polyrx/baselines/optimal/optimal_split.hpp"
#include "polyrx/core/rng.hpp"

namespace polyrx {

template <OptimalLeaves kind>
class Hyperplane {
public:
    // Gains below `least_gain` are rounding errors.
    Hyperplane(const OptimalRows& data, Fork<kind>& fork, const NodeColumns& columns, double least_gain)
        : data_(data), fork_(fork), columns_(columns), least_gain_(least_gain) {}

    // Keeps the threshold of `from` only if it is admissible.
    [[nodiscard]] FoundSplit improved(const OptimalSplit& from, Rng& rng) {
        set(from);
        if (cost_ == infinite) sweep_threshold();
        if (cost_ == infinite) return {};
        std::vector<int> order(static_cast<std::size_t>(data_.inputs()) + 1);
        for (std::size_t j = 0; j < order.size(); ++j) order[j] = static_cast<int>(j);
        for (std::size_t in_vain = 0; in_vain < order.size();) {
            rng.shuffle(std::span(order));
            for (const int j : order) {
                const bool gained = j == data_.inputs() ? sweep_threshold() : sweep_weight(j);
                in_vain = gained ? 0 : in_vain + 1;
                if (in_vain == order.size()) break;
            }
            normalize();
        }
        return {cost_, split()};
    }

    // A few inputs, with weights of random sign.
    [[nodiscard]] OptimalSplit random_direction(Rng& rng) const {
        const auto inputs = static_cast<std::uint64_t>(data_.inputs());
        std::vector<int> drawn(inputs);
        for (std::size_t j = 0; j < drawn.size(); ++j) drawn[j] = static_cast<int>(j);
        rng.shuffle(std::span(drawn));
        drawn.resize(std::min<std::uint64_t>(inputs, 2 + rng.below(3)));
        std::ranges::sort(drawn);
        OptimalSplit direction;
        for (const int j : drawn) direction.terms.push_back({j, rng.normal()});
        direction.threshold = infinite;  // improved() chooses it
        return direction;
    }

private:
    static constexpr double infinite = std::numeric_limits<double>::infinity();
    // A cut between two flips must survive a change of units, so flips need this relative distance.
    static constexpr double apart = 1e-9;

    void set(const OptimalSplit& from) {
        weights_.assign(static_cast<std::size_t>(data_.inputs()), 0);
        for (const OptimalRows::Entry& term : from.terms) weights_[static_cast<std::size_t>(term.input)] = term.value;
        threshold_ = from.threshold == infinite ? 0 : from.threshold;
        sums_.resize(fork_.size());
        is_high_.assign(fork_.size(), 0);
        fork_.all_low();
        for (std::size_t i = 0; i < fork_.size(); ++i) {
            sums_[i] = from.sum(data_, fork_.row(i)) - threshold_;
            if (sums_[i] > 0) flip_side(i);
        }
        cost_ = from.threshold == infinite ? infinite : fork_.cost();
    }

    bool sweep_weight(int input) {
        const std::span<const PlacedValue> column = columns_.of(input);
        double& weight = weights_[static_cast<std::size_t>(input)];
        flips_.clear();
        for (const PlacedValue& each : column)
            if (each.value != 0) flips_.push_back({weight - sums_[each.place] / each.value, each.place});
        if (flips_.empty()) {
            weight = 0;
            return false;
        }
        const std::optional<double> chosen = sweep(weight, true);
        if (!chosen) return false;
        for (const PlacedValue& each : column) sums_[each.place] += (*chosen - weight) * each.value;
        weight = *chosen;
        return true;
    }

    // Uses -b: the sums grow with it as with a coefficient of value 1.
    bool sweep_threshold() {
        flips_.clear();
        for (std::size_t i = 0; i < sums_.size(); ++i)
            flips_.push_back({-threshold_ - sums_[i], static_cast<std::uint32_t>(i)});
        const std::optional<double> chosen = sweep(-threshold_, false);
        if (!chosen) return false;
        for (double& sum : sums_) sum += *chosen + threshold_;
        threshold_ = -*chosen;
        return true;
    }

    // Returns the best value other than `now`, if it lowers the cost. Each row changes sides at its flip: flips above
    // `now` are evaluated upward from `now`, those below downward. Leaves the rows on the sides of the returned value.
    std::optional<double> sweep(double now, bool is_weight) {
        const auto above =
            std::partition(flips_.begin(), flips_.end(), [&](const Flip& flip) { return flip.at < now; });
        const auto middle = static_cast<std::size_t>(above - flips_.begin());
        const std::span all(flips_);
        sort_flips(all.subspan(middle), FlipOrder::ascending, buffer_);
        sort_flips(all.first(middle), FlipOrder::descending, buffer_);
        const bool remembers = flips_.size() > fork_.leaves();
        if (remembers) fork_.remember();
        Sought sought{cost_ - least_gain_, {}, infinite};
        for (const double sign : {1.0, -1.0}) {
            const std::span<const Flip> way = sign > 0 ? all.subspan(middle) : all.first(middle);
            try_way(way, sign, is_weight && sign * now <= 0, sought);
            if (remembers)
                fork_.come_back();
            else
                for (const Flip& flip : way.first(tried_)) move(flip.place);
            for (const Flip& flip : way.first(tried_)) is_high_[flip.place] ^= 1;
        }
        const double least = sought.best ? sought.cost : cost_;
        if (is_weight && now != 0 && sought.zero_cost <= least + 1e-3 * least_gain_) sought.best = 0;
        if (!sought.best) return std::nullopt;
        for (const Flip& flip : all)
            if ((flip.at < *sought.best) != (flip.at < now)) flip_side(flip.place);
        cost_ = fork_.cost();
        return sought.best;
    }

    struct Sought {
        double cost = 0;
        std::optional<double> best;
        double zero_cost = 0;
    };

    // Evaluates the values between successive flips, starting at the current one. Beyond the last flip, only 0 is
    // evaluated.
    void try_way(std::span<const Flip> way, double sign, bool passes_zero, Sought& sought) {
        tried_ = 0;
        if (passes_zero && (way.empty() || sign * way.front().at > apart)) sought.zero_cost = cost_;
        for (std::size_t i = 0; i < way.size(); ++i) {
            flip_side(way[i].place);
            ++tried_;
            const double from = sign * way[i].at;
            const bool is_last = i + 1 == way.size();
            if (is_last) {
                if (passes_zero && from < -apart) sought.zero_cost = fork_.cost();
                break;
            }
            const double to = sign * way[i + 1].at;
            if (!(to - from > apart * (1 + std::abs(from) + std::abs(to)))) continue;
            const double cost = fork_.cost();
            if (cost < sought.cost) {
                sought.cost = cost;
                sought.best = sign * (from + (to - from) / 2);
            }
            if (passes_zero && from < -apart && to > apart) sought.zero_cost = cost;
        }
    }

    // Moves the row to the other side.
    void move(std::size_t place) {
        if (is_high_[place] != 0)
            fork_.to_low(place);
        else
            fork_.to_high(place);
    }
    void flip_side(std::size_t place) {
        move(place);
        is_high_[place] ^= 1;
    }

    // Makes the sum of absolute weights 1.
    void normalize() {
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
    std::vector<double> sums_;  // a . x - b, per row of the node
    std::vector<char> is_high_;
    std::vector<Flip> flips_;
    std::vector<Flip> buffer_;
    std::size_t tried_ = 0;  // flips evaluated in the last direction
};

}  // namespace polyrx

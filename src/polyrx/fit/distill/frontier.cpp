// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/distill/frontier.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

#include "polyrx/rules/choose.hpp"

namespace polyrx {
namespace {

constexpr double interval_level = 0.95;
constexpr std::size_t leaf_series[] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64};
constexpr std::size_t term_series[] = {5, 10, 20, 40, 80};

// The smallest budget of the series that allows the size.
TreeBudget smallest_for(const TreeSize& size) {
    const auto* leaves = std::ranges::lower_bound(leaf_series, size.leaves);
    const auto* terms = std::ranges::lower_bound(term_series, size.terms);
    return {.leaves = leaves == std::end(leaf_series) ? size.leaves : *leaves,
            .terms = terms == std::end(term_series) ? 0 : *terms};
}

// The seat of this shape within the budget with the least regret; the first one in case of ties.
std::optional<std::size_t> best_seat(const std::vector<std::optional<Student>>& students,
                                     const std::vector<std::size_t>& shape_of_seat, std::size_t shape,
                                     const TreeBudget& budget) {
    std::optional<std::size_t> best;
    for (std::size_t seat = 0; seat < students.size(); ++seat)
        if (shape_of_seat[seat] == shape && students[seat] && budget.allows(students[seat]->size) &&
            (!best || students[seat]->regret < students[*best]->regret))
            best = seat;
    return best;
}

double value_or_worst(const MeanEstimate& estimate) {
    return estimate.known ? estimate.known->value : std::numeric_limits<double>::infinity();
}

// Neither more leaves nor more terms, and no worse value.
bool beats(const FrontierPoint& a, const FrontierPoint& b) {
    return a.size.leaves <= b.size.leaves && a.size.terms <= b.size.terms &&
           value_or_worst(a.value) <= value_or_worst(b.value);
}

}  // namespace

double agreement_of(std::span<const int> a, std::span<const int> b, std::span<const double> weight) {
    WeightedMean share;
    for (std::size_t i = 0; i < a.size(); ++i) share.add(a[i] == b[i] ? 1 : 0, weight.empty() ? 1 : weight[i]);
    return share.mean();
}

Frontier::Frontier(const TuningJudge& judge, std::span<const double> weight, const std::vector<std::size_t>& seats,
                   const std::vector<StudentShape>& shapes)
    : judge_(judge),
      weight_(weight),
      shape_of_seat_(seats),
      shapes_(shapes),
      teacher_(static_cast<std::size_t>(judge.scores().rows()), no_treatment) {}

void Frontier::add_fold(std::span<const int> teacher, std::vector<std::optional<Student>> students) {
    for (const std::size_t row : judge_.folds()[folds_.size()].held_out) teacher_[row] = teacher[row];
    for (std::optional<Student>& student : students)
        if (student) student->network = {};  // no longer needed
    folds_.push_back(std::move(students));
}

Frontier::Seats Frontier::seats_within(std::size_t shape, const TreeBudget& budget) const {
    Seats seats;
    for (const auto& students : folds_) seats.push_back(best_seat(students, shape_of_seat_, shape, budget).value_or(0));
    return seats;
}

std::vector<int> Frontier::prescribed_by(const Seats& seats) const {
    std::vector<int> prescribed(teacher_.size(), no_treatment);
    for (std::size_t fold = 0; fold < folds_.size(); ++fold) {
        const std::optional<Student>& student = folds_[fold][seats[fold]];
        const std::vector<std::size_t>& rows = judge_.folds()[fold].held_out;
        for (std::size_t i = 0; student && i < rows.size(); ++i) prescribed[rows[i]] = student->prescribed[i];
    }
    return prescribed;
}

// Skips rows for which rules leave no treatment.
MeanEstimate Frontier::value_of(std::span<const int> prescribed) const {
    std::vector<double> values;
    std::vector<double> weight;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < prescribed.size(); ++i) {
        if (prescribed[i] == no_treatment) continue;
        values.push_back(judge_.scores()(static_cast<Eigen::Index>(i), prescribed[i]));
        rows.push_back(i);
        weight.push_back(weight_.empty() ? 1 : weight_[i]);
    }
    MeanEstimate value = estimate_mean(values, {.weight = weight, .cluster = judge_.groups_of(rows)});
    set_interval(value, simultaneous_factor(1, interval_level));
    return value;
}

MeanEstimate Frontier::gain_of(std::span<const int> prescribed) const {
    std::vector<double> gains;
    std::vector<double> weight;
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < prescribed.size(); ++i) {
        if (prescribed[i] == no_treatment || teacher_[i] == no_treatment) continue;
        const auto scores = judge_.scores().row(static_cast<Eigen::Index>(i));
        gains.push_back(scores[teacher_[i]] - scores[prescribed[i]]);
        rows.push_back(i);
        weight.push_back(weight_.empty() ? 1 : weight_[i]);
    }
    MeanEstimate gain = estimate_mean(gains, {.weight = weight, .cluster = judge_.groups_of(rows)});
    set_interval(gain, simultaneous_factor(1, interval_level));
    return gain;
}

MeanEstimate Frontier::value_of_teacher() const {
    return value_of(teacher_);
}

MeanEstimate Frontier::value_of_constant() const {
    return value_of(prescribed_by(Seats(folds_.size(), 0)));
}

FrontierResult Frontier::find(const std::vector<std::optional<Student>>& students, const TreeBudget& budget) const {
    std::vector<FrontierPoint> points;
    std::vector<std::size_t> seats;  // of each point
    for (std::size_t seat = 0; seat < students.size(); ++seat) {
        if (!students[seat]) continue;
        const std::size_t shape = shape_of_seat_[seat];
        const bool is_best_within = best_seat(students, shape_of_seat_, shape, budget) == seat;
        FrontierPoint point{.budget = is_best_within ? budget : smallest_for(students[seat]->size),
                            .size = students[seat]->size,
                            .shape = shapes_[shape],
                            .value = {},
                            .agreement = 0,
                            .folds_without = 0,
                            .chosen = false};
        // Skip: its shape has a better student within the same budget.
        if (best_seat(students, shape_of_seat_, shape, point.budget) != seat) continue;
        const std::vector<int> prescribed = prescribed_by(seats_within(shape, point.budget));
        point.value = value_of(prescribed);
        point.agreement = agreement_of(prescribed, teacher_, weight_);
        point.folds_without = static_cast<std::size_t>(std::ranges::count_if(
            folds_, [&](const auto& of_fold) { return !best_seat(of_fold, shape_of_seat_, shape, point.budget); }));
        points.push_back(std::move(point));
        seats.push_back(seat);
    }
    FrontierResult result;
    std::optional<std::size_t> best;
    const auto key = [&](std::size_t i) {
        return std::tuple(value_or_worst(points[i].value), points[i].size.leaves, points[i].size.terms);
    };
    const auto is_to_compare = [](const FrontierPoint& point) {
        return point.shape.kind == StudentShape::Kind::regressions;
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (is_to_compare(points[i]) || !budget.allows(points[i].size)) continue;
        ++result.compared;
        if (!best || key(i) < key(*best)) best = i;
    }
    if (best) {
        points[*best].chosen = true;
        result.chosen = seats[*best];
        result.prescribed = prescribed_by(seats_within(shape_of_seat_[seats[*best]], points[*best].budget));
        result.gain = gain_of(result.prescribed);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool is_beaten = std::ranges::any_of(points, [&](const FrontierPoint& other) {
            return &other != &points[i] && beats(other, points[i]) && (!beats(points[i], other) || &other < &points[i]);
        });
        if (points[i].chosen || is_to_compare(points[i]) || !is_beaten) result.points.push_back(points[i]);
    }
    std::ranges::sort(result.points, {},
                      [](const FrontierPoint& point) { return std::pair(point.size.leaves, point.size.terms); });
    return result;
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// The frontier of trees by size and cross-validated value: selects students that are worth their leaves and terms.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "polyrx/fit/distill/students.hpp"
#include "polyrx/fit/tune/tuning_judge.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

// Limits on the size of a tree.
struct TreeBudget {
    std::size_t leaves = 8;
    std::size_t terms = 0;  // 0: no limit

    [[nodiscard]] bool allows(const TreeSize& size) const {
        return size.leaves <= leaves && (terms == 0 || size.terms <= terms);
    }
    friend bool operator==(const TreeBudget&, const TreeBudget&) = default;
};

struct FrontierPoint {
    TreeBudget budget;  // the limit for students of this shape in every fold
    TreeSize size;      // size of its tree, learned from all rows
    StudentShape shape;
    MeanEstimate value;    // cross-validated
    double agreement = 0;  // with the teacher of the fold, as a share of held-out rows
    // Folds without a student of this shape within the budget. They evaluate one treatment for all instead.
    std::size_t folds_without = 0;
    bool chosen = false;
};

struct FrontierResult {
    std::vector<FrontierPoint>
        points;                // by leaves, then terms: points that no smaller one beats, the chosen one, and R&C LR
    std::size_t compared = 0;  // number of ways to make a tree within the budget
    std::optional<std::size_t> chosen;  // seat of the best student of those
    std::vector<int>
        prescribed;  // prescription for each row by a student of the chosen shape and budget that was not trained on it
    MeanEstimate gain;  // of these prescriptions over the teacher, paired by row; positive is better
};

// The weighted share of rows for which both prescribe the same.
[[nodiscard]] double agreement_of(std::span<const int> a, std::span<const int> b, std::span<const double> weight);

// Evaluates ways to make a tree: train the students of a shape, and take the one within a budget that has the least
// regret by the teacher's predictions. If no student of a fold is within the budget, that fold prescribes one treatment
// for all. The budget is the requested one if the tree fits it. Otherwise, it is the smallest budget of a series that
// the tree fits, so that a tree is compared with trees of its own size.
class Frontier {
public:
    // `seats` holds the shape of each student in a class; the first is the constant. `weight` may be empty. All
    // arguments must outlive the frontier.
    Frontier(const TuningJudge& judge, std::span<const double> weight, const std::vector<std::size_t>& seats,
             const std::vector<StudentShape>& shapes);

    // Call in the order of the judge's folds. `teacher` prescribes for all rows, `students` for the held-out rows.
    void add_fold(std::span<const int> teacher, std::vector<std::optional<Student>> students);

    // Chooses among the students of all rows. Values are those of the judge: smaller is better.
    [[nodiscard]] FrontierResult find(const std::vector<std::optional<Student>>& students,
                                      const TreeBudget& budget) const;

    [[nodiscard]] MeanEstimate value_of_teacher() const;
    [[nodiscard]] MeanEstimate value_of_constant() const;

private:
    using Seats = std::vector<std::size_t>;  // one per fold

    [[nodiscard]] Seats seats_within(std::size_t shape, const TreeBudget& budget) const;
    [[nodiscard]] std::vector<int> prescribed_by(const Seats& seats) const;
    [[nodiscard]] MeanEstimate value_of(std::span<const int> prescribed) const;
    [[nodiscard]] MeanEstimate gain_of(std::span<const int> prescribed) const;

    const TuningJudge& judge_;
    std::span<const double> weight_;
    const std::vector<std::size_t>& shape_of_seat_;
    const std::vector<StudentShape>& shapes_;
    std::vector<std::vector<std::optional<Student>>> folds_;
    std::vector<int> teacher_;  // prescription for each row by the teacher that was not trained on it
};

}  // namespace polyrx

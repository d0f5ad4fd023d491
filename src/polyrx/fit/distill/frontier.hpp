// SPDX-License-Identifier: Apache-2.0
// Trees by size and cross-validated value: which students are worth their leaves and terms.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "polyrx/fit/distill/students.hpp"
#include "polyrx/fit/tune/tuning_judge.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

// How large a tree may be.
struct TreeBudget {
    std::size_t leaves = 8;
    std::size_t terms = 0;  // 0: any

    [[nodiscard]] bool allows(const TreeSize& size) const {
        return size.leaves <= leaves && (terms == 0 || size.terms <= terms);
    }
    friend bool operator==(const TreeBudget&, const TreeBudget&) = default;
};

struct FrontierPoint {
    TreeBudget budget;  // that the students of its shape were held to in every fold
    TreeSize size;      // of its tree, learned from all rows
    StudentShape shape;
    MeanEstimate value;    // cross-validated
    double agreement = 0;  // with the teacher of the fold, the share of held-out rows
    // In which no student of its shape was within the budget, so that one treatment for all was valued in its place.
    std::size_t folds_without = 0;
    bool chosen = false;
};

struct FrontierResult {
    std::vector<FrontierPoint>
        points;                // by leaves, then terms: those that no smaller one beats, the chosen one, and R&C LR
    std::size_t compared = 0;  // ways to make a tree within the budget
    std::optional<std::size_t> chosen;  // of these, the seat of the best student
    std::vector<int> prescribed;        // by its shape and budget, to each row by a student that did not see it
    MeanEstimate gain;                  // of these over the teacher, paired by row; above 0 is better
};

// The share of the rows, by weight, for which both prescribe the same.
[[nodiscard]] double agreement_of(std::span<const int> a, std::span<const int> b, std::span<const double> weight);

// What is valued is a way to make a tree: train the students of a shape, and take the one within a budget whose choices
// cost least by the teacher. In a fold where none is within it, one treatment is given to all. The budget is the one
// that is asked for, if that makes the tree; else, so that a tree is judged by trees of its own size, the smallest of a
// series that allows it.
class Frontier {
public:
    // The seats are the shapes of the students in each class; the first is the constant. `weight` may be empty.
    // All of it must outlive the frontier.
    Frontier(const TuningJudge& judge, std::span<const double> weight, const std::vector<std::size_t>& seats,
             const std::vector<StudentShape>& shapes);

    // In the order of the judge's folds: what the teacher prescribes to all rows, and its students to those held out.
    void add_fold(std::span<const int> teacher, std::vector<std::optional<Student>> students);

    // Chooses among the students of all rows. Values are those of the judge: small is good.
    [[nodiscard]] FrontierResult find(const std::vector<std::optional<Student>>& students,
                                      const TreeBudget& budget) const;

    [[nodiscard]] MeanEstimate value_of_teacher() const;
    [[nodiscard]] MeanEstimate value_of_constant() const;

private:
    using Seats = std::vector<std::size_t>;  // one in each fold

    [[nodiscard]] Seats seats_within(std::size_t shape, const TreeBudget& budget) const;
    [[nodiscard]] std::vector<int> prescribed_by(const Seats& seats) const;
    [[nodiscard]] MeanEstimate value_of(std::span<const int> prescribed) const;
    [[nodiscard]] MeanEstimate gain_of(std::span<const int> prescribed) const;

    const TuningJudge& judge_;
    std::span<const double> weight_;
    const std::vector<std::size_t>& shape_of_seat_;
    const std::vector<StudentShape>& shapes_;
    std::vector<std::vector<std::optional<Student>>> folds_;
    std::vector<int> teacher_;  // what the teacher that did not see it prescribes to each row
};

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// From accurate to readable: a small network that a model has taught, whose exact tree has few leaves.
//
// Students of several shapes learn what the teacher says of every treatment, beside the data. Which of them to take is
// decided by cross-validated doubly robust value: in each fold the teacher is fitted again without the held-out rows,
// its students never see them, and what those prescribe to them is valued. Then students of all rows learn from the
// model itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/fit/distill/frontier.hpp"
#include "polyrx/fit/distill/students.hpp"
#include "polyrx/policy/tree_policy.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

struct DistillOptions {
    TreeBudget budget = {};
    std::vector<StudentShape> shapes = student_shapes();  // the constant first, to fall back on
    int restarts = 5;                                     // of each; the one whose choices cost least is kept
    std::size_t folds = 5;
    StudentOptions student = {};
    double least_propensity = 0.02;
    std::uint64_t seed = 1;
    int threads = 1;
    std::optional<OutcomeRange> outcome_range = {};  // declared, in the user's units; none: that of the model
};

struct Distilled {
    TreePolicy tree;  // the student, and its exact tree with the rows counted
    FrontierPoint chosen;
    // Those that no smaller one beats, by leaves and terms; also beyond the budget.
    std::vector<FrontierPoint> frontier;
    MeanEstimate teacher;      // its value, refitted in each fold
    MeanEstimate constant;     // of the best treatment for all, as the teacher of each fold sees it
    MeanEstimate gain;         // of the chosen student over the teacher, paired by row; above 0 is better
    double agreement = 0;      // with the model itself, the share of all rows
    std::size_t students = 0;  // that were trained
};

// `observations` are the rows that the model learned from (rows_learned_from()). The bytes do not depend on the
// threads. Throws a usage error for a model that does not say how it was made or obeys its rules by a penalty, and a
// data error where not even one treatment for all fits the budget, since rules take more leaves.
[[nodiscard]] Distilled distill(const Policy& model, const Observations& observations, const DistillOptions& options,
                                const Progress& progress = {});

}  // namespace polyrx

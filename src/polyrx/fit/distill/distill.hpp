// SPDX-License-Identifier: Apache-2.0
// Distills a model into a small network whose exact tree has few leaves.
//
// Students of several shapes learn from the data and from the teacher's predictions for every treatment.
// Cross-validated doubly robust value selects among the shapes. Each fold refits the teacher without the held-out rows,
// trains students on the other rows, and estimates the value of the students' prescriptions for the held-out rows. The
// final students then learn from the model itself on all rows.
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
    std::vector<StudentShape> shapes = student_shapes();  // the constant comes first, as the fallback
    int restarts = 5;  // per shape; the student with the least regret by the teacher's predictions is kept
    std::size_t folds = 5;
    StudentOptions student = {};
    double least_propensity = 0.02;
    std::uint64_t seed = 1;
    int threads = 1;
    std::optional<OutcomeRange> outcome_range = {};  // declared, in the user's units; if none, that of the model
};

struct Distilled {
    TreePolicy tree;  // the student and its exact tree, with row counts
    FrontierPoint chosen;
    // The points that no smaller tree beats, ordered by leaves and terms; includes points beyond the budget.
    std::vector<FrontierPoint> frontier;
    MeanEstimate teacher;      // value of the teacher, refitted in each fold
    MeanEstimate constant;     // value of the best single treatment, according to the teacher of each fold
    MeanEstimate gain;         // of the chosen student over the teacher, paired by row; positive is better
    double agreement = 0;      // with the model itself, as a share of all rows
    std::size_t students = 0;  // number of trained students
};

// `observations` are the rows that the model was fitted on (rows_learned_from()). The result does not depend on the
// number of threads. Throws a usage error for a model that does not record its settings or enforces its rules by a
// penalty. Throws a data error if not even a single treatment for all fits the budget, since rules add leaves.
[[nodiscard]] Distilled distill(const Policy& model, const Observations& observations, const DistillOptions& options,
                                const Progress& progress = {});

}  // namespace polyrx

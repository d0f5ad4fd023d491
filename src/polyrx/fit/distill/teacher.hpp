// SPDX-License-Identifier: Apache-2.0
// Uses a model as a teacher of smaller ones: its predictions for every treatment, and the same model refitted without
// some rows.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "polyrx/baselines/baseline.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/fit/fit_baseline.hpp"
#include "polyrx/fit/learn/learn_network.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

struct BaselinePlan {
    Method method;
    BaselineOptions options;
};

// How to fit a model again.
struct TeacherPlan {
    std::variant<std::vector<NetworkOptions>, BaselinePlan> how;  // averaged networks, or a baseline
    std::uint64_t seed = 1;
};

// Throws a usage error if the model does not record its settings, or is itself a student.
[[nodiscard]] TeacherPlan teacher_plan(const Policy& policy);

// Predictions for all rows of the study (rows x treatments, smaller is better) by the model refitted on the named rows
// only. Students must not learn about held-out rows from a teacher that was trained on them.
[[nodiscard]] Matrix refitted_outputs(const NetworkStudy& study, std::span<const std::size_t> rows,
                                      const TeacherPlan& plan, int threads, const Progress& progress = {});

// What a student learns about each row.
struct Lesson {
    Matrix outcomes;              // rows x treatments, finite; smaller is better
    std::vector<int> prescribed;  // or no_treatment
    std::vector<double> margin;   // difference between the best and the second-best allowed treatment
};

// A baseline without a prediction for a treatment returns infinity; this becomes the worst finite prediction of the
// row. Votes have no unit and are scaled by `deviation`, the standard deviation of the outcome.
[[nodiscard]] Lesson lesson_of(Matrix outputs, ScoreKind kind, std::span<const TreatmentSet> allowed, double deviation);

// Sets the teacher's contrasts of `rows`, in the scale of the outcome and weighted by its margins. `named` are the
// indices of these rows in the study.
void teach(TrainingRows& rows, const Lesson& lesson, std::span<const std::size_t> named, double outcome_scale);

}  // namespace polyrx

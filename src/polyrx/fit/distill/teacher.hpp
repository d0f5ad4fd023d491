// SPDX-License-Identifier: Apache-2.0
// A model as a teacher of smaller ones: what it says of every treatment, and the same model learned without some rows.
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

// How a model was learned.
struct TeacherPlan {
    std::variant<std::vector<NetworkOptions>, BaselinePlan> how;  // networks that are averaged, or a baseline
    std::uint64_t seed = 1;
};

// Throws a usage error where the model does not say it, or is a student itself.
[[nodiscard]] TeacherPlan teacher_plan(const Policy& policy);

// What the model says of all rows of the study (rows x treatments, small is good) when it has learned from the named
// ones only. A row that is held out must not be taught by a teacher that has seen it.
[[nodiscard]] Matrix refitted_outputs(const NetworkStudy& study, std::span<const std::size_t> rows,
                                      const TeacherPlan& plan, int threads, const Progress& progress = {});

// What a student is taught of each row.
struct Lesson {
    Matrix outcomes;              // of every treatment, finite; small is good
    std::vector<int> prescribed;  // or no_treatment
    std::vector<double> margin;   // by how much the best allowed treatment is better than the second best
};

// A baseline may know nothing of a treatment (infinite), which then is as bad as the worst that it knows of that row.
// Votes have no unit, so they are given one: `deviation` is that of the outcome.
[[nodiscard]] Lesson lesson_of(Matrix outputs, ScoreKind kind, std::span<const TreatmentSet> allowed, double deviation);

// Gives the named rows, which `rows` are, the teacher's contrasts in the scale of the outcome, weighted by its margins.
void teach(TrainingRows& rows, const Lesson& lesson, std::span<const std::size_t> named, double outcome_scale);

}  // namespace polyrx

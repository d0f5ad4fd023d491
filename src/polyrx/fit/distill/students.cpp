// SPDX-License-Identifier: Apache-2.0
#include "polyrx/fit/distill/students.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polyrx/extract/exact/exact_tree.hpp"
#include "polyrx/fit/fit_baseline.hpp"
#include "polyrx/policy/policy_domain.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {
namespace {

// Students that need more are too large to read: those within a budget of 32 leaves take a few hundred.
constexpr std::size_t most_linear_programs = 50'000;

constexpr int batch = 64;

// Means of the teacher's predictions, which prescribe one treatment for all.
ReluNetwork constant_student(const Classroom& room) {
    Vector means(room.lesson.outcomes.cols());
    for (Eigen::Index k = 0; k < means.size(); ++k) {
        WeightedMean mean;
        for (std::size_t i = 0; i < room.rows.size(); ++i)
            mean.add(room.lesson.outcomes(static_cast<Eigen::Index>(room.rows[i]), k), room.scaled.kept.weight[i]);
        means[k] = mean.mean();
    }
    return ReluNetwork({{Matrix::Zero(means.size(), room.study.encoded.cols()), means}});
}

ReluNetwork regressions_student(const Classroom& room) {
    const NetworkStudy& study = room.study;
    std::vector<double> outcome;
    for (const std::size_t row : room.rows) outcome.push_back(study.outcome[row]);
    const Baseline fitted = fit_baseline(Method::rc_lr, take(study.observations, room.rows), study.encoder,
                                         study.encoded(room.rows, Eigen::all), outcome, 1, 1)
                                .baseline;
    const std::vector<LinearModel>& arms = std::get<LinearOutcomes>(fitted.model).arms;
    const auto treatments = static_cast<Eigen::Index>(arms.size());
    Layer layer{Matrix(treatments, study.encoded.cols()), Vector(treatments)};
    for (Eigen::Index k = 0; k < treatments; ++k) {
        layer.weights.row(k) = arms[static_cast<std::size_t>(k)].weights;
        layer.bias[k] = arms[static_cast<std::size_t>(k)].intercept;
    }
    return ReluNetwork({layer});
}

TrainOptions training_options(const Classroom& room, const StudentShape& shape, const StudentOptions& options,
                              std::uint64_t seed) {
    TrainOptions training;
    training.hidden.clear();
    if (shape.kind == StudentShape::Kind::network) training.hidden = {shape.neurons};
    training.treatments = static_cast<int>(room.lesson.outcomes.cols());
    training.mu = 0;  // the teacher's predictions already contain the prescriptive term
    const double steps_per_epoch = std::ceil(static_cast<double>(room.rows.size()) / batch);
    training.epochs = static_cast<int>(std::clamp(std::round(options.steps / steps_per_epoch), 1.0, 1000.0));
    training.batch = batch;
    training.learning_rate = 1e-2;  // suits networks with few weights
    training.schedule = Schedule::cosine;
    training.weight_decay = 1e-3;
    training.teacher_share = options.teacher_share;
    training.sparsity.weights_per_neuron = shape.weights_per_neuron;
    training.sparsity.max_features = shape.features;
    training.retries = 1;
    training.seed = seed;
    return training;
}

std::optional<ReluNetwork> network_of(const Classroom& room, const StudentShape& shape, const StudentOptions& options,
                                      std::uint64_t seed) {
    if (shape.kind == StudentShape::Kind::constant) return constant_student(room);
    if (shape.kind == StudentShape::Kind::regressions) return regressions_student(room);
    try {
        return in_users_units(train(room.scaled.kept, nullptr, training_options(room, shape, options, seed)).network,
                              room.scaled);
    } catch (const Diverged&) {
        return std::nullopt;
    }
}

std::vector<int> chosen_for(const Classroom& room, const ReluNetwork& network, std::span<const std::size_t> rows) {
    const Matrix outcomes = forward(network, room.study.encoded(rows, Eigen::all));
    if (room.study.allowed.empty()) return argmin_rows(outcomes);
    std::vector<TreatmentSet> allowed;
    for (const std::size_t row : rows) allowed.push_back(room.study.allowed[row]);
    return choose(allowed, outcomes);
}

double regret_of(const Classroom& room, const ReluNetwork& network) {
    const std::vector<int> chosen = chosen_for(room, network, room.rows);
    WeightedMean regret;
    for (std::size_t i = 0; i < room.rows.size(); ++i) {
        if (chosen[i] == no_treatment) continue;
        const auto outcomes = room.lesson.outcomes.row(static_cast<Eigen::Index>(room.rows[i]));
        regret.add(outcomes[chosen[i]] - outcomes[room.lesson.prescribed[room.rows[i]]], room.scaled.kept.weight[i]);
    }
    return regret.total > 0 ? regret.mean() : 0;
}

std::optional<TreeSize> tree_size(const Classroom& room, const ReluNetwork& network, std::size_t leaves) {
    Policy policy = room.frame;
    policy.network = network;
    try {
        const Tree tree =
            exact_tree(network, policy.rules.bound, tree_domain(policy),
                       {.limits = {.leaves = leaves, .linear_programs = most_linear_programs, .seconds = 0}});
        if (tree.certified_share < 1) return std::nullopt;
        return size_of(tree);
    } catch (const BudgetSpent&) {
        return std::nullopt;
    }
}

// Subtracts the teacher's mean over treatments from the outcome. This level often explains most of the outcome, but a
// student needs its few weights for differences between treatments. The remainder is the effect of the received
// treatment plus noise.
void take_off_level(Classroom& room) {
    std::vector<double> left;
    WeightedMean mean;
    for (std::size_t i = 0; i < room.rows.size(); ++i) {
        const auto outcomes = room.lesson.outcomes.row(static_cast<Eigen::Index>(room.rows[i]));
        double level = 0;
        for (const double value : outcomes) level += value;
        left.push_back(room.study.outcome[room.rows[i]] - level / static_cast<double>(outcomes.size()));
        mean.add(left.back(), room.scaled.kept.weight[i]);
    }
    for (std::size_t i = 0; i < left.size(); ++i)
        room.scaled.kept.outcome[i] = static_cast<float>((left[i] - mean.mean()) / room.scaled.outcome.scale);
}

}  // namespace

std::string words_of(const StudentShape& shape) {
    switch (shape.kind) {
        case StudentShape::Kind::constant:
            return "one for all";
        case StudentShape::Kind::regressions:
            return "regressions";
        case StudentShape::Kind::linear:
            return shape.features == 0
                       ? "linear"
                       : fmt::format("linear in {} input{}", shape.features, shape.features == 1 ? "" : "s");
        case StudentShape::Kind::network:
            break;
    }
    std::string neurons = fmt::format("{} neuron{}", shape.neurons, shape.neurons == 1 ? "" : "s");
    if (shape.weights_per_neuron == 0) return neurons;
    return fmt::format("{} of {} weight{}", neurons, shape.weights_per_neuron,
                       shape.weights_per_neuron == 1 ? "" : "s");
}

std::vector<StudentShape> student_shapes() {
    std::vector<StudentShape> shapes = {{.kind = StudentShape::Kind::constant}};
    shapes.push_back({.kind = StudentShape::Kind::regressions});
    for (const int features : {2, 3, 5, 10, 20, 0})
        shapes.push_back({.kind = StudentShape::Kind::linear, .features = features});
    for (const int weights : {1, 2, 3, 5, 0})
        for (const int neurons : {2, 3, 5, 10}) {
            if (neurons == 10 && weights != 1) continue;  // their trees are too large to read
            shapes.push_back({.kind = StudentShape::Kind::network, .neurons = neurons, .weights_per_neuron = weights});
        }
    return shapes;
}

Classroom classroom(const NetworkStudy& study, const Policy& frame, const Lesson& lesson,
                    std::span<const std::size_t> rows, std::span<const std::size_t> asked) {
    Classroom room{study, frame, lesson, rows, asked, {}};
    room.scaled = scale_rows(study, {{rows.begin(), rows.end()}, {}}, OutcomeScale::standardized);
    teach(room.scaled.kept, lesson, rows, room.scaled.outcome.scale);
    take_off_level(room);
    return room;
}

std::optional<Student> learn_student(const Classroom& room, const StudentShape& shape, const StudentOptions& options,
                                     std::uint64_t seed) {
    std::optional<ReluNetwork> network = network_of(room, shape, options, seed);
    if (!network) return std::nullopt;
    Student student;
    student.network = std::move(*network);
    const std::optional<TreeSize> size = tree_size(room, student.network, options.leaves);
    if (!size) return std::nullopt;
    student.size = *size;
    student.regret = regret_of(room, student.network);
    student.prescribed = chosen_for(room, student.network, room.asked);
    return student;
}

}  // namespace polyrx

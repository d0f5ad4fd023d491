// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/gradient/teacher_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/train/gradient/batch_gradient.hpp"
#include "polyrx/train/train.hpp"
#include "tests/support/easy_rows.hpp"
#include "tests/support/slow_forward.hpp"
#include "tests/support/slow_objective.hpp"

namespace polyrx {
namespace {

// With a teacher of random outcomes.
TrainingRows taught_rows(Rng& rng, Eigen::Index count, Eigen::Index inputs, Eigen::Index treatments) {
    TrainingRows rows;
    rows.inputs = test::random_matrix_f(rng, count, inputs);
    MatrixF teacher = test::random_matrix_f(rng, count, treatments);
    teacher.colwise() -= teacher.rowwise().mean().eval();
    rows.teacher.assign(teacher.data(), teacher.data() + teacher.size());
    for (Eigen::Index i = 0; i < count; ++i) {
        rows.treatment.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(treatments))));
        rows.outcome.push_back(static_cast<float>(rng.normal()));
        rows.weight.push_back(static_cast<float>(rng.uniform(0, 3)));
        rows.teacher_weight.push_back(static_cast<float>(rng.uniform(0, 3)));
    }
    return rows;
}

// The slow, obvious twin: the mean over the rows, with the prescriptions frozen.
double slow_loss(const Matrix& predicted, const std::vector<int>& prescribed, const TrainingRows& rows, double mu,
                 double lambda) {
    std::vector<test::SlowRow> slow;
    double taught = 0;
    for (Eigen::Index i = 0; i < predicted.rows(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        slow.push_back({rows.treatment[row], rows.outcome[row], rows.weight[row]});
        for (Eigen::Index k = 0; k < predicted.cols(); ++k) {
            const double student = predicted(i, k) - predicted.row(i).mean();
            const double teacher =
                rows.teacher[row * static_cast<std::size_t>(predicted.cols()) + static_cast<std::size_t>(k)];
            taught += rows.teacher_weight[row] * (student - teacher) * (student - teacher);
        }
    }
    return lambda * taught / static_cast<double>(predicted.rows()) +
           (1 - lambda) * test::slow_objective(predicted, prescribed, slow, mu);
}

TEST(TeacherLoss, AndItsSlopesAreThoseOfFiniteDifferences) {
    for (std::uint64_t round = 0; round < 30; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        const auto treatments = static_cast<Eigen::Index>(1 + rng.below(4));
        const std::vector<Eigen::Index> widths = test::random_widths(rng, round % 3, 6, treatments);
        const ParameterLayout layout(widths);
        const auto count = static_cast<Eigen::Index>(1 + rng.below(round % 5 == 0 ? 150 : 12));
        const TrainingRows rows = taught_rows(rng, count, widths.front(), treatments);
        const double lambda = round % 3 == 0 ? 1 : rng.uniform();
        const double mu = round % 2 == 0 ? 0 : 0.25;

        Backprop backprop(layout, lambda);
        const AlignedFloats parameters = initial_parameters(layout, round);
        AlignedFloats gradient(layout.size());
        const RowRange all{0, static_cast<std::size_t>(count)};
        const double loss = batch_gradient(backprop, parameters, rows, all, mu, gradient).objective;
        EXPECT_EQ(batch_loss(backprop, parameters, rows, all, mu).objective, loss);

        const Matrix inputs = rows.inputs.cast<double>();
        std::vector<Layer> layers = to_network(layout, parameters).layers();
        const Matrix predicted = test::slow_forward(ReluNetwork(layers), inputs);
        std::vector<int> frozen;
        for (Eigen::Index i = 0; i < count; ++i) frozen.push_back(test::slow_argmin(predicted, i));
        const double expected = slow_loss(predicted, frozen, rows, mu, lambda);
        EXPECT_NEAR(loss / static_cast<double>(count), expected, 1e-5 * (1 + std::abs(expected)));

        constexpr double h = 1e-6;
        const auto slope_in = [&](double& parameter) {
            const double before = parameter;
            double sides[2] = {};
            for (const int side : {0, 1}) {
                parameter = before + (side == 0 ? -h : h);
                sides[side] = slow_loss(test::slow_forward(ReluNetwork(layers), inputs), frozen, rows, mu, lambda);
            }
            parameter = before;
            return (sides[1] - sides[0]) / (2 * h);
        };
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            const auto weights = layout.weights(gradient, layer);
            const auto biases = layout.biases(gradient, layer);
            for (Eigen::Index neuron = 0; neuron < weights.cols(); ++neuron) {
                for (Eigen::Index input = 0; input < weights.rows(); ++input)
                    EXPECT_NEAR(weights(input, neuron), slope_in(layers[layer].weights(neuron, input)), 1e-4);
                EXPECT_NEAR(biases(neuron), slope_in(layers[layer].bias[neuron]), 1e-4);
            }
        }
    }
}

TEST(TeacherLoss, IsNoneWithoutAShareAndWithoutATeacher) {
    Rng rng(1, Draw::test);
    TrainingRows taught = taught_rows(rng, 200, 3, 2);
    TrainingRows untaught = taught;
    untaught.teacher.clear();
    untaught.teacher_weight.clear();
    TrainOptions options;
    options.hidden = {7};
    const Trained plain = train(untaught, nullptr, options);
    EXPECT_EQ(train(taught, nullptr, options).network, plain.network);
    options.teacher_share = 0.5;
    EXPECT_EQ(train(untaught, nullptr, options).network, plain.network);
    EXPECT_FALSE(train(taught, nullptr, options).network == plain.network);
}

// Row i of the teacher must be met with row i of the inputs in every order of visit.
TEST(Distillation, LearnsWhatTheTeacherSaysAndTheDataDoNot) {
    TrainingRows rows = test::easy_rows(1000, 1);
    for (Eigen::Index i = 0; i < rows.size(); ++i) {
        const float half_effect = rows.inputs(i, 1) > 0 ? 0.5F : -0.5F;  // by another input than the outcomes go by
        rows.teacher.push_back(-half_effect);
        rows.teacher.push_back(half_effect);
        rows.teacher_weight.push_back(1);
    }
    // Outcomes of any size say nothing of the level to one that listens to the teacher alone.
    for (float& outcome : rows.outcome) outcome += 1000;
    TrainOptions options;
    options.hidden = {16};
    options.learning_rate = 1e-2;
    options.teacher_share = 1;
    const ReluNetwork student = train(rows, nullptr, options).network;
    const TrainingRows others = test::easy_rows(500, 2);
    const std::vector<int> prescribed = argmin_rows(forward(student, others.inputs.cast<double>()));
    int right = 0;
    for (std::size_t i = 0; i < prescribed.size(); ++i)
        right += (prescribed[i] == 1) == (others.inputs(static_cast<Eigen::Index>(i), 1) <= 0) ? 1 : 0;
    EXPECT_GT(right, 470);
}

TEST(Distillation, RefusesATeacherThatDoesNotSpeakOfEveryRowAndTreatment) {
    Rng rng(1, Draw::test);
    const TrainingRows rows = taught_rows(rng, 20, 3, 2);
    TrainOptions options;
    options.hidden = {3};
    const auto refuses = [&](auto change) {
        TrainingRows changed = rows;
        change(changed);
        EXPECT_THROW((void)train(changed, nullptr, options), Error);
        EXPECT_THROW((void)train(rows, &changed, options), Error);
    };
    refuses([](TrainingRows& r) { r.teacher.pop_back(); });
    refuses([](TrainingRows& r) { r.teacher.clear(); });
    refuses([](TrainingRows& r) { r.teacher_weight.clear(); });
    refuses([](TrainingRows& r) { r.teacher_weight.push_back(1); });
    for (const double share : {-0.1, 1.1, std::nan("")}) {
        options.teacher_share = share;
        EXPECT_THROW((void)train(rows, nullptr, options), Error);
    }
}

}  // namespace
}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Every kernel of training, on every SIMD target of this machine, bit for bit against its slow twin.
#include "polyrx/train/train_kernel.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "tests/support/kernel_targets.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/slow_kernels.hpp"

namespace polyrx {
namespace {

using test::random_matrix_f;

constexpr float junk = 777;  // where a kernel must not look, or not write

// One layer and a batch, plain and as the kernels want it. Some inputs are 0 in every row, as neurons that are off
// are, and some neurons have no slope in any row; kernels are told of most of them.
struct Scene {
    LayerShape shape;
    std::size_t rows = 0;
    MatrixF in;       // rows x inputs
    MatrixF weights;  // inputs x neurons
    VectorF bias;
    MatrixF slopes;  // rows x neurons
    std::vector<LiveNeuron> live_in;
    std::vector<LiveNeuron> live;

    [[nodiscard]] Live inputs() const { return {live_in.data(), live_in.size() - 1}; }
    [[nodiscard]] Live inputs_and_ones() const { return live_in; }

    [[nodiscard]] AlignedFloats parameters() const {
        const std::size_t stride = padded(shape.neurons);
        AlignedFloats flat((shape.inputs + 1) * stride);
        for (std::size_t input = 0; input <= shape.inputs; ++input)
            for (std::size_t neuron = 0; neuron < shape.neurons; ++neuron) {
                const auto i = static_cast<Eigen::Index>(input);
                const auto n = static_cast<Eigen::Index>(neuron);
                flat[input * stride + neuron] = input == shape.inputs ? bias[n] : weights(i, n);
            }
        return flat;
    }

    [[nodiscard]] AlignedFloats in_lanes() const {
        AlignedFloats lanes = to_lanes(in, shape.inputs + 1);
        std::fill_n(lanes.begin() + static_cast<std::ptrdiff_t>(shape.inputs * batch_lanes), batch_lanes, 1.0F);
        return lanes;
    }

    [[nodiscard]] AlignedFloats slope_lanes() const {
        AlignedFloats lanes = to_lanes(slopes, padded(shape.neurons));
        std::fill(lanes.begin() + static_cast<std::ptrdiff_t>(shape.neurons * batch_lanes), lanes.end(), 0.0F);
        return lanes;
    }

    // Column by column, with junk in the lanes that no row has.
    static AlignedFloats to_lanes(const MatrixF& matrix, std::size_t columns) {
        AlignedFloats lanes(columns * batch_lanes, junk);
        for (Eigen::Index row = 0; row < matrix.rows(); ++row)
            for (Eigen::Index column = 0; column < matrix.cols(); ++column)
                lanes[static_cast<std::size_t>(column) * batch_lanes + static_cast<std::size_t>(row)] =
                    matrix(row, column);
        return lanes;
    }
};

// Of every number the bits, since == takes -0 for 0.
std::vector<std::uint32_t> bits(const MatrixF& matrix) {
    std::vector<std::uint32_t> all;
    for (const auto& row : matrix.rowwise())
        for (const float value : row) all.push_back(std::bit_cast<std::uint32_t>(value));
    return all;
}

MatrixF from_lanes(const AlignedFloats& lanes, std::size_t rows, std::size_t columns) {
    MatrixF matrix(rows, columns);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
                lanes[column * batch_lanes + row];
    return matrix;
}

// Makes some columns 0, and returns the others, and some of those that are 0.
std::vector<LiveNeuron> kill_some(Rng& rng, MatrixF& columns, std::size_t next_neurons) {
    std::vector<LiveNeuron> live;
    for (Eigen::Index column = 0; column < columns.cols(); ++column) {
        const bool dead = rng.bernoulli(0.3);
        if (dead) columns.col(column).setZero();
        if (!dead || rng.bernoulli(0.2)) live.emplace_back(static_cast<std::size_t>(column), next_neurons);
    }
    return live;
}

Scene make_scene(std::uint64_t seed, LayerShape shape, std::size_t rows) {
    Rng rng(seed, Draw::test);
    const auto inputs = static_cast<Eigen::Index>(shape.inputs);
    const auto neurons = static_cast<Eigen::Index>(shape.neurons);
    const auto batch = static_cast<Eigen::Index>(rows);
    Scene scene{shape,
                rows,
                random_matrix_f(rng, batch, inputs),
                random_matrix_f(rng, inputs, neurons),
                random_matrix_f(rng, neurons, 1).col(0),
                random_matrix_f(rng, batch, neurons),
                {},
                {}};
    scene.live_in = kill_some(rng, scene.in, shape.neurons);
    scene.live_in.emplace_back(shape.inputs, shape.neurons);
    scene.live = kill_some(rng, scene.slopes, 1);
    return scene;
}

// Calls use(scene) for odd shapes, whole vectors, one more and one less, and random ones.
template <class Use>
void for_each_shape(Use use) {
    std::vector<Scene> scenes = {
        make_scene(1, {1, 1}, 1),       make_scene(2, {20, 100}, 64), make_scene(3, {100, 100}, 64),
        make_scene(4, {100, 3}, 64),    make_scene(5, {15, 16}, 17),  make_scene(6, {17, 15}, 63),
        make_scene(7, {5, 6}, 16),      make_scene(8, {7, 113}, 33),  make_scene(9, {300, 299}, 50),
        make_scene(10, {299, 300}, 64), make_scene(11, {1, 300}, 2),  make_scene(12, {300, 1}, 64),
    };
    for (std::uint64_t seed = 100; seed < 130; ++seed) {
        Rng rng(seed, Draw::test);
        // Small ones often: that is where the edges are.
        const std::uint64_t most = seed % 3 == 0 ? 300 : 40;
        const LayerShape shape{1 + rng.below(most), 1 + rng.below(most)};
        scenes.push_back(make_scene(seed, shape, 1 + rng.below(batch_lanes)));
    }
    for (const Scene& scene : scenes) {
        SCOPED_TRACE(testing::Message() << scene.shape.inputs << " inputs, " << scene.shape.neurons << " neurons, "
                                        << scene.rows << " rows");
        use(scene);
    }
}

TEST(TrainKernel, ForwardIsBitForBitItsSlowTwin) {
    test::for_each_target([] {
        for_each_shape([](const Scene& scene) {
            for (const bool relu : {false, true}) {
                AlignedFloats out(scene.shape.neurons * batch_lanes + 16, junk);
                forward_layer(LayerPart(scene.shape), scene.rows, scene.parameters().data(), scene.in_lanes().data(),
                              scene.inputs_and_ones(), relu, out.data());
                EXPECT_EQ(bits(from_lanes(out, scene.rows, scene.shape.neurons)),
                          bits(test::slow_forward_layer(scene.in, scene.weights, scene.bias, relu)));
                EXPECT_EQ(out[scene.shape.neurons * batch_lanes], junk) << "it wrote behind the last neuron";
            }
        });
    });
}

TEST(TrainKernel, InputGradientIsBitForBitItsSlowTwinWithZerosInThePadding) {
    test::for_each_target([] {
        for_each_shape([](const Scene& scene) {
            AlignedFloats in_slopes(padded(scene.shape.inputs) * batch_lanes + 16, junk);
            input_gradient(LayerPart(scene.shape), scene.rows, scene.parameters().data(), scene.slope_lanes().data(),
                           scene.live, scene.in_lanes().data(), scene.inputs(), in_slopes.data());
            EXPECT_EQ(bits(from_lanes(in_slopes, scene.rows, scene.shape.inputs)),
                      bits(test::slow_input_gradient(scene.slopes, scene.weights, scene.in)));
            for (std::size_t i = scene.shape.inputs * batch_lanes; i < padded(scene.shape.inputs) * batch_lanes; ++i)
                ASSERT_EQ(in_slopes[i], 0.0F);
            EXPECT_EQ(in_slopes[padded(scene.shape.inputs) * batch_lanes], junk) << "it wrote behind the padding";
        });
    });
}

TEST(TrainKernel, WeightGradientIsBitForBitItsSlowTwinAndAddsWhenAsked) {
    test::for_each_target([] {
        for_each_shape([](const Scene& scene) {
            const std::size_t stride = padded(scene.shape.neurons);
            const MatrixF expected = test::slow_weight_gradient(scene.in, scene.slopes);
            const VectorF expected_bias = test::slow_bias_gradient(scene.slopes);
            for (const bool add : {false, true}) {
                AlignedFloats gradient((scene.shape.inputs + 1) * stride + 16, add ? 0.25F : junk);
                gradient[(scene.shape.inputs + 1) * stride] = junk;
                AlignedFloats scratch(batch_lanes * stride, junk);
                weight_gradient(LayerPart(scene.shape), scene.rows, scene.in_lanes().data(), scene.inputs_and_ones(),
                                scene.slope_lanes().data(), add, scratch.data(), gradient.data());
                const float before = add ? 0.25F : 0.0F;
                for (std::size_t input = 0; input <= scene.shape.inputs; ++input)
                    for (std::size_t neuron = 0; neuron < stride; ++neuron) {
                        const auto i = static_cast<Eigen::Index>(input);
                        const auto n = static_cast<Eigen::Index>(neuron);
                        const float sum = neuron >= scene.shape.neurons ? 0.0F
                                          : input == scene.shape.inputs ? expected_bias[n]
                                                                        : expected(i, n);
                        ASSERT_EQ(gradient[input * stride + neuron], before + sum) << input << ", " << neuron;
                    }
                EXPECT_EQ(gradient[(scene.shape.inputs + 1) * stride], junk) << "it wrote behind the gradient";
            }
        });
    });
}

TEST(TrainKernel, FindsTheNeuronsThatAreOnInSomeRow) {
    test::for_each_target([] {
        for_each_shape([](const Scene& scene) {
            // The lanes behind the rows are 0 here, so nothing is live for their sake.
            AlignedFloats lanes = scene.in_lanes();
            for (float& value : lanes) value = value == junk ? 0.0F : std::max(value, 0.0F);
            std::vector<std::size_t> expected;
            for (Eigen::Index input = 0; input < scene.in.cols(); ++input)
                if (scene.in.col(input).maxCoeff() > 0) expected.push_back(static_cast<std::size_t>(input));
            std::vector<LiveNeuron> live(scene.shape.inputs + 1);
            live.resize(find_live({0, scene.shape.inputs}, scene.shape.neurons, scene.rows, lanes.data(), live.data()));
            std::vector<std::size_t> found;
            for (const LiveNeuron& one : live) {
                found.push_back(one.number);
                EXPECT_EQ(one.lanes_at, one.number * batch_lanes);
                EXPECT_EQ(one.weights_at, one.number * padded(scene.shape.neurons));
            }
            EXPECT_EQ(found, expected);
        });
    });
}

TEST(TrainKernel, AdamsReciprocalIsRightToTheLastDigitOrTwo) {
    Rng rng(1, Draw::test);
    for (int round = 0; round < 100'000; ++round) {
        const auto value = static_cast<float>(std::exp(rng.uniform(std::log(1e-8), std::log(1e15))));
        EXPECT_NEAR(test::slow_reciprocal(value) * static_cast<double>(value), 1, 1.5e-7);
    }
}

TEST(TrainKernel, AdamStandsStillWhereTheSecondMomentIsInfinite) {
    test::for_each_target([] {
        AlignedFloats parameters(16, 0.5F);
        AlignedFloats first(16, 1.0F);
        AlignedFloats second(16, std::numeric_limits<float>::infinity());
        const AlignedFloats gradient(16, 1.0F);
        const AdamStep step{.keep1 = 0.9F,
                            .take1 = 0.1F,
                            .keep2 = 0.999F,
                            .take2 = 0.001F,
                            .per_root = 1,
                            .tiny = 1e-8F,
                            .rate = 1e-2F,
                            .keep = 1};
        adam_step(step, 16, gradient.data(), parameters.data(), first.data(), second.data());
        for (const float parameter : parameters) EXPECT_EQ(parameter, 0.5F);
    });
}

TEST(TrainKernel, AdamIsBitForBitItsSlowTwinAndLeavesPaddingAtZero) {
    test::for_each_target([] {
        Rng rng(1, Draw::test);
        constexpr std::size_t size = 112;
        constexpr std::size_t used = 100;
        AlignedFloats parameters(size);
        AlignedFloats first(size);
        AlignedFloats second(size);
        AlignedFloats gradient(size);
        std::vector<test::SlowAdam> slow(size);
        for (std::size_t i = 0; i < used; ++i) parameters[i] = slow[i].parameter = static_cast<float>(rng.normal());
        for (int t = 1; t <= 30; ++t) {
            AdamStep step{.keep1 = 0.9F, .take1 = 0.1F, .keep2 = 0.999F, .take2 = 0.001F, .tiny = 1e-8F, .keep = 0.99F};
            step.per_root = static_cast<float>(1 / std::sqrt(1 - std::pow(0.999, t)));
            step.rate = static_cast<float>(1e-2 / (1 - std::pow(0.9, t)));
            for (std::size_t i = 0; i < used; ++i) {
                gradient[i] = t % 7 == 0 ? 0.0F : static_cast<float>(rng.normal());
                slow[i].step(step, gradient[i]);
            }
            adam_step(step, size, gradient.data(), parameters.data(), first.data(), second.data());
        }
        for (std::size_t i = 0; i < size; ++i) {
            EXPECT_EQ(parameters[i], slow[i].parameter);
            EXPECT_EQ(first[i], slow[i].first);
            EXPECT_EQ(second[i], slow[i].second);
        }
    });
}

}  // namespace
}  // namespace polyrx

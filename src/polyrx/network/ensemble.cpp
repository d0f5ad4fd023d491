// SPDX-License-Identifier: Apache-2.0
#include "polyrx/network/ensemble.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/core/error.hpp"

namespace polyrx {
namespace {

void check(std::span<const ReluNetwork> members) {
    if (members.empty()) throw usage_error("an ensemble needs at least one network");
    const ReluNetwork& first = members.front();
    for (const ReluNetwork& member : members) {
        if (member.layers().empty()) throw usage_error("a member of an ensemble has no layers");
        if (member.inputs() != first.inputs() || member.outputs() != first.outputs())
            throw usage_error(fmt::format(
                "the members of an ensemble must have the same numbers of inputs and outputs: one has {} and {}, "
                "another {} and {}",
                first.inputs(), first.outputs(), member.inputs(), member.outputs()));
    }
}

// The same function with at least one hidden layer.
std::vector<Layer> with_hidden_layer(const ReluNetwork& member) {
    if (member.layers().size() > 1) return member.layers();
    const Layer& affine = member.layers().front();
    const Eigen::Index outputs = member.outputs();
    Layer pairs{Matrix(2 * outputs, member.inputs()), Vector(2 * outputs)};
    pairs.weights << affine.weights, -affine.weights;
    pairs.bias << affine.bias, -affine.bias;
    Layer difference{Matrix(outputs, 2 * outputs), Vector::Zero(outputs)};
    difference.weights << Matrix::Identity(outputs, outputs), -Matrix::Identity(outputs, outputs);
    return {std::move(pairs), std::move(difference)};
}

// The same function with `layers` layers, including the output layer.
std::vector<Layer> deepened(const ReluNetwork& member, std::size_t layers) {
    std::vector<Layer> deep = with_hidden_layer(member);
    const Eigen::Index width = deep.back().weights.cols();
    const Layer copies{Matrix::Identity(width, width), Vector::Zero(width)};
    deep.insert(deep.end() - 1, layers - deep.size(), copies);
    return deep;
}

// Joins the layers at one place. First layers share their inputs; later ones read only their own member.
Layer side_by_side(std::span<const std::vector<Layer>> members, std::size_t place) {
    Eigen::Index neurons = 0;
    Eigen::Index reads = 0;
    for (const auto& member : members) {
        neurons += member[place].weights.rows();
        reads += member[place].weights.cols();
    }
    const bool shared = place == 0;
    Layer all{Matrix::Zero(neurons, shared ? members.front().front().weights.cols() : reads), Vector(neurons)};
    Eigen::Index row = 0;
    Eigen::Index column = 0;
    for (const auto& member : members) {
        const Layer& layer = member[place];
        all.weights.block(row, column, layer.weights.rows(), layer.weights.cols()) = layer.weights;
        all.bias.segment(row, layer.bias.size()) = layer.bias;
        row += layer.weights.rows();
        if (!shared) column += layer.weights.cols();
    }
    return all;
}

// The mean of the output layers. Each reads its own member's last hidden layer.
Layer mean_output(std::span<const std::vector<Layer>> members) {
    const auto count = static_cast<double>(members.size());
    Eigen::Index reads = 0;
    for (const auto& member : members) reads += member.back().weights.cols();
    const Eigen::Index outputs = members.front().back().weights.rows();
    Layer mean{Matrix(outputs, reads), Vector::Zero(outputs)};
    Eigen::Index column = 0;
    for (const auto& member : members) {
        const Layer& layer = member.back();
        mean.weights.middleCols(column, layer.weights.cols()) = layer.weights / count;
        mean.bias += layer.bias / count;
        column += layer.weights.cols();
    }
    return mean;
}

ReluNetwork mean_of_affine(std::span<const ReluNetwork> members) {
    const auto count = static_cast<double>(members.size());
    Layer mean{Matrix::Zero(members.front().outputs(), members.front().inputs()),
               Vector::Zero(members.front().outputs())};
    for (const ReluNetwork& member : members) {
        mean.weights += member.layers().front().weights / count;
        mean.bias += member.layers().front().bias / count;
    }
    return ReluNetwork({std::move(mean)});
}

}  // namespace

ReluNetwork ensemble(std::span<const ReluNetwork> members) {
    check(members);
    if (members.size() == 1) return members.front();
    std::size_t deepest = 0;
    for (const ReluNetwork& member : members) deepest = std::max(deepest, member.layers().size());
    if (deepest == 1) return mean_of_affine(members);

    std::vector<std::vector<Layer>> deep;
    deep.reserve(members.size());
    for (const ReluNetwork& member : members) deep.push_back(deepened(member, deepest));
    std::vector<Layer> layers;
    for (std::size_t place = 0; place + 1 < deepest; ++place) layers.push_back(side_by_side(deep, place));
    layers.push_back(mean_output(deep));
    return ReluNetwork(std::move(layers));
}

}  // namespace polyrx

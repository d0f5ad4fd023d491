// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/cells/influence.hpp"

#include <algorithm>
#include <vector>

namespace polyrx {

Eigen::Index most_influential(const Cell& cell, const Cell::Undecided& undecided) {
    const auto& layers = cell.ground().network.layers();
    const Matrix& output = layers.back().weights;
    // The derivative of the largest gap with respect to the last hidden layer, then the layers before.
    std::vector<Eigen::Index> compared;
    for (int k = 0; k < static_cast<int>(output.rows()); ++k)
        if (has(cell.compared(), k)) compared.push_back(k);
    const Matrix weights = output(compared, Eigen::all);
    Vector influence = (weights.colwise().maxCoeff() - weights.colwise().minCoeff()).transpose();
    for (std::size_t layer = cell.bounds().size() - 1; layer > undecided.layer; --layer) {
        Vector before = Vector::Zero(layers[layer].weights.cols());
        for (Eigen::Index i = 0; i < influence.size(); ++i)
            if (cell.bounds()[layer].upper[i] > 0)
                before += influence[i] * layers[layer].weights.row(i).cwiseAbs().transpose();
        influence = before;
    }
    const NeuronBounds& bounds = cell.bounds()[undecided.layer];
    Eigen::Index best = undecided.neurons.front();
    double most = -1;
    for (const Eigen::Index neuron : undecided.neurons) {
        // The height of the triangle between relu(z), its chord and the bounds: the error of leaving the neuron
        // undecided.
        const double low = bounds.lower[neuron];
        const double high = bounds.upper[neuron];
        const double cost = influence[neuron] * -low * high / (high - low);
        if (cost > most) {
            most = cost;
            best = neuron;
        }
    }
    return best;
}

Eigen::Index most_relaxed(const Cell& cell, const Cell::Undecided& undecided,
                          const std::vector<LayerFunction>& functions, const Vector& point) {
    const Relaxation& relaxation = cell.ground().relaxation;
    const NeuronBounds& bounds = cell.bounds()[undecided.layer];
    Vector rising = Vector::Zero(bounds.lower.size());
    Vector falling = rising;
    for (const LayerFunction& function : functions) {
        const Vector weights = relaxation.weights_on(undecided.layer, function, cell.bounds());
        rising += weights.cwiseMax(0);
        falling -= weights.cwiseMin(0);
    }
    Eigen::Index best = -1;
    double most = 0;
    for (const Eigen::Index neuron : undecided.neurons) {
        const double low = bounds.lower[neuron];
        const double high = bounds.upper[neuron];
        const double z = std::clamp(cell.function_of(undecided.layer, neuron)(point), low, high);
        const double relu = std::max(z, 0.0);
        const double above = high * (z - low) / (high - low) - relu;
        const double below = relu - (high > -low ? z : 0);
        const double cost = rising[neuron] * above + falling[neuron] * below;
        if (cost <= most) continue;
        most = cost;
        best = neuron;
    }
    return best < 0 ? most_influential(cell, undecided) : best;
}

}  // namespace polyrx

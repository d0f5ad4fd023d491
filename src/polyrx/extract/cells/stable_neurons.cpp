// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/cells/stable_neurons.hpp"

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/extract/cells/cell.hpp"

namespace polyrx {
namespace {

constexpr double room_for_neuron_rounding = 8;
constexpr Eigen::Index rows_at_once = 4096;  // the values of a layer for all rows might not fit into memory

}  // namespace

NeuronStates proved_states(const ReluNetwork& network, const Domain& domain, const Progress& progress) {
    Budget budget({}, progress);
    const Ground ground(network, domain, budget);
    Cell everywhere(ground);
    everywhere.tighten();
    NeuronStates states;
    for (std::size_t layer = 0; layer < everywhere.bounds().size(); ++layer) {
        const NeuronBounds& bounds = everywhere.bounds()[layer];
        std::vector<NeuronState> of_layer;
        for (Eigen::Index i = 0; i < bounds.lower.size(); ++i) {
            const double beyond = room_for_neuron_rounding * ground.errors[layer][i];
            of_layer.push_back(bounds.upper[i] <= -beyond  ? NeuronState::off
                               : bounds.lower[i] >= beyond ? NeuronState::on
                                                           : NeuronState::varies);
        }
        states.push_back(std::move(of_layer));
    }
    return states;
}

NeuronStates seen_states(const ReluNetwork& network, const Matrix& rows) {
    if (rows.rows() == 0) throw usage_error("finding neurons that are always on or off needs at least one row");
    const std::size_t hidden = network.layers().size() - 1;
    std::vector<std::vector<char>> ever_on(hidden);
    std::vector<std::vector<char>> ever_off(hidden);
    for (std::size_t layer = 0; layer < hidden; ++layer) {
        ever_on[layer].resize(static_cast<std::size_t>(network.layers()[layer].bias.size()));
        ever_off[layer].resize(ever_on[layer].size());
    }
    for (Eigen::Index first = 0; first < rows.rows(); first += rows_at_once) {
        Matrix values = rows.middleRows(first, std::min(rows_at_once, rows.rows() - first));
        for (std::size_t layer = 0; layer < hidden; ++layer) {
            // Layer by layer, the forward pass gives identical bits.
            values = forward(ReluNetwork({network.layers()[layer]}), values);
            for (Eigen::Index row = 0; row < values.rows(); ++row)
                for (Eigen::Index i = 0; i < values.cols(); ++i) {
                    const bool on = values(row, i) > 0;
                    (on ? ever_on : ever_off)[layer][static_cast<std::size_t>(i)] = 1;
                    if (!on) values(row, i) = 0;
                }
        }
    }
    NeuronStates states(hidden);
    for (std::size_t layer = 0; layer < hidden; ++layer)
        for (std::size_t i = 0; i < ever_on[layer].size(); ++i)
            states[layer].push_back(!ever_on[layer][i]    ? NeuronState::off
                                    : !ever_off[layer][i] ? NeuronState::on
                                                          : NeuronState::varies);
    return states;
}

}  // namespace polyrx

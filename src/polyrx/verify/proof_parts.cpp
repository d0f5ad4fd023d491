// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/proof_parts.hpp"

#include "polyrx/core/error.hpp"

namespace polyrx::checking {

void check_names(const std::vector<BoundProof>& bounds, const ReluNetwork& network) {
    for (const BoundProof& bound : bounds) {
        if (bound.of == BoundProof::Of::half_space) continue;  // belongs to rules, not to the network
        Eigen::Index count = network.inputs();
        if (bound.of == BoundProof::Of::neuron) {
            if (bound.layer < 0 || bound.layer + 1 >= static_cast<int>(network.layers().size()))
                throw data_error("a certificate bounds a neuron of a hidden layer that the network does not have");
            count = network.layers()[static_cast<std::size_t>(bound.layer)].weights.rows();
        }
        if (bound.index < 0 || bound.index >= count)
            throw data_error("a certificate bounds an input or a neuron that the network does not have");
    }
}

LinearForm lagrangian(LinearForm form, const std::vector<Multiplier>& multipliers, const Constraints& constraints) {
    for (const auto& [constraint, y] : multipliers) {
        const Constraint& s = constraints[static_cast<std::size_t>(constraint)];
        const Interval signed_y = y * s.sign;  // exact
        for (std::size_t j = 0; j < form.weights.size(); ++j)
            form.weights[j] = form.weights[j] + signed_y * s.function->weights[static_cast<Eigen::Index>(j)];
        form.constant = form.constant + signed_y * s.function->constant - Interval(y) * s.margin;
    }
    return form;
}

void narrow(Known& known, const std::vector<BoundProof>& proofs, const Constraints& constraints,
            const LinearBounds& bounds, Eigen::Index inputs) {
    bool news = false;
    for (const BoundProof& proof : proofs) {
        if (proof.of != BoundProof::Of::input) continue;
        LinearForm x{std::vector<Interval>(static_cast<std::size_t>(inputs)), 0};
        x.weights[static_cast<std::size_t>(proof.index)] = proof.upper ? 1 : -1;
        const double bound = greatest(lagrangian(std::move(x), proof.multipliers, constraints), known.box);
        const bool narrower =
            proof.upper ? known.box.narrow_upper(proof.index, bound) : known.box.narrow_lower(proof.index, -bound);
        news = news || narrower;
        if (known.box.is_empty()) return;
    }
    for (std::size_t layer = 0; layer < known.neurons.size(); ++layer) {
        if (news) bounds.narrow_layer(known, layer);
        for (const BoundProof& proof : proofs) {
            if (proof.of != BoundProof::Of::neuron || static_cast<std::size_t>(proof.layer) != layer) continue;
            const LinearForm z = bounds.neuron(layer, proof.index);
            LinearForm over_inputs = bounds.over_inputs(proof.upper ? z : -z, layer, known);
            const double bound =
                greatest(lagrangian(std::move(over_inputs), proof.multipliers, constraints), known.box);
            Interval& now = known.neurons[layer][static_cast<std::size_t>(proof.index)];
            const Interval before = now;
            now = both(now, proof.upper ? Interval(-infinity, bound) : Interval(-bound, infinity));
            news = news || !(now == before);
        }
    }
}

std::optional<double> gap_by_order(const ReluNetwork& network, int treatment, int rival,
                                   const std::vector<char>& live) {
    const Layer& output = network.layers().back();
    const bool hidden = network.layers().size() > 1;  // otherwise the values are inputs, which may be below 0
    bool any = false;
    for (std::size_t j = 0; j < live.size(); ++j) {
        if (!live[j]) continue;
        const double ours = output.weights(treatment, static_cast<Eigen::Index>(j));
        const double theirs = output.weights(rival, static_cast<Eigen::Index>(j));
        if (ours > theirs || (!hidden && ours < theirs)) return {};
        any = true;
    }
    const double gap = output.bias[treatment] - output.bias[rival];  // its sign is exact
    if (any && !(treatment < rival && gap <= 0)) return {};          // the computed outcomes may be equal
    return any ? 0 : gap;
}

}  // namespace polyrx::checking

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/replay.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/verify/rounding.hpp"

namespace polyrx::checking {
namespace {

using Constraints = std::vector<Constraint>;
using Multipliers = std::vector<Multiplier>;

// A step of the certificate, with what is proved before it.
struct Pending {
    std::size_t step = 0;
    Known known;
    HalfSpaceSums sums;
    Constraints constraints;
};

void check_names(const ProofStep& step, const ReluNetwork& network, const RuleClaims& rules) {
    for (const BoundProof& bound : step.bounds) {
        if (bound.of == BoundProof::Of::half_space) {
            if (bound.index < 0 || static_cast<std::size_t>(bound.index) >= rules.half_spaces())
                throw data_error("a certificate bounds a half-space that the rules do not have");
            continue;
        }
        Eigen::Index count = network.inputs();
        if (bound.of == BoundProof::Of::neuron) {
            if (bound.layer < 0 || bound.layer + 1 >= static_cast<int>(network.layers().size()))
                throw data_error("a certificate bounds a neuron of a hidden layer that the network does not have");
            count = network.layers()[static_cast<std::size_t>(bound.layer)].weights.rows();
        }
        if (bound.index < 0 || bound.index >= count)
            throw data_error("a certificate bounds an input or a neuron that the network does not have");
    }
    // A comparison with the leaf's own treatment proves nothing, and a relabelled leaf has one: it is for compare() to
    // say where that leaf is wrong.
    for (const ComparisonProof& comparison : step.comparisons)
        if (comparison.rival < 0 || comparison.rival >= network.outputs())
            throw data_error("a certificate compares with a treatment that the network does not have");
}

// Weak duality: where all s_i(x) >= 0, and for y_i >= 0, form(x) <= form(x) + sum_i y_i s_i(x).
LinearForm lagrangian(LinearForm form, const Multipliers& multipliers, const Constraints& constraints) {
    for (const auto& [constraint, y] : multipliers) {
        const Constraint& s = constraints[static_cast<std::size_t>(constraint)];
        const Interval signed_y = y * s.sign;  // exact
        for (std::size_t j = 0; j < form.weights.size(); ++j)
            form.weights[j] = form.weights[j] + signed_y * s.function->weights[static_cast<Eigen::Index>(j)];
        form.constant = form.constant + signed_y * s.function->constant - Interval(y) * s.margin;
    }
    return form;
}

// Learns the bounds of a step. Inputs first, then half-spaces, then layer after layer, since each rests on those
// before.
void narrow(Pending& now, const std::vector<BoundProof>& proofs, const RuleClaims& rules, const LinearBounds& bounds,
            Eigen::Index inputs) {
    Known& known = now.known;
    const Constraints& constraints = now.constraints;
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
    for (const BoundProof& proof : proofs) {
        if (proof.of != BoundProof::Of::half_space) continue;
        const auto index = static_cast<std::size_t>(proof.index);
        LinearForm sum = rules.sum(index);
        if (!proof.upper) sum = -std::move(sum);
        const double bound = greatest(lagrangian(std::move(sum), proof.multipliers, constraints), known.box);
        now.sums[index] = both(now.sums[index], proof.upper ? Interval(-infinity, bound) : Interval(-bound, infinity));
    }
    for (std::size_t layer = 0; layer < known.neurons.size(); ++layer) {
        if (news) bounds.narrow_layer(known, layer);
        for (const BoundProof& proof : proofs) {
            if (proof.of != BoundProof::Of::neuron || static_cast<std::size_t>(proof.layer) != layer) continue;
            const LinearForm z = bounds.neuron(layer, proof.index);
            LinearForm over_inputs = bounds.over_inputs(proof.upper ? z : -z, layer, known);
            const double bound =
                greatest(lagrangian(std::move(over_inputs), proof.multipliers, constraints), known.box);
            Interval& z_range = known.neurons[layer][static_cast<std::size_t>(proof.index)];
            const Interval before = z_range;
            z_range = both(z_range, proof.upper ? Interval(-infinity, bound) : Interval(-bound, infinity));
            news = news || !(z_range == before);
        }
    }
}

// Rounding never swaps two numbers, and both outcomes are summed in the same order. So if what comes in is at least 0,
// no weight of ours on it is above the rival's and neither is our bias, then each computed partial sum, and the
// outcome, is not above the rival's either. What is exactly 0 does not count; if all is, the outcomes are the biases.
// Returns a bound of the computed difference, or nothing if this proves nothing.
std::optional<double> gap_by_order(const ReluNetwork& network, int treatment, int rival,
                                   const std::vector<char>& live) {
    const Layer& output = network.layers().back();
    const bool hidden = network.layers().size() > 1;  // else inputs come in, and they may be below 0
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

void fail(Replay& result, Failure failure) {
    result.holds = false;
    result.failure = failure;
    result.gap = infinity;
    result.rival = -1;
    result.corner = {};
}

// What the rules say of the claim. Returns the rivals that are left to compare with.
TreatmentSet ask_rules(const RuleClaims::Verdict& verdict, int treatment, Replay& result) {
    if (treatment == no_treatment) {
        if (verdict.perhaps_allowed != 0) fail(result, Failure::rules);
        return 0;
    }
    if (!has(verdict.surely_allowed, treatment)) fail(result, Failure::rules);
    return verdict.perhaps_allowed & ~(TreatmentSet{1} << treatment);
}

// Compares with every rival. Where a proof is missing, one without multipliers stands in.
void compare(const ReluNetwork& network, const LinearBounds& bounds, const Pending& now,
             const std::vector<ComparisonProof>& proofs, int treatment, TreatmentSet rivals, Replay& result) {
    if (rivals == 0) return;
    const Known& known = now.known;
    const std::size_t hidden = network.layers().size() - 1;
    const ForwardError error = forward_error(network, known);
    for (int rival = 0; rival < static_cast<int>(network.outputs()); ++rival) {
        if (!has(rivals, rival)) continue;
        LinearForm difference = bounds.neuron(hidden, treatment);  // f_k - f_j
        const LinearForm other = bounds.neuron(hidden, rival);
        for (std::size_t i = 0; i < other.weights.size(); ++i)
            difference.weights[i] = difference.weights[i] - other.weights[i];
        difference.constant = difference.constant - other.constant;
        difference = bounds.over_inputs(std::move(difference), hidden, known);
        for (const ComparisonProof& proof : proofs)
            if (proof.rival == rival) {
                difference = lagrangian(std::move(difference), proof.multipliers, now.constraints);
                break;
            }
        // computed_k - computed_j <= (f_k - f_j) + |computed_k - f_k| + |computed_j - f_j| <= gap
        const double rounding = add_up(error.outcomes[static_cast<std::size_t>(treatment)],
                                       error.outcomes[static_cast<std::size_t>(rival)]);
        double gap = add_up(greatest(difference, known.box), rounding);
        if (rounding < infinity) gap = std::min(gap, gap_by_order(network, treatment, rival, error.live).value_or(gap));
        const bool holds = treatment < rival ? gap <= 0 : gap < 0;  // ties go to the lower index

        const bool worse = holds == result.holds ? gap > result.gap || result.rival < 0 : result.holds;
        if (!worse) continue;
        result.holds = holds;
        if (!holds) result.failure = Failure::comparison;
        result.gap = gap;
        result.rival = rival;
        if (!holds) result.corner = known.box.corner(difference.weights);
    }
}

}  // namespace

Replay replay(const ReluNetwork& network, const RuleClaims& rules, const LinearBounds& bounds, const Known& known,
              const Claim& claim, const Certificate& certificate) {
    for (const ProofStep& step : certificate.steps) check_names(step, network, rules);
    Replay result;
    std::vector<Pending> pending{{0, known, rules.unknown(), claim.constraints}};
    while (!pending.empty()) {
        Pending now = std::move(pending.back());
        pending.pop_back();
        const ProofStep& step = certificate.steps[now.step];
        ++result.steps;
        if (!now.known.is_empty()) narrow(now, step.bounds, rules, bounds, network.inputs());
        if (now.known.is_empty()) continue;  // no row at all: the claim holds of each
        if (now.step == 0 && !claim.rules.empty()) {
            const RuleClaims::Verdict verdict = rules.verdict(now.known.box, now.sums);
            for (const int rule : claim.rules)
                if (!verdict.applies[static_cast<std::size_t>(rule)]) fail(result, Failure::listed);
        }
        if (!step.cases) {
            const RuleClaims::Verdict verdict = rules.verdict(now.known.box, now.sums);
            const TreatmentSet rivals = ask_rules(verdict, claim.treatment, result);
            compare(network, bounds, now, step.comparisons, claim.treatment, rivals, result);
            continue;
        }
        // Every row has function >= 0 or function <= 0, so it is enough to prove both cases.
        Pending no{static_cast<std::size_t>(step.cases->no), now.known, now.sums, now.constraints};
        no.constraints.push_back({&step.cases->function, -1, 0});
        now.constraints.push_back({&step.cases->function, 1, 0});
        now.step = static_cast<std::size_t>(step.cases->yes);
        pending.push_back(std::move(no));
        pending.push_back(std::move(now));
    }
    return result;
}

}  // namespace polyrx::checking

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/replay.hpp"

#include <algorithm>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/verify/rounding.hpp"

namespace polyrx::checking {
namespace {

// A step of the certificate, with what is proved before it.
struct PendingStep {
    std::size_t step = 0;
    Known known;
    HalfSpaceSums sums;
    Constraints constraints;
};

void check_names(const ProofStep& step, const ReluNetwork& network, const RuleClaims& rules) {
    for (const BoundProof& bound : step.bounds)
        if (bound.of == BoundProof::Of::half_space &&
            (bound.index < 0 || static_cast<std::size_t>(bound.index) >= rules.half_spaces()))
            throw data_error("a certificate bounds a half-space that the rules do not have");
    checking::check_names(step.bounds, network);
    // A comparison with the leaf's own treatment proves nothing. A relabeled leaf has one; compare() reports what is
    // wrong there.
    for (const ComparisonProof& comparison : step.comparisons)
        if (comparison.rival < 0 || comparison.rival >= network.outputs())
            throw data_error("a certificate compares with a treatment that the network does not have");
}

// Adds the bounds of a step: inputs and neurons, then half-spaces of rules.
void narrow(PendingStep& now, const std::vector<BoundProof>& proofs, const RuleClaims& rules,
            const LinearBounds& bounds, Eigen::Index inputs) {
    checking::narrow(now.known, proofs, now.constraints, bounds, inputs);
    if (now.known.is_empty()) return;
    for (const BoundProof& proof : proofs) {
        if (proof.of != BoundProof::Of::half_space) continue;
        const auto index = static_cast<std::size_t>(proof.index);
        LinearForm sum = rules.sum(index);
        if (!proof.upper) sum = -std::move(sum);
        const double bound = greatest(lagrangian(std::move(sum), proof.multipliers, now.constraints), now.known.box);
        now.sums[index] = both(now.sums[index], proof.upper ? Interval(-infinity, bound) : Interval(-bound, infinity));
    }
}

void fail(Replay& result, Failure failure) {
    result.holds = false;
    result.failure = failure;
    result.gap = infinity;
    result.rival = -1;
    result.corner = {};
}

// Checks the claim against the rules. Returns the rivals that remain to be compared.
TreatmentSet ask_rules(const RuleClaims::Verdict& verdict, int treatment, Replay& result) {
    if (treatment == no_treatment) {
        if (verdict.perhaps != 0) fail(result, Failure::rules);
        return 0;
    }
    if (!has(verdict.surely, treatment)) fail(result, Failure::rules);
    return verdict.perhaps & ~(TreatmentSet{1} << treatment);
}

// Compares with every rival. A missing proof counts as one without multipliers.
void compare(const ReluNetwork& network, const LinearBounds& bounds, const PendingStep& now,
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
        const bool holds = prefers(treatment, rival, gap);

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
    std::vector<PendingStep> pending{{0, known, rules.unknown(), claim.constraints}};
    while (!pending.empty()) {
        PendingStep now = std::move(pending.back());
        pending.pop_back();
        const ProofStep& step = certificate.steps[now.step];
        ++result.steps;
        if (!now.known.is_empty()) narrow(now, step.bounds, rules, bounds, network.inputs());
        if (now.known.is_empty()) continue;  // no rows left
        if (now.step == 0 && (!claim.rules.empty() || !claim.unsupported.empty())) {
            const RuleClaims::Verdict verdict = rules.verdict(now.known.box, now.sums);
            for (const int rule : claim.rules)
                if (!verdict.applies[static_cast<std::size_t>(rule)]) fail(result, Failure::listed);
            for (const int treatment : claim.unsupported)
                if (!has(verdict.unsupported, treatment)) fail(result, Failure::listed);
        }
        if (!step.cases) {
            const RuleClaims::Verdict verdict = rules.verdict(now.known.box, now.sums);
            const TreatmentSet rivals = ask_rules(verdict, claim.treatment, result);
            compare(network, bounds, now, step.comparisons, claim.treatment, rivals, result);
            continue;
        }
        // Every row has function >= 0 or function <= 0, so proving both cases suffices.
        PendingStep no{static_cast<std::size_t>(step.cases->no), now.known, now.sums, now.constraints};
        no.constraints.push_back({&step.cases->function, -1, 0});
        now.constraints.push_back({&step.cases->function, 1, 0});
        now.step = static_cast<std::size_t>(step.cases->yes);
        pending.push_back(std::move(no));
        pending.push_back(std::move(now));
    }
    return result;
}

}  // namespace polyrx::checking

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/cells/prove.hpp"

#include <cmath>

#include "polyrx/extract/cells/influence.hpp"
#include "polyrx/rules/choose.hpp"

namespace polyrx {
namespace {

// The function that separates two cases.
struct Division {
    AffineFunction function;
    std::size_t layer = 0;
    Eigen::Index neuron = -1;  // if the function is a neuron, otherwise -1
    int half_space = -1;       // if the function is a half-space, otherwise -1
};

// The rules on a cell that is being proved. An undecided half-space is divided twice, slightly beyond its border on
// either side. Rows in between are proved for both truths.
struct RuleState {
    explicit RuleState(const RuleGround& ground)
        : truths(ground), divided_above(ground.half_spaces.size()), done(ground.half_spaces.size()) {}

    RuleTruths truths;
    std::vector<char> divided_above;
    std::vector<char> done;  // nothing more to divide by
};

class LeafProver {
public:
    LeafProver(const RuleGround& rules, int treatment, std::size_t most_cases)
        : rules_(rules), treatment_(treatment), cases_left_(most_cases) {}

    // Appends the step that proves the cell and the steps of its cases. Returns false if there is no proof.
    bool prove(Cell cell, RuleState state) {
        const std::size_t index = certificate.steps.size();
        certificate.steps.emplace_back();
        ProofStep step;
        state.truths.learn(cell, &step.bounds);
        state.truths.learn_support(cell, treatment_, &step.bounds);
        const TreatmentSet rivals = state.truths.perhaps_supported() & ~bit_of(treatment_);
        cell.compare_only(rivals | bit_of(treatment_));
        if (try_proof(cell, step, state.truths, rivals)) {
            certificate.steps[index] = std::move(step);
            return true;
        }
        // Only a row refutes the claim: points between whole numbers may have other prescriptions.
        const Vector center = cell.center();
        if (contains(cell.ground().domain, center) && prescribed_at(cell.ground().network, center) != treatment_)
            return false;
        const std::optional<Division> found = division_of(cell, state);
        if (!found || cases_left_ == 0) return false;
        --cases_left_;
        Cases cases{found->function, 0, 0};
        step.comparisons.clear();
        for (const bool yes : {true, false}) {
            Cell part = cell;
            (yes ? cases.yes : cases.no) = static_cast<int>(certificate.steps.size());
            if (!part.constrain(yes ? cases.function : -cases.function)) {
                if (!prove_empty(part)) return false;
                continue;
            }
            if (found->neuron >= 0) part.settle(found->layer, found->neuron, yes);
            if (!prove(std::move(part), divided(state, *found, yes))) return false;
        }
        step.cases = std::move(cases);
        certificate.steps[index] = std::move(step);
        return true;
    }

    // The same for a cell that its last constraint makes empty.
    bool prove_empty(const Cell& cell) {
        std::optional<BoundProof> proof = cell.nothing_left();
        if (!proof) return false;
        certificate.steps.emplace_back().bounds.push_back(std::move(*proof));
        return true;
    }

    Certificate certificate;

private:
    static TreatmentSet bit_of(int treatment) {
        return treatment == no_treatment ? TreatmentSet{0} : TreatmentSet{1} << treatment;
    }

    [[nodiscard]] int prescribed_at(const ReluNetwork& network, const Vector& point) const {
        return choose(rules_.bound, point.transpose(), forward(network, point.transpose())).front();
    }

    // Tries a proof without cases. On failure, the cell and the step keep the bounds found so far.
    bool try_proof(Cell& cell, ProofStep& step, const RuleTruths& truths, TreatmentSet rivals) const {
        const bool by_rules = treatment_ == no_treatment ? rivals == 0 : has(truths.surely_supported(), treatment_);
        Cell narrowed = cell;
        ProofStep other = step;
        if (by_rules) {
            if (rivals == 0) return true;
            cell.tighten(&step.bounds);
            if (compare(cell, step, rivals)) return true;
        }
        // Narrowing takes two linear programs per input. It pays for whole numbers and if later layers are relaxed.
        if (!narrowed.narrow_inputs(Cell::Narrow::all, &other.bounds)) return false;
        if (narrowed.is_empty()) {  // no row is left to compare
            step = std::move(other);
            return true;
        }
        if (by_rules) narrowed.tighten(&other.bounds);
        cell = std::move(narrowed);
        step = std::move(other);
        return by_rules && compare(cell, step, rivals);
    }

    // Chooses what to divide by: an undecided half-space of a rule or support that matters; else the most influential
    // undecided neuron; else the middle of an interval between two whole numbers where a comparison failed.
    [[nodiscard]] std::optional<Division> division_of(const Cell& cell, const RuleState& state) const {
        if (const auto open = state.truths.first_open(cell.compared(), state.done))
            return division_by(open->half_space, state);
        if (treatment_ != no_treatment)
            if (const auto open = state.truths.first_open_support(only(treatment_), state.done))
                return division_by(*open, state);
        const Cell::Undecided undecided = cell.undecided();
        if (!undecided.neurons.empty()) {
            const Eigen::Index neuron = most_influential(cell, undecided);
            return Division{cell.function_of(undecided.layer, neuron), undecided.layer, neuron};
        }
        if (const auto open = state.truths.first_open_support(cell.compared(), state.done))
            return division_by(*open, state);
        const std::optional<Eigen::Index> input = cell.fractional_input();
        if (!input) return std::nullopt;
        Division between{{Vector::Unit(cell.ground().domain.inputs(), *input), 0}};
        between.function.constant = -std::floor(cell.vertex()[*input]) - 0.5;
        return between;
    }

    [[nodiscard]] Division division_by(std::size_t half_space, const RuleState& state) const {
        const RuleSplit& split = rules_.half_spaces[half_space].split;
        Division by{split.function, 0, -1, static_cast<int>(half_space)};
        if (!split.whole) by.function.constant += state.divided_above[half_space] ? split.margin : -split.margin;
        return by;
    }

    // What remains to divide by in one of the two cases.
    [[nodiscard]] RuleState divided(RuleState state, const Division& by, bool yes) const {
        if (by.half_space < 0) return state;
        const auto half_space = static_cast<std::size_t>(by.half_space);
        const bool second = state.divided_above[half_space] || rules_.half_spaces[half_space].split.whole;
        if (yes || second) state.done[half_space] = 1;
        state.divided_above[half_space] = 1;
        return state;
    }

    [[nodiscard]] bool compare(Cell& cell, ProofStep& step, TreatmentSet rivals) const {
        step.comparisons.clear();
        const auto treatments = static_cast<int>(cell.ground().network.outputs());
        for (int rival = 0; rival < treatments; ++rival) {
            if (!has(rivals, rival)) continue;
            Bounded gap = cell.outcome_gap(treatment_, rival);
            if (!cell.proves(treatment_, rival, gap.bound)) return false;
            if (!gap.multipliers.empty()) step.comparisons.push_back({rival, std::move(gap.multipliers)});
        }
        return true;
    }

    const RuleGround& rules_;
    int treatment_;
    std::size_t cases_left_;
};

}  // namespace

std::optional<Certificate> prove_leaf(const Cell& cell, const RuleGround& rules, int treatment,
                                      std::size_t most_cases) {
    LeafProver prover(rules, treatment, most_cases);
    if (!prover.prove(cell, RuleState(rules))) return std::nullopt;
    return std::move(prover.certificate);
}

std::optional<Certificate> prove_empty_leaf(const Cell& cell) {
    std::optional<BoundProof> proof = cell.nothing_left();
    if (!proof) return std::nullopt;
    Certificate certificate;
    certificate.steps.emplace_back().bounds.push_back(std::move(*proof));
    return certificate;
}

}  // namespace polyrx

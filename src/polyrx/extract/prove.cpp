// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/prove.hpp"

#include <cmath>

#include "polyrx/extract/influence.hpp"

namespace polyrx {
namespace {

class Prover {
public:
    Prover(int treatment, std::size_t most_cases) : treatment_(treatment), cases_left_(most_cases) {}

    // Adds the step that proves the cell, and those of its cases. False if there is no proof.
    bool prove(Cell cell) {
        const std::size_t index = certificate.steps.size();
        certificate.steps.emplace_back();
        Cell narrowed = cell;
        ProofStep step;
        cell.tighten(&step.bounds);
        if (compare(cell, step)) {
            certificate.steps[index] = std::move(step);
            return true;
        }
        // Narrowing the inputs first costs two linear programs for each, and pays where they are whole numbers or
        // later layers are relaxed.
        ProofStep other;
        if (narrowed.narrow_inputs(Cell::Narrow::all, &other.bounds)) {
            if (narrowed.is_empty()) {  // nothing to compare: there is no row
                certificate.steps[index] = std::move(other);
                return true;
            }
            narrowed.tighten(&other.bounds);
            cell = std::move(narrowed);
            step = std::move(other);
            if (compare(cell, step)) {
                certificate.steps[index] = std::move(step);
                return true;
            }
        }
        // Between whole numbers the network may do what it likes: no row is there.
        const Vector centre = cell.centre();
        if (contains(cell.ground().domain, centre) && prescription_at(cell.ground().network, centre) != treatment_)
            return false;
        std::optional<Division> found = division_of(cell);
        if (!found || cases_left_ == 0) return false;
        --cases_left_;
        Cases cases;
        cases.function = std::move(found->function);
        step.comparisons.clear();
        for (const bool yes : {true, false}) {
            Cell part = cell;
            (yes ? cases.yes : cases.no) = static_cast<int>(certificate.steps.size());
            if (!part.constrain(yes ? cases.function : -cases.function)) {
                if (!prove_empty(part)) return false;
                continue;
            }
            if (found->neuron >= 0) part.settle(found->layer, found->neuron, yes);
            if (!prove(std::move(part))) return false;
        }
        step.cases = std::move(cases);
        certificate.steps[index] = std::move(step);
        return true;
    }

    // The same for a cell that its last constraint leaves without rows.
    bool prove_empty(const Cell& cell) {
        std::optional<BoundProof> proof = cell.nothing_left();
        if (!proof) return false;
        certificate.steps.emplace_back().bounds.push_back(std::move(*proof));
        return true;
    }

    Certificate certificate;

private:
    // What two cases are distinguished by.
    struct Division {
        AffineFunction function;
        std::size_t layer = 0;
        Eigen::Index neuron = -1;  // if it is one
    };

    // On one side of it more is known than of both: the most influential undecided neuron, or else, where a comparison
    // failed between two whole numbers, the middle of them.
    [[nodiscard]] static std::optional<Division> division_of(const Cell& cell) {
        const Cell::Undecided undecided = cell.undecided();
        if (!undecided.neurons.empty()) {
            const Eigen::Index neuron = most_influential(cell, undecided);
            return Division{cell.function_of(undecided.layer, neuron), undecided.layer, neuron};
        }
        const std::optional<Eigen::Index> input = cell.fractional_input();
        if (!input) return std::nullopt;
        Division between{{Vector::Unit(cell.ground().domain.inputs(), *input), 0}};
        between.function.constant = -std::floor(cell.vertex()[*input]) - 0.5;
        return between;
    }

    [[nodiscard]] bool compare(Cell& cell, ProofStep& step) const {
        step.comparisons.clear();
        const auto treatments = static_cast<int>(cell.ground().network.outputs());
        for (int rival = 0; rival < treatments; ++rival) {
            if (rival == treatment_) continue;
            Bounded gap = cell.outcome_gap(treatment_, rival);
            if (!cell.proves(treatment_, rival, gap.bound)) return false;
            if (!gap.multipliers.empty()) step.comparisons.push_back({rival, std::move(gap.multipliers)});
        }
        return true;
    }

    int treatment_;
    std::size_t cases_left_;
};

}  // namespace

std::optional<Certificate> prove_leaf(const Cell& cell, int treatment, std::size_t most_cases) {
    Prover prover(treatment, most_cases);
    if (!prover.prove(cell)) return std::nullopt;
    return std::move(prover.certificate);
}

std::optional<Certificate> prove_empty_leaf(const Cell& cell) {
    Prover prover(0, 0);
    if (!prover.prove_empty(cell)) return std::nullopt;
    return std::move(prover.certificate);
}

}  // namespace polyrx

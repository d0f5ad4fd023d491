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
        std::optional<AffineFunction> function = case_function(cell);
        if (!function || cases_left_ == 0) return false;
        --cases_left_;
        Cases cases;
        cases.function = std::move(*function);
        step.comparisons.clear();
        for (const bool yes : {true, false}) {
            Cell part = cell;
            if (!part.constrain(yes ? cases.function : -cases.function)) return false;
            (yes ? cases.yes : cases.no) = static_cast<int>(certificate.steps.size());
            if (!prove(std::move(part))) return false;
        }
        step.cases = std::move(cases);
        certificate.steps[index] = std::move(step);
        return true;
    }

    Certificate certificate;

private:
    // On one side of it more is known than of both: the most influential undecided neuron, or else, where a comparison
    // failed between two whole numbers, the middle of them.
    [[nodiscard]] static std::optional<AffineFunction> case_function(const Cell& cell) {
        const Cell::Undecided undecided = cell.undecided();
        if (!undecided.neurons.empty()) return cell.function_of(undecided.layer, most_influential(cell, undecided));
        const std::optional<Eigen::Index> input = cell.fractional_input();
        if (!input) return std::nullopt;
        AffineFunction between{Vector::Zero(cell.ground().domain.inputs()), 0};
        between.weights[*input] = 1;
        between.constant = -std::floor(cell.vertex()[*input]) - 0.5;
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

}  // namespace polyrx

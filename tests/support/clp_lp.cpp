// SPDX-License-Identifier: Apache-2.0
#include "tests/support/clp_lp.hpp"
#include "polyrx/core/infinity.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace polyrx::test {
// Clp's tolerances are absolute, so every input counts from 0 to 1 and every row has a largest coefficient of 1.
struct ClpLp::Model {
    ClpSimplex clp;
    Vector shift;  // input = shift + range * column
    Vector range;

    struct Row {
        std::vector<double> weights;
        double constant;
        double scale;
    };
    [[nodiscard]] Row scaled(const AffineFunction& function) const {
        Row row{std::vector<double>(static_cast<std::size_t>(shift.size())), function.constant, 0};
        for (Eigen::Index i = 0; i < shift.size(); ++i) {
            if (function.weights[i] == 0) continue;
            row.weights[static_cast<std::size_t>(i)] = function.weights[i] * range[i];
            row.constant += function.weights[i] * shift[i];
            row.scale = std::max(row.scale, std::abs(function.weights[i] * range[i]));
        }
        if (row.scale == 0) row.scale = std::max(std::abs(row.constant), 1.0);
        for (double& weight : row.weights) weight /= row.scale;
        row.constant /= row.scale;
        return row;
    }
};

ClpLp::ClpLp(const Domain& domain, const std::vector<AffineFunction>& nonnegative) : model_(std::make_unique<Model>()) {
    const Eigen::Index inputs = domain.inputs();
    ClpSimplex& clp = model_->clp;
    clp.setLogLevel(0);
    clp.setPrimalTolerance(1e-9);
    clp.setDualTolerance(1e-9);
    clp.setOptimizationDirection(-1);
    clp.resize(0, static_cast<int>(inputs));
    model_->shift = domain.lower;
    model_->range = domain.upper - domain.lower;
    std::vector<char> grouped(static_cast<std::size_t>(inputs));
    for (const auto& group : domain.groups) {
        std::vector<int> members;
        for (const Eigen::Index member : group) {
            grouped[static_cast<std::size_t>(member)] = 1;
            members.push_back(static_cast<int>(member));
            model_->shift[member] = 0;
            model_->range[member] = 1;
        }
        const std::vector<double> ones(members.size(), 1.0);
        clp.addRow(static_cast<int>(members.size()), members.data(), ones.data(), 1, 1);
    }
    for (Eigen::Index i = 0; i < inputs; ++i) {
        if (!std::isfinite(model_->range[i])) model_->shift[i] = model_->range[i] = 0;
        const bool member = grouped[static_cast<std::size_t>(i)] != 0;
        clp.setColumnBounds(static_cast<int>(i), member ? domain.lower[i] : 0, member ? domain.upper[i] : 1);
    }
    // Clp wants a row even where there is nothing to say.
    if (clp.numberRows() == 0) clp.addRow(0, nullptr, nullptr, -infinity, infinity);
    for (const AffineFunction& function : nonnegative) require(function);
}

ClpLp::~ClpLp() = default;

void ClpLp::require(const AffineFunction& nonnegative) {
    const Model::Row row = model_->scaled(nonnegative);
    std::vector<int> columns;
    std::vector<double> weights;
    for (std::size_t i = 0; i < row.weights.size(); ++i) {
        if (row.weights[i] == 0) continue;
        columns.push_back(static_cast<int>(i));
        weights.push_back(row.weights[i]);
    }
    model_->clp.addRow(static_cast<int>(columns.size()), columns.data(), weights.data(), -row.constant, infinity);
}

std::optional<ClpLp::Maximum> ClpLp::maximize(const AffineFunction& function) {
    ClpSimplex& clp = model_->clp;
    const Model::Row objective = model_->scaled(function);
    for (std::size_t i = 0; i < objective.weights.size(); ++i)
        clp.setObjectiveCoefficient(static_cast<int>(i), objective.weights[i]);
    // Start and finish options 0: whatever was kept from the last time is wrong once rows were added.
    clp.primal(0, 0);
    if (clp.status() != 0) {
        // From where it stood it now and then takes a polyhedron that is a single point for an empty one.
        clp.allSlackBasis(true);
        clp.dual(0, 0);
    }
    if (clp.status() == 1) return std::nullopt;
    if (clp.status() != 0) throw std::runtime_error("Clp ends with status " + std::to_string(clp.status()));
    Maximum result{0, Vector(model_->shift.size())};
    for (Eigen::Index i = 0; i < result.point.size(); ++i)
        result.point[i] = model_->shift[i] + model_->range[i] * clp.primalColumnSolution()[i];
    result.value = function(result.point);
    return result;
}

}  // namespace polyrx::test

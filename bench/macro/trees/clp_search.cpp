// SPDX-License-Identifier: Apache-2.0
#include "bench/macro/trees/clp_search.hpp"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/core/infinity.hpp"

namespace polyrx::bench {
namespace {

constexpr double thinnest = 1e-9;  // as in extract/enumerate.cpp

class Search {
public:
    // Inputs count from 0 to 1 and a row's largest weight is 1, as in Simplex.
    Search(const Layer& layer, const Domain& domain)
        : neurons_(static_cast<int>(layer.bias.size())), inputs_(static_cast<int>(domain.inputs())) {
        clp_.setLogLevel(0);
        clp_.setPrimalTolerance(1e-9);
        clp_.setDualTolerance(1e-9);
        clp_.scaling(0);
        clp_.resize(0, inputs_);
        std::vector<int> columns(static_cast<std::size_t>(inputs_));
        for (int i = 0; i < inputs_; ++i) {
            clp_.setColumnBounds(i, 0, 1);
            columns[static_cast<std::size_t>(i)] = i;
        }
        const Vector range = domain.upper - domain.lower;
        weights_ = layer.weights * range.asDiagonal();
        constant_ = layer.bias + layer.weights * domain.lower;
        for (Eigen::Index neuron = 0; neuron < neurons_; ++neuron) {
            const double largest = weights_.row(neuron).cwiseAbs().maxCoeff();
            weights_.row(neuron) /= largest;
            constant_[neuron] /= largest;
            const double* row = weights_.data() + neuron * inputs_;
            clp_.addRow(inputs_, columns.data(), row, -infinity, infinity);
        }
        clp_.primal(0, 0);
    }

    ClpCount run() {
        explore(0);
        return count_;
    }

private:
    struct Basis {
        std::vector<unsigned char> status;
        std::vector<double> columns;
        std::vector<double> rows;
    };

    [[nodiscard]] Basis basis() const {
        return {{clp_.statusArray(), clp_.statusArray() + neurons_ + inputs_},
                {clp_.primalColumnSolution(), clp_.primalColumnSolution() + inputs_},
                {clp_.primalRowSolution(), clp_.primalRowSolution() + neurons_}};
    }
    void restore(const Basis& basis) {
        std::copy(basis.status.begin(), basis.status.end(), clp_.statusArray());
        std::copy(basis.columns.begin(), basis.columns.end(), clp_.primalColumnSolution());
        std::copy(basis.rows.begin(), basis.rows.end(), clp_.primalRowSolution());
    }

    [[nodiscard]] double value(int neuron) const { return clp_.primalRowSolution()[neuron] + constant_[neuron]; }

    // Moves towards larger values (sign 1) or smaller ones (-1) of a neuron until they are beyond `thinnest`.
    bool reaches(int neuron, double sign) {
        const double* row = weights_.data() + static_cast<Eigen::Index>(neuron) * inputs_;
        for (int i = 0; i < inputs_; ++i) clp_.objective()[i] = -sign * row[i];
        clp_.setPrimalObjectiveLimit(sign * constant_[neuron] - thinnest);
        // Start and finish options 0: whatever was kept from the last time is wrong once bounds have changed.
        clp_.primal(0, 0);
        return sign * value(neuron) > thinnest;
    }

    void require(int neuron, double sign) {
        clp_.rowLower()[neuron] = sign > 0 ? -constant_[neuron] : -infinity;
        clp_.rowUpper()[neuron] = sign < 0 ? -constant_[neuron] : infinity;
    }

    void explore(int neuron) {
        if (neuron == neurons_) {
            ++count_.regions;
            return;
        }
        ++count_.questions;
        if (std::abs(value(neuron)) <= thinnest) reaches(neuron, 1);
        const double here = value(neuron) > thinnest ? 1 : -1;
        const Basis before = basis();
        if (!reaches(neuron, -here)) return explore(neuron + 1);
        require(neuron, -here);
        explore(neuron + 1);
        require(neuron, here);
        restore(before);
        explore(neuron + 1);
        clp_.rowLower()[neuron] = -infinity;
        clp_.rowUpper()[neuron] = infinity;
    }

    int neurons_;
    int inputs_;
    Matrix weights_;
    Vector constant_;
    ClpSimplex clp_;
    ClpCount count_;
};

}  // namespace

ClpCount count_patterns_with_clp(const ReluNetwork& network, const Domain& domain) {
    if (network.layers().size() != 2) throw usage_error("Clp counts the regions of networks with one hidden layer");
    return Search(network.layers().front(), domain).run();
}

}  // namespace polyrx::bench

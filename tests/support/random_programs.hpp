// SPDX-License-Identifier: Apache-2.0
// Linear programs that go wrong easily: degenerate vertices, parallel and repeated constraints, wild units.
#pragma once

#include <cmath>
#include <vector>

#include "polyrx/core/rng.hpp"
#include "tests/support/domains.hpp"

namespace polyrx::test {

struct RandomProgram {
    Domain domain;
    std::vector<AffineFunction> functions;  // to be required >= 0 one after the other, where that is possible
    std::vector<AffineFunction> objectives;
};

class RandomPrograms {
public:
    RandomPrograms(std::uint64_t seed, std::uint64_t index) : rng_(seed, Draw::test, index) {}

    // Most are small, since small ones have the most corner cases per second.
    [[nodiscard]] RandomProgram next() {
        RandomProgram program;
        const bool large = rng_.bernoulli(0.05);
        wild_ = rng_.bernoulli(0.3);
        add_inputs(program.domain, 1 + whole(large ? 40 : 6));
        center_ = uniform_row(rng_, program.domain);
        for (Eigen::Index i = 0; i < center_.size(); ++i)
            center_[i] = program.domain.lower[i] + (program.domain.upper[i] - program.domain.lower[i]) * 0.5;
        for (const auto& group : program.domain.groups)
            for (const Eigen::Index member : group) center_[member] = 1 / static_cast<double>(group.size());
        const Eigen::Index count = whole(large ? 60 : 15);
        const bool to_a_point = rng_.bernoulli(0.1);
        while (static_cast<Eigen::Index>(program.functions.size()) < count) add_function(program, to_a_point);
        for (int i = 0; i < 4; ++i) program.objectives.push_back(some_function(program.domain));
        if (count > 0) {
            const AffineFunction& again = program.functions[rng_.below(program.functions.size())];
            program.objectives.push_back(rng_.bernoulli(0.5) ? again : -again);
        }
        return program;
    }

    [[nodiscard]] Rng& rng() { return rng_; }

private:
    [[nodiscard]] Eigen::Index whole(Eigen::Index bound) {
        return static_cast<Eigen::Index>(rng_.below(static_cast<std::uint64_t>(bound)));
    }
    [[nodiscard]] double unit() { return wild_ ? std::pow(10, rng_.uniform(-3, 4)) : 1; }

    void add_inputs(Domain& domain, Eigen::Index count) {
        domain = box_domain(0, 0, 0);
        while (domain.inputs() < count) {
            const std::uint64_t kind = rng_.below(8);
            const double lower = rng_.bernoulli(0.5) ? 0 : rng_.normal() * unit();
            if (kind == 0)
                add_input(domain, lower, lower, false);
            else if (kind == 1)
                add_group(domain, 1 + whole(4));
            else if (kind == 2)
                add_input(domain, 0, 1, true);
            else
                add_input(domain, lower, lower + unit() * (rng_.bernoulli(0.5) ? 1 : rng_.uniform(0.1, 3)), false);
        }
    }

    // About as large in each input, in the units that it has.
    [[nodiscard]] AffineFunction some_function(const Domain& domain) {
        AffineFunction function{Vector::Zero(domain.inputs()), 0};
        const bool small_integers = rng_.bernoulli(0.3);  // many vertices with more than d constraints
        const double sparse = rng_.bernoulli(0.5) ? 0.5 : 0;
        const double size = unit();
        for (Eigen::Index i = 0; i < domain.inputs(); ++i) {
            if (rng_.bernoulli(sparse)) continue;
            const double range = domain.upper[i] - domain.lower[i];
            const double weight = small_integers ? static_cast<double>(whole(5)) - 2 : rng_.normal();
            function.weights[i] = weight * size / (range > 0 ? range : 1);
        }
        function.constant = small_integers ? size * static_cast<double>(whole(3)) : rng_.normal() * size;
        return function;
    }

    void through(AffineFunction& function, const Vector& point) { function.constant = -function.weights.dot(point); }

    void add_function(RandomProgram& program, bool to_a_point) {
        AffineFunction function = some_function(program.domain);
        if (to_a_point) {
            through(function, center_);
            program.functions.push_back(-function);
            program.functions.push_back(std::move(function));
            return;
        }
        const std::uint64_t kind = rng_.below(6);
        if (kind == 0 && !program.functions.empty()) {  // again, in other units, now and then the other way round
            const AffineFunction& before = program.functions[rng_.below(program.functions.size())];
            const double factor = unit() * (rng_.bernoulli(0.3) ? -1 : 1);
            function = {factor * before.weights, factor * before.constant};
            if (rng_.bernoulli(0.5)) function.constant += 0.1 * std::abs(factor) * rng_.normal();  // or parallel
        } else if (kind == 1) {
            through(function, uniform_row(rng_, program.domain));
        } else if (kind == 2) {  // a vertex of the box
            Vector vertex = uniform_row(rng_, program.domain);
            std::vector<char> grouped(static_cast<std::size_t>(vertex.size()));
            for (const auto& group : program.domain.groups)
                for (const Eigen::Index member : group) grouped[static_cast<std::size_t>(member)] = 1;
            for (Eigen::Index i = 0; i < vertex.size(); ++i)
                if (!grouped[static_cast<std::size_t>(i)])
                    vertex[i] = rng_.bernoulli(0.5) ? program.domain.lower[i] : program.domain.upper[i];
            through(function, vertex);
        } else if (kind == 3) {
            through(function, center_);
        }
        program.functions.push_back(std::move(function));
    }

    Rng rng_;
    bool wild_ = false;
    Vector center_;
};

}  // namespace polyrx::test

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/cells/idle_rules.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "polyrx/rules/choose.hpp"

namespace polyrx {
namespace {

constexpr Eigen::Index sample_rows = 1'000;

// The root above 1 of x^(d + 1) = x + 1. Multiples of the inverses of its powers, modulo 1, fill a cube of d dimensions
// evenly (Roberts 2018, "The unreasonable effectiveness of quasirandom sequences").
double generalized_golden_ratio(Eigen::Index dimensions) {
    double x = 2;
    for (int i = 0; i < 60; ++i) x = std::pow(1 + x, 1.0 / static_cast<double>(dimensions + 1));
    return x;
}

Matrix even_rows(const Domain& domain) {
    Matrix rows = Matrix::Zero(sample_rows, domain.inputs());
    const double ratio = generalized_golden_ratio(domain.inputs());
    for (Eigen::Index input = 0; input < domain.inputs(); ++input) {
        const double step = std::pow(ratio, -static_cast<double>(input + 1));
        const double low = domain.lower[input];
        const double high = domain.upper[input];
        if (!std::isfinite(low) || !std::isfinite(high)) continue;
        const bool whole = domain.integer[static_cast<std::size_t>(input)] != 0;
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            const double u = std::fmod(0.5 + step * static_cast<double>(i + 1), 1);
            rows(i, input) = std::min(whole ? std::floor(low + u * (high - low + 1)) : low + u * (high - low), high);
        }
    }
    for (const std::vector<Eigen::Index>& group : domain.groups) {
        std::vector<Eigen::Index> can;
        for (const Eigen::Index member : group)
            if (domain.upper[member] >= 1) can.push_back(member);
        if (can.empty()) continue;
        const double step = std::pow(ratio, -static_cast<double>(group.front() + 1));
        for (Eigen::Index i = 0; i < rows.rows(); ++i) {
            for (const Eigen::Index member : group) rows(i, member) = 0;
            const double u = std::fmod(0.5 + step * static_cast<double>(i + 1), 1);
            rows(i, can[static_cast<std::size_t>(u * static_cast<double>(can.size()))]) = 1;
        }
    }
    return rows;
}

}  // namespace

IdleRules::IdleRules(const ReluNetwork& network, const RuleGround& rules) {
    const std::vector<BoundRule>& bound = rules.bound.rules();
    if (bound.empty()) return;
    rows_ = even_rows(rules.domain);
    const Matrix outcomes = forward(network, rows_);
    applies_.assign(bound.size(), std::vector<char>(static_cast<std::size_t>(rows_.rows())));
    changes_ = applies_;
    for (Eigen::Index i = 0; i < rows_.rows(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        for (std::size_t rule = 0; rule < bound.size(); ++rule)
            applies_[rule][row] = bound[rule].applies.holds(rows_.row(i).data()) ? 1 : 0;
        for (std::size_t rule = 0; rule < bound.size(); ++rule) {
            if (!applies_[rule][row]) continue;
            TreatmentSet others = rules.numbered.all;
            for (std::size_t other = 0; other < bound.size(); ++other)
                if (other != rule && applies_[other][row]) others &= bound[other].allowed;
            const int best = best_of(others, outcomes.row(i));
            changes_[rule][row] = best != no_treatment && !has(bound[rule].allowed, best) ? 1 : 0;
        }
    }
}

IdleRules::Samples IdleRules::all() const {
    Samples samples(static_cast<std::size_t>(rows_.rows()));
    std::iota(samples.begin(), samples.end(), Eigen::Index{0});
    return samples;
}

IdleRules::Samples IdleRules::on_side(const Samples& samples, const AffineFunction& function, bool yes) const {
    Samples side;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(side),
                 [&](Eigen::Index row) { return (function(rows_.row(row).transpose()) > 0) == yes; });
    return side;
}

bool IdleRules::is_idle(std::size_t rule, const Samples& samples) const {
    const auto in = [&](const std::vector<char>& flags) {
        return [&flags](Eigen::Index row) { return flags[static_cast<std::size_t>(row)] != 0; };
    };
    return std::any_of(samples.begin(), samples.end(), in(applies_[rule])) &&
           std::none_of(samples.begin(), samples.end(), in(changes_[rule]));
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/box.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/core/error.hpp"

namespace polyrx::checking {

Box::Box(const Domain& domain)
    : domain_(&domain),
      lower_(domain.lower),
      upper_(domain.upper),
      grouped_(static_cast<std::size_t>(domain.inputs()), 0) {
    const Eigen::Index inputs = domain.inputs();
    if (domain.upper.size() != inputs || domain.integer.size() != static_cast<std::size_t>(inputs))
        throw data_error("the domain does not have two bounds and a kind for each input");
    for (const std::vector<Eigen::Index>& group : domain.groups) {
        for (const Eigen::Index input : group) {
            if (input < 0 || input >= inputs)
                throw data_error("a group of the domain names an input that does not exist");
            const auto i = static_cast<std::size_t>(input);
            if (grouped_[i]) throw data_error("the groups of the domain are not disjoint");
            if (!domain.integer[i] || !(lower_[input] >= 0) || !(upper_[input] <= 1))
                throw data_error("a group of the domain has an input that is not a 0/1 input");
            grouped_[i] = 1;
        }
    }
    for (Eigen::Index input = 0; input < inputs; ++input) {
        if (std::isnan(lower_[input]) || std::isnan(upper_[input]))
            throw data_error("a bound of the domain is not a number");
        if (domain.integer[static_cast<std::size_t>(input)]) {
            lower_[input] = std::ceil(lower_[input]);
            upper_[input] = std::floor(upper_[input]);
        }
    }
    for (const Domain::Fill& fill : domain.fills) {
        for (const Eigen::Index input : {fill.indicator, fill.input})
            if (input < 0 || input >= inputs)
                throw data_error("a fill value of the domain names an input that does not exist");
        if (!domain.integer[static_cast<std::size_t>(fill.indicator)] || !(lower_[fill.indicator] >= 0) ||
            !(upper_[fill.indicator] <= 1) || !std::isfinite(fill.value))
            throw data_error(
                "a missing-value indicator of the domain is not a 0/1 input, or its fill value is not finite");
    }
    for (Eigen::Index input = 0; input < inputs; ++input) settle(input);
}

void Box::settle(Eigen::Index input) {
    settle_fills_of(input);
    if (grouped_[static_cast<std::size_t>(input)]) settle_group_of(input);
}

void Box::settle_fills_of(Eigen::Index input) {
    for (const Domain::Fill& fill : domain_->fills) {
        if (fill.indicator != input && fill.input != input) continue;
        if (lower_[fill.indicator] >= 1) {
            narrow_lower(fill.input, fill.value);
            narrow_upper(fill.input, fill.value);
        } else if (fill.value < lower_[fill.input] || fill.value > upper_[fill.input]) {
            narrow_upper(fill.indicator, 0);
        }
    }
}

void Box::settle_group_of(Eigen::Index input) {
    for (const std::vector<Eigen::Index>& group : domain_->groups) {
        if (std::find(group.begin(), group.end(), input) == group.end()) continue;
        const std::vector<Eigen::Index> left = candidates(group);
        if (left.size() != 1) return;
        for (const Eigen::Index member : group)
            if (member != left.front()) upper_[member] = std::min(upper_[member], 0.0);
        lower_[left.front()] = 1;
    }
}

// Members that can be 1; only the one that must be, if there is one.
std::vector<Eigen::Index> Box::candidates(const std::vector<Eigen::Index>& group) const {
    std::vector<Eigen::Index> can;
    std::vector<Eigen::Index> must;
    for (const Eigen::Index input : group) {
        if (upper_[input] >= 1) can.push_back(input);
        if (lower_[input] >= 1) must.push_back(input);
    }
    if (must.size() > 1) return {};
    return must.empty() ? can : must;
}

bool Box::is_empty() const {
    if (!(lower_.array() <= upper_.array()).all()) return true;
    return std::any_of(domain_->groups.begin(), domain_->groups.end(),
                       [&](const std::vector<Eigen::Index>& group) { return candidates(group).empty(); });
}

bool Box::narrow_upper(Eigen::Index input, double bound) {
    if (domain_->integer[static_cast<std::size_t>(input)]) bound = std::floor(bound);
    if (!(bound < upper_[input])) return false;
    upper_[input] = bound;
    settle(input);
    return true;
}

bool Box::narrow_lower(Eigen::Index input, double bound) {
    if (domain_->integer[static_cast<std::size_t>(input)]) bound = std::ceil(bound);
    if (!(bound > lower_[input])) return false;
    lower_[input] = bound;
    settle(input);
    return true;
}

double Box::greatest(const std::vector<Interval>& r) const {
    double sum = 0;
    for (Eigen::Index input = 0; input < lower_.size(); ++input) {
        const auto i = static_cast<std::size_t>(input);
        if (!grouped_[i] && !r[i].is_zero()) sum = add_up(sum, (r[i] * (*this)[input]).upper);
    }
    for (const std::vector<Eigen::Index>& group : domain_->groups) {
        double largest = -infinity;
        for (const Eigen::Index input : candidates(group))
            largest = std::max(largest, r[static_cast<std::size_t>(input)].upper);
        sum = add_up(sum, largest);
    }
    return sum;
}

Vector Box::corner(const std::vector<Interval>& r) const {
    Vector x = Vector::Zero(lower_.size());
    for (Eigen::Index input = 0; input < lower_.size(); ++input) {
        const auto i = static_cast<std::size_t>(input);
        if (!grouped_[i]) x[input] = r[i].upper > -r[i].lower ? upper_[input] : lower_[input];
    }
    for (const std::vector<Eigen::Index>& group : domain_->groups) {
        const std::vector<Eigen::Index> can = candidates(group);
        const auto best = std::max_element(can.begin(), can.end(), [&](Eigen::Index a, Eigen::Index b) {
            return r[static_cast<std::size_t>(a)].upper < r[static_cast<std::size_t>(b)].upper;
        });
        if (best != can.end()) x[*best] = 1;
    }
    return x;
}

}  // namespace polyrx::checking

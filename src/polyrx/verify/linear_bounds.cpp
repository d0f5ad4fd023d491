// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/linear_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "polyrx/verify/rounding.hpp"

namespace polyrx::checking {
namespace {

// True for a 0/1 input in no group. Not shared with the code that makes trees, so that a mistake there is not repeated
// here.
bool is_free_binary(const Domain& domain, Eigen::Index input) {
    if (!domain.integer[static_cast<std::size_t>(input)] || domain.lower[input] != 0 || domain.upper[input] != 1)
        return false;
    for (const std::vector<Eigen::Index>& group : domain.groups)
        for (const Eigen::Index member : group)
            if (member == input) return false;
    return true;
}

// relu(z) of a first-layer neuron as a form over the inputs if its nonzero weights are on one group or on a single
// binary input. Otherwise returns no weights.
LinearForm as_linear(const Layer& layer, Eigen::Index index, const Domain& domain) {
    std::vector<Eigen::Index> used;
    for (Eigen::Index input = 0; input < domain.inputs(); ++input)
        if (layer.weights(index, input) != 0) used.push_back(input);
    if (used.empty()) return {};
    LinearForm form{std::vector<Interval>(static_cast<std::size_t>(domain.inputs())), 0};
    const Interval c = layer.bias[index];
    const auto with = [&](Eigen::Index input) { return relu(c + layer.weights(index, input)); };
    for (const std::vector<Eigen::Index>& group : domain.groups) {
        const bool inside = std::all_of(used.begin(), used.end(), [&](Eigen::Index input) {
            return std::find(group.begin(), group.end(), input) != group.end();
        });
        if (!inside) continue;
        // Exactly one member is 1: relu(c + sum_j w_j x_j) = sum_j relu(c + w_j) x_j.
        for (const Eigen::Index input : group) form.weights[static_cast<std::size_t>(input)] = with(input);
        return form;
    }
    if (used.size() != 1 || !is_free_binary(domain, used.front())) return {};
    // x is 0 or 1: relu(c + w x) = relu(c) + (relu(c + w) - relu(c)) x.
    form.constant = relu(c);
    form.weights[static_cast<std::size_t>(used.front())] = with(used.front()) - relu(c);
    return form;
}

// a relu(z) <= slope z + offset, for z in [l, u].
struct Relaxation {
    Interval slope;
    Interval offset;
};

Relaxation relax(const Interval& a, const Interval& z) {
    if (a.is_zero() || z.upper <= 0) return {0, 0};
    if (z.lower >= 0) return {a, 0};
    if (a.lower >= 0) {  // relu(z) <= u (z - l) / (u - l)
        const Interval slope = a * (Interval(z.upper) / (Interval(z.upper) - z.lower));
        return {slope, -(slope * z.lower)};
    }
    if (a.upper <= 0) {  // relu(z) >= z, and relu(z) >= 0: tree/certificate.hpp says which
        if (z.upper > -1.07 * z.lower) return {a, 0};
        return {0, 0};
    }
    // The sign of a is unknown due to rounding: a relu(z) <= max(a, 0) u.
    return {0, Interval(0, multiply_up(a.upper, z.upper))};
}

void add(LinearForm& sum, const Interval& factor, const LinearForm& form) {
    for (std::size_t j = 0; j < form.weights.size(); ++j) sum.weights[j] = sum.weights[j] + factor * form.weights[j];
    sum.constant = sum.constant + factor * form.constant;
}

// Sums the pre-activations of a layer, as forms over the layer before, each times any number in an interval. An
// interval for every product and partial sum would take most of the time of a check. Instead, with factors m_i + d_i
// and |d_i| <= r_i,
//     |sum_i (m_i + d_i) w_ij - computed sum_i m_i w_ij| <= sum_i (r_i + gamma |m_i|) |w_ij| + tiny,
// with gamma and tiny of rounding.hpp. The right side has nonnegative terms, so its computed value is too small by at
// most a relative gamma, plus tiny.
class SumOfNeurons {
public:
    // `most` is the maximum number of neurons to add.
    SumOfNeurons(const Layer& layer, std::ptrdiff_t most)
        : layer_(&layer),
          gamma_(gamma(most)),
          middle_(static_cast<std::size_t>(layer.weights.cols())),
          radius_(middle_.size()) {}

    void add(Eigen::Index neuron, const Interval& factor) {
        const double* weights = layer_->weights.data() + neuron * layer_->weights.cols();
        constant_ = constant_ + factor * layer_->bias[neuron];
        const double m = factor.lower / 2 + factor.upper / 2;  // need not be the exact midpoint
        const double r = std::max(add_up(factor.upper, -m), add_up(m, -factor.lower));
        const double share = add_up(r, multiply_up(gamma_, std::abs(m)));
        if (!(share < infinity)) {  // uses intervals for each product, because 0 times it is 0
            infinite_.resize(middle_.size());
            for (std::size_t j = 0; j < middle_.size(); ++j) infinite_[j] = infinite_[j] + factor * weights[j];
            return;
        }
        for (std::size_t j = 0; j < middle_.size(); ++j) {
            middle_[j] += m * weights[j];
            radius_[j] += share * std::abs(weights[j]);
        }
    }

    // `used` marks neurons of the layer before that have any weight. For others, the sum is 0.
    [[nodiscard]] LinearForm form(const std::vector<char>& used) const {
        LinearForm sum{std::vector<Interval>(middle_.size()), constant_};
        for (std::size_t j = 0; j < middle_.size(); ++j) {
            if (!used[j]) continue;
            const double radius = add_up(multiply_up(radius_[j], 1 + 4 * gamma_), 4 * tiny);
            const bool finite = std::abs(middle_[j]) < infinity && radius < infinity;
            sum.weights[j] = finite ? Interval(add_down(middle_[j], -radius), add_up(middle_[j], radius))
                                    : Interval(-infinity, infinity);
            if (!infinite_.empty()) sum.weights[j] = sum.weights[j] + infinite_[j];
        }
        return sum;
    }

private:
    const Layer* layer_;
    double gamma_;
    Interval constant_;
    std::vector<double> middle_;
    std::vector<double> radius_;
    std::vector<Interval> infinite_;  // the sum over infinite factors; empty if there are none
};

}  // namespace

LinearForm operator-(LinearForm form) {
    for (Interval& weight : form.weights) weight = -weight;
    form.constant = -form.constant;
    return form;
}

double greatest(const LinearForm& form, const Box& box) {
    return add_up(box.greatest(form.weights), form.constant.upper);
}

bool Known::is_empty() const {
    return box.is_empty() || std::any_of(neurons.begin(), neurons.end(), [](const std::vector<Interval>& layer) {
               return std::any_of(layer.begin(), layer.end(), [](const Interval& z) { return z.is_empty(); });
           });
}

LinearBounds::LinearBounds(const ReluNetwork& network, const Domain& domain) : network_(&network), domain_(&domain) {
    for (const Layer& layer : network.layers()) {
        used_.emplace_back(static_cast<std::size_t>(layer.weights.cols()));
        for (std::size_t j = 0; j < used_.back().size(); ++j)
            used_.back()[j] = (layer.weights.col(static_cast<Eigen::Index>(j)).array() != 0).any() ? 1 : 0;
    }
    if (network.layers().size() < 2) return;
    const Layer& first = network.layers().front();
    for (Eigen::Index index = 0; index < first.weights.rows(); ++index)
        linear_.push_back(as_linear(first, index, domain));
}

Known LinearBounds::of_domain() const {
    Known known{Box(*domain_), {}};
    for (std::size_t layer = 0; layer + 1 < network_->layers().size(); ++layer)
        known.neurons.emplace_back(static_cast<std::size_t>(network_->layers()[layer].weights.rows()),
                                   Interval(-infinity, infinity));
    for (std::size_t layer = 0; layer < known.neurons.size() && !known.is_empty(); ++layer) narrow_layer(known, layer);
    return known;
}

LinearForm LinearBounds::neuron(std::size_t layer, Eigen::Index index) const {
    const auto row = network_->layers()[layer].weights.row(index);
    return {{row.begin(), row.end()}, network_->layers()[layer].bias[index]};
}

bool LinearBounds::narrow_layer(Known& known, std::size_t layer) const {
    bool news = false;
    for (std::size_t i = 0; i < known.neurons[layer].size(); ++i) {
        const LinearForm form = neuron(layer, static_cast<Eigen::Index>(i));
        const Interval before = known.neurons[layer][i];
        Interval z = before;
        // First uses only the bounds of the layer before, which is cheap and decides most signs.
        if (layer > 0) {
            Interval sum = form.constant;
            for (std::size_t j = 0; j < form.weights.size(); ++j)
                sum = sum + form.weights[j] * relu(known.neurons[layer - 1][j]);
            z = both(z, sum);
        }
        if (layer == 0 || (z.lower < 0 && z.upper > 0)) {
            z = both(z, {-infinity, greatest(over_inputs(form, layer, known), known.box)});
            // The lower bound of an inactive neuron is not needed.
            if (z.upper > 0) z = both(z, {-greatest(over_inputs(-form, layer, known), known.box), infinity});
        }
        news = news || !(z == before);
        known.neurons[layer][i] = z;
    }
    return news;
}

// Back-substitutes from the outputs of a hidden layer to those of the layer before.
LinearForm LinearBounds::through(const LinearForm& form, std::size_t layer, const Known& known) const {
    SumOfNeurons sum(network_->layers()[layer],
                     std::count_if(form.weights.begin(), form.weights.end(),
                                   [](const Interval& weight) { return !weight.is_zero(); }));
    Interval constant = form.constant;
    LinearForm linear{std::vector<Interval>(layer == 0 ? used_[layer].size() : 0), 0};
    for (std::size_t i = 0; i < form.weights.size(); ++i) {
        if (form.weights[i].is_zero()) continue;
        if (layer == 0 && !linear_[i].weights.empty()) {
            add(linear, form.weights[i], linear_[i]);
            continue;
        }
        const Relaxation relaxed = relax(form.weights[i], known.neurons[layer][i]);
        constant = constant + relaxed.offset;
        if (!relaxed.slope.is_zero()) sum.add(static_cast<Eigen::Index>(i), relaxed.slope);
    }
    LinearForm next = sum.form(used_[layer]);
    for (std::size_t j = 0; j < linear.weights.size(); ++j) next.weights[j] = next.weights[j] + linear.weights[j];
    next.constant = next.constant + linear.constant + constant;
    return next;
}

LinearForm LinearBounds::over_inputs(LinearForm form, std::size_t layers, const Known& known) const {
    while (layers > 0) form = through(form, --layers, known);
    return form;
}

}  // namespace polyrx::checking

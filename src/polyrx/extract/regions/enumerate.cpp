// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/regions/enumerate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/geometry/simplex.hpp"
#include "polyrx/network/weighted_rows_kernel.hpp"

namespace polyrx {
namespace {

using Sign = Simplex::Sign;
using Answer = Simplex::Answer;

// Enough subtrees to share among threads. The number does not depend on that of threads, so neither does the order.
constexpr int branchings_per_task = 8;
// A task of a large network may never end, so it reports to its caller, who may throw, each time it finds this many.
constexpr std::size_t reported_at_once = 256;

// The neurons of one layer as functions of the inputs: row j has the weights of input j, the last row the constants.
// This layout lets composing the next layer add long rows.
using Composed = Matrix;

// For each neuron of a layer, its row in the polyhedron, or:
constexpr int decided = -1;  // decided when the search entered the layer
constexpr int later = -2;    // added when needed, and dropped again if it turns out to be decided

// The state of a search: the polyhedron, with undecided neurons of `layer` as rows, and the next neuron.
struct SearchPlace {
    Simplex polyhedron;
    std::size_t layer = 0;
    std::size_t neuron = 0;
    Pattern pattern;
    std::vector<int> row_of;
    Composed composed;
};

// The hidden layers, transposed: composing reads the weights of one input in sequence.
std::vector<Layer> hidden_layers(const ReluNetwork& network) {
    std::vector<Layer> hidden;
    for (std::size_t i = 0; i + 1 < network.layers().size(); ++i) {
        const Layer& layer = network.layers()[i];
        hidden.push_back({layer.weights.transpose(), layer.bias});
    }
    return hidden;
}

class Search {
public:
    // `layers` are hidden_layers() and must outlive the search. counted(n) reports n more patterns; found(pattern), if
    // set, receives each.
    explicit Search(const std::vector<Layer>& layers, std::function<void(std::size_t)> counted = {},
                    std::function<void(const Pattern&)> found = {})
        : layers_(layers), counted_(std::move(counted)), found_(std::move(found)) {}

    [[nodiscard]] SearchPlace start(const Domain& domain) const {
        SearchPlace place{Simplex(domain), 0, 0, {}, {}, {}};
        for (const Layer& layer : layers_) place.pattern.emplace_back(static_cast<std::size_t>(layer.bias.size()));
        if (layers_.empty()) return place;
        place.composed.resize(domain.inputs() + 1, layers_[0].bias.size());
        place.composed.topRows(domain.inputs()) = layers_[0].weights;
        place.composed.bottomRows(1) = layers_[0].bias.transpose();
        enter(place);
        return place;
    }

    // The first branchings of a search: the places below them, and patterns that are complete before, in order.
    [[nodiscard]] std::vector<SearchPlace> divide(SearchPlace place) {
        std::vector<SearchPlace> beyond;
        run(place, 0, &beyond);
        return beyond;
    }

    // Visits all patterns from here on.
    void explore(SearchPlace& place) {
        run(place, 0, nullptr);
        counted_(std::exchange(unreported_, 0));
    }

private:
    void count(std::size_t patterns) {
        unreported_ += patterns;
        if (unreported_ >= reported_at_once) counted_(std::exchange(unreported_, 0));
    }

    void run(SearchPlace& place, int branchings, std::vector<SearchPlace>* beyond) {
        for (;;) {
            if (!to_next_layer(place)) {
                if (beyond) {
                    beyond->push_back(place);
                    return;
                }
                if (found_) found_(place.pattern);
                return count(1);
            }
            auto& signs = place.pattern[place.layer];
            int row = place.row_of[place.neuron];
            if (row == decided) {
                ++place.neuron;
                continue;
            }
            const bool for_now = row == later;
            if (for_now) row = add_row(place, place.neuron);
            const double enough = thinnest * place.polyhedron.scale(row);
            if (std::abs(place.polyhedron.value(row)) <= enough)
                // The point is on the hyperplane: moves to the positive side if there is one.
                place.polyhedron.push(row, Sign::positive, enough);
            const bool here_on = place.polyhedron.value(row) > enough;
            const Sign away = here_on ? Sign::negative : Sign::positive;
            if (!beyond && !found_ && place.layer + 1 == layers_.size() && place.neuron + 1 == signs.size())
                // The last neuron: the polyhedron is not needed afterwards.
                return count(place.polyhedron.push(row, away, enough) == Answer::exceeds ? 2 : 1);
            Simplex& other = spare(branchings);
            other = place.polyhedron;
            signs[place.neuron] = here_on ? 1 : 0;
            if (other.push(row, away, enough) != Answer::exceeds) {
                if (for_now) place.polyhedron.drop_last();
                ++place.neuron;
                continue;
            }
            place.polyhedron.require(row, here_on ? Sign::positive : Sign::negative);
            other.require(row, away);
            if (here_on) std::swap(place.polyhedron, other);  // off comes before on

            const std::size_t layer = place.layer;
            const std::size_t neuron = place.neuron++;
            signs[neuron] = 0;
            ++branchings;
            if (beyond && branchings == branchings_per_task) {
                beyond->push_back(place);
            } else if (layer + 1 < layers_.size()) {
                SearchPlace off = place;
                run(off, branchings, beyond);
            } else {
                // Within the last layer, only the rest of the pattern and the polyhedron change.
                run(place, branchings, beyond);
            }
            std::swap(place.polyhedron, other);
            place.neuron = neuron + 1;
            place.pattern[layer][neuron] = 1;
            if (beyond && branchings == branchings_per_task) {
                beyond->push_back(place);
                return;
            }
        }
    }

    // One per level of the search; copying into it reuses memory.
    Simplex& spare(int level) {
        while (spares_.size() <= static_cast<std::size_t>(level)) spares_.emplace_back(Domain{});
        return spares_[static_cast<std::size_t>(level)];
    }

    // Returns false if all neurons of all layers are decided.
    [[nodiscard]] bool to_next_layer(SearchPlace& place) const {
        while (place.layer < layers_.size() && place.neuron == place.pattern[place.layer].size()) {
            if (place.layer + 1 == layers_.size()) return false;
            place.composed = compose(place);
            ++place.layer;
            place.neuron = 0;
            place.polyhedron.keep_required();
            enter(place);
        }
        return place.layer < layers_.size();
    }

    [[nodiscard]] Composed compose(const SearchPlace& place) const {
        const Layer& next = layers_[place.layer + 1];
        const auto& signs = place.pattern[place.layer];
        Composed result = Composed::Zero(place.composed.rows(), next.bias.size());
        result.bottomRows(1) = next.bias.transpose();
        std::vector<Eigen::Index> on;
        for (std::size_t i = 0; i < signs.size(); ++i)
            if (signs[i]) on.push_back(static_cast<Eigen::Index>(i));
        for (Eigen::Index line = 0; line < result.rows(); ++line)
            add_weighted_rows(next.weights, on, place.composed.data() + line * place.composed.cols(),
                              result.data() + line * result.cols());
        return result;
    }

    // If a tight box takes few linear programs relative to the number of neurons, the box decides most of them
    // (GEOMETRY: 114 -> 3.4 linear programs a region for 5x100 at d = 2). Creating a row later is then faster than
    // updating it in every pivot. Otherwise all rows are created at the start.
    static void enter(SearchPlace& place) {
        const Eigen::Index inputs = place.composed.rows() - 1;
        const Eigen::Index neurons = place.composed.cols();
        const bool few_inputs = 2 * static_cast<double>(inputs) < 0.3 * static_cast<double>(neurons);
        place.row_of.assign(static_cast<std::size_t>(neurons), later);
        if (few_inputs)
            settle_by_box(place);
        else
            for (std::size_t neuron = 0; neuron < place.row_of.size(); ++neuron)
                place.row_of[neuron] = add_row(place, neuron);
    }

    static int add_row(SearchPlace& place, std::size_t neuron) {
        const Eigen::Index inputs = place.composed.rows() - 1;
        const auto function = place.composed.col(static_cast<Eigen::Index>(neuron));
        return place.polyhedron.add({function.head(inputs), function[inputs]});
    }

    static void settle_by_box(SearchPlace& place) {
        const Eigen::Index inputs = place.composed.rows() - 1;
        const auto last = static_cast<std::size_t>(place.layer);
        Eigen::RowVectorXd center = place.composed.row(inputs);
        Eigen::RowVectorXd radius = Eigen::RowVectorXd::Zero(place.composed.cols());
        for (Eigen::Index input = 0; input < inputs; ++input) {
            constexpr double never = std::numeric_limits<double>::infinity();
            place.polyhedron.push_input(input, Sign::positive, never);
            const double high = place.polyhedron.input_value(input);
            place.polyhedron.push_input(input, Sign::negative, never);
            const double low = place.polyhedron.input_value(input);
            center += 0.5 * (low + high) * place.composed.row(input);
            radius += 0.5 * (high - low) * place.composed.row(input).cwiseAbs();
        }
        for (Eigen::Index neuron = 0; neuron < center.size(); ++neuron) {
            // The tolerance is that of the thinnest region that counts, so rounding here changes no decision.
            if (std::abs(center[neuron]) < radius[neuron] * (1 + thinnest)) continue;
            place.row_of[static_cast<std::size_t>(neuron)] = decided;
            place.pattern[last][static_cast<std::size_t>(neuron)] = center[neuron] > 0 ? 1 : 0;
        }
    }

    const std::vector<Layer>& layers_;
    std::function<void(std::size_t)> counted_;
    std::function<void(const Pattern&)> found_;
    std::size_t unreported_ = 0;  // patterns since counted_ was called
    std::deque<Simplex> spares_;
};

void check_most(std::size_t found, std::size_t most) {
    if (most > 0 && found > most)
        throw TooManyPatterns(ErrorKind::other,
                              fmt::format("there are more than {} activation pattern{}", most, most == 1 ? "" : "s"));
}

}  // namespace

std::size_t count_patterns(const ReluNetwork& network, const Domain& domain, const EnumerateOptions& options,
                           const Progress& progress) {
    const std::vector<Layer> layers = hidden_layers(network);
    Search first(layers);
    std::vector<SearchPlace> places = first.divide(first.start(domain));
    std::atomic<std::size_t> done{0};
    std::atomic<std::size_t> total{0};
    parallel_for(places.size(), options.threads, [&](std::size_t i) {
        Search search(layers, [&](std::size_t more) {
            report(progress, static_cast<double>(done) / static_cast<double>(places.size()), "counting regions");
            check_most(total += more, options.most);
        });
        search.explore(places[i]);
        ++done;
    });
    return total;
}

void for_each_pattern(const ReluNetwork& network, const Domain& domain, const EnumerateOptions& options,
                      const std::function<void(const Pattern&)>& visit, const Progress& progress) {
    const std::vector<Layer> layers = hidden_layers(network);
    Search first(layers);
    std::vector<SearchPlace> places = first.divide(first.start(domain));
    // Processes a few subtrees at a time to limit the patterns held in memory.
    const std::size_t together = 4 * static_cast<std::size_t>(threads_for(options.threads));
    std::size_t visited = 0;
    for (std::size_t begin = 0; begin < places.size(); begin += together) {
        const std::size_t count = std::min(together, places.size() - begin);
        std::vector<std::vector<Pattern>> patterns(count);
        parallel_for(count, options.threads, [&](std::size_t i) {
            const auto counted = [&](std::size_t) {
                report(progress, static_cast<double>(begin) / static_cast<double>(places.size()), "listing regions");
            };
            Search search(layers, counted, [&](const Pattern& pattern) {
                check_most(visited + patterns[i].size() + 1, options.most);
                patterns[i].push_back(pattern);
            });
            search.explore(places[begin + i]);
        });
        for (const auto& some : patterns) {
            check_most(visited += some.size(), options.most);
            for (const Pattern& pattern : some) visit(pattern);
        }
    }
}

}  // namespace polyrx

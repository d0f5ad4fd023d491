// SPDX-License-Identifier: Apache-2.0
#include "polyrx/api/distill_policy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "polyrx/api/judged_rows.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/fit/rows_learned_from.hpp"

namespace polyrx {
namespace {

// The requested shape, otherwise all shapes, plus one treatment for all.
std::vector<StudentShape> shapes_for(const DistillPolicyOptions& options) {
    if (!options.neurons && !options.weights_per_neuron) return student_shapes();
    std::vector<StudentShape> shapes = {{.kind = StudentShape::Kind::constant}};
    for (StudentShape shape : student_shapes()) {
        if (shape.kind != StudentShape::Kind::network) continue;
        shape.neurons = options.neurons.value_or(shape.neurons);
        shape.weights_per_neuron = options.weights_per_neuron.value_or(shape.weights_per_neuron);
        if (std::ranges::find(shapes, shape) == shapes.end()) shapes.push_back(shape);
    }
    return shapes;
}

}  // namespace

Distilled distill_policy(const PolicySource& source, const DataText& data, const DistillPolicyOptions& options,
                         const Progress& progress) {
    if (!source.model()) throw usage_error(fmt::format("{}: only a model can be distilled", source.text));
    const Policy& model = *source.model();
    StudyRoles study;
    study.roles.group = options.group;
    study.roles.weight = weight_column_of(model);
    study.roles.propensities = options.propensities.empty() ? propensities_of(model) : options.propensities;
    const Observations observations =
        rows_learned_from(model, judged_rows(source, data, study, {}, WhichRows::all, progress).observations);

    DistillOptions distilling;
    distilling.budget = options.budget;
    distilling.shapes = shapes_for(options);
    if (options.neurons && options.weights_per_neuron) distilling.restarts = restarts_of_one_shape;
    distilling.restarts = options.restarts.value_or(distilling.restarts);
    distilling.folds = options.folds;
    distilling.seed = options.seed.value_or(model.provenance.seed);
    distilling.threads = options.threads;
    return distill(model, observations, distilling, progress);
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// A caller built with -march=native: hands its own matrices to the library, takes the library's, and frees them all.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "polyrx/encode/encoder.hpp"
#include "polyrx/fit/fit.hpp"
#include "polyrx/network/fold.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/policy/policy.hpp"
#include "polyrx/policy/scorer.hpp"
#include "polyrx/policy/tree_scorer.hpp"
#include "polyrx/table/table.hpp"
#include "polyrx/version.hpp"

// Otherwise this file would align, and free, otherwise than the library does.
static_assert(EIGEN_MAX_ALIGN_BYTES == 64);

namespace {

void expect(bool holds, const char* claim) {
    if (holds) return;
    std::fprintf(stderr, "not so: %s\n", claim);
    std::exit(1);
}

polyrx::Table two_patients() {
    return polyrx::Table({{"age", polyrx::NumericColumn{{30, 70}}}, {"smokes", polyrx::BooleanColumn{{0, 1}}}});
}

// Outcomes relu(age - 50) and 10: the first treatment is better for the young.
polyrx::ReluNetwork young_and_old() {
    polyrx::Matrix hidden(1, 2);
    hidden << 1, 0;
    polyrx::Matrix output(2, 1);
    output << 1, 0;
    std::vector<polyrx::Layer> layers;
    layers.push_back({std::move(hidden), polyrx::Vector::Constant(1, -50)});
    layers.push_back({std::move(output), polyrx::Vector::LinSpaced(2, 0, 10)});
    return polyrx::ReluNetwork(std::move(layers));
}

}  // namespace

int main() {
    // Many sizes, since an allocator's mistake shows only at some.
    for (int i = 1; i <= 64; ++i) {
        polyrx::Policy policy;
        policy.encoder = polyrx::make_encoder(two_patients());
        policy.network = young_and_old();
        policy.treatments = {"watch", "treat"};

        polyrx::Matrix inputs = policy.encoder.encode(two_patients());
        expect(inputs.rows() == 2 && inputs.cols() == 2, "two patients have two inputs each");

        polyrx::Matrix outcomes = polyrx::forward(policy.network, inputs.replicate(i, 1));
        expect(outcomes.rows() == 2 * i && outcomes(0, 0) == 0 && outcomes(1, 0) == 20 && outcomes(1, 1) == 10,
               "the network gives relu(age - 50) and 10");
        expect(polyrx::argmin_rows(outcomes)[1] == 1, "the old are treated");
        outcomes.resize(i, 7);  // frees here what the library allocated

        policy.network = polyrx::fold_output_scaling(policy.network, 1, 2);
        expect(polyrx::forward(policy.network, inputs)(1, 0) == 41, "folding scales the outcome");

        const polyrx::Prescriptions prescribed = polyrx::prescribe(policy, two_patients());
        expect(prescribed.treatment == std::vector<int>({0, 1}), "the young are watched, the old treated");
        const polyrx::Scorer scorer(policy);
        expect(scorer.prescribe(two_patients()).treatment == prescribed.treatment, "a scorer prescribes the same");
    }
    expect(polyrx::recipe_options(polyrx::Recipe::paper).network.hidden.size() == 5, "the paper has five layers");
    std::puts("polyrx " POLYRX_VERSION " works from outside");
}

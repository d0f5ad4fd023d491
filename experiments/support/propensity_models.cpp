// SPDX-License-Identifier: Apache-2.0
// How often each candidate for the propensity model behind support is wrong about support, by the true propensities.
//
//     propensity_models TRAIN.csv TEST.csv SEED
//
// Both files have the columns treatment and outcome; TEST.csv also has the true propensity of each treatment,
// "e:LABEL". Prints a line for each candidate: name, held-out log-loss, share of rows that flexible models contradict,
// whether polyrx takes it, the share of rows with a treatment that is wrongly supported, and with one wrongly left out.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "polyrx/core/every_row.hpp"
#include "polyrx/encode/encoder.hpp"
#include "polyrx/encode/feature_rows.hpp"
#include "polyrx/evaluate/value/truth.hpp"
#include "polyrx/fit/recommend/scored_study.hpp"
#include "polyrx/study/observations.hpp"
#include "polyrx/table/io/csv_read.hpp"

namespace {

using namespace polyrx;

struct Errors {
    double supported = 0;  // a treatment is supported whose true ratio is below epsilon / 2
    double left_out = 0;   // one is not whose true ratio is at least 2 epsilon
};

Errors errors_of(const Support& support, const Encoder& encoder, const Matrix& encoded, const Matrix& truth) {
    const auto treatments = static_cast<std::size_t>(truth.cols());
    const BoundRules bound({}, treatments, bind_support(support, encoder, treatments));
    const std::vector<TreatmentSet> supported = bound.supported(encoded);
    Errors errors;
    for (std::size_t i = 0; i < supported.size(); ++i) {
        const auto row = truth.row(static_cast<Eigen::Index>(i));
        bool wrongly_supported = false;
        bool wrongly_left_out = false;
        for (int k = 0; k < static_cast<int>(treatments); ++k) {
            const double ratio = row[k] / row.maxCoeff();
            if (has(supported[i], k))
                wrongly_supported |= ratio < support.epsilon / 2;
            else
                wrongly_left_out |= ratio >= 2 * support.epsilon;
        }
        errors.supported += wrongly_supported ? 1 : 0;
        errors.left_out += wrongly_left_out ? 1 : 0;
    }
    const auto rows = static_cast<double>(supported.size());
    return {errors.supported / rows, errors.left_out / rows};
}

void run(const std::string& train, const std::string& test, std::uint64_t seed) {
    const Observations observations = observe(read_csv(train), {.treatment = "treatment", .outcome = "outcome"}, {});
    const Encoder encoder = make_encoder(observations.features, {});
    const Matrix encoded = encoder.encode(observations.features);
    const FeatureRows features = feature_rows(encoder, observations.features);
    const NetworkStudy study{observations, encoder, encoded, features, observations.outcome};
    const Table unseen = read_csv(test);
    std::vector<std::string> columns;
    for (const std::string& label : observations.treatments) columns.push_back("e:" + label);
    const Matrix truth = truth_matrix(unseen, columns);
    const Matrix encoded_unseen = encoder.encode(unseen);

    const std::optional<ScoredStudy> scored = score_study(study, false, seed, 1);
    const SupportStudy rows = support_study(study, scored ? &*scored : nullptr);
    const std::vector<std::size_t> all = every_row(observations.rows());
    const LearnedSupport learned = learn_support(rows, all, {.seed = seed});
    for (std::size_t c = 0; c < learned.trials.size(); ++c) {
        LearnedSupport candidate = learned;
        candidate.chosen = c;
        const Errors errors = errors_of(refit_support(rows, all, candidate), encoder, encoded_unseen, truth);
        std::printf("\"%s\",%.6f,%.6f,%d,%.6f,%.6f\n", learned.trials[c].name.c_str(), learned.trials[c].log_loss,
                    learned.trials[c].contradicted, c == learned.chosen ? 1 : 0, errors.supported, errors.left_out);
    }
}

}  // namespace

int main(int count, char** words) {
    if (count != 4) {
        std::fputs("usage: propensity_models TRAIN.csv TEST.csv SEED\n", stderr);
        return 2;
    }
    try {
        run(words[1], words[2], std::strtoull(words[3], nullptr, 10));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "propensity_models: %s\n", error.what());
        return 1;
    }
}

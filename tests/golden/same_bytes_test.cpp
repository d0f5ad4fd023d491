// SPDX-License-Identifier: Apache-2.0
// Same seed, same bytes: what is written is what was written before, on any x86-64 with AVX2 and FMA and with either
// compiler. (Without FMA, or with another C library, logarithms and cosines may end in another digit:
// docs/exactness.md.)
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "polyrx/fit/fit.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/studies/simulate.hpp"
#include "polyrx/table/io/csv_write.hpp"
#include "polyrx/train/train_kernel.hpp"

namespace polyrx {
namespace {

// The golden file's content. With POLYRX_REWRITE_GOLDEN set, the file is written anew first: look at the diff before
// committing it, since every byte in it was promised to somebody.
std::string golden(const std::string& name, const std::string& present) {
    const std::string path = std::string(POLYRX_GOLDEN_FOLDER) + "/" + name;
    if (std::getenv("POLYRX_REWRITE_GOLDEN") != nullptr) std::ofstream(path) << present;
    std::ostringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
}

std::string csv(const Table& table) {
    std::string text;
    write_csv(table, [&](std::string_view piece) { text += piece; });
    return text;
}

Fit tiny_fit(Recipe recipe) {
    FitOptions options = recipe_options(recipe);
    options.network.hidden = {6, 4};
    options.network.epochs = 3;
    options.network.validation_fraction = 0.25;
    options.row_sketch = false;  // as in models before format version 4, which these files are
    options.support.reset();
    const Observations observations =
        observe(simulate_clinic({.rows = 300}), {.treatment = "treatment", .outcome = "outcome"}, clinic_schema());
    Fit fitted = fit(observations, options, clinic_schema());
    fitted.policy.provenance.program = "polyrx";  // a new version alone changes no other byte
    return fitted;
}

TEST(SameSeed, SimulatesThePapersDataWithTheSameBytes) {
    for (const char* dataset : {"1", "6"}) {
        const std::string text = csv(simulate_paper(std::atoi(dataset), {.rows = 8, .seed = 7, .truth = true}));
        EXPECT_EQ(text, golden(std::string("simulate_") + dataset + ".csv", text));
    }
}

TEST(SameSeed, SimulatesTheClinicWithTheSameBytes) {
    const std::string text = csv(simulate_clinic({.rows = 8, .seed = 7, .truth = true}));
    EXPECT_EQ(text, golden("simulate_clinic.csv", text));
}

TEST(SameSeed, FitsAModelFileWithTheSameBytes) {
    if (!kernels_fuse()) GTEST_SKIP() << "the bytes are those of machines with AVX2 and FMA";
    const std::string fast = to_json(tiny_fit(Recipe::fast).policy);
    EXPECT_EQ(fast, golden("model_fast.json", fast));
    const std::string paper = to_json(tiny_fit(Recipe::paper).policy);
    EXPECT_EQ(paper, golden("model_paper.json", paper));
}

}  // namespace
}  // namespace polyrx

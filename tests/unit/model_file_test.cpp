// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/file/model_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/parse_json.hpp"
#include "polyrx/core/sha256.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx {
namespace {

Policy some_policy() {
    Rng rng(1, Draw::test);
    Policy policy;
    policy.encoder = Encoder({
        {.name = "age",
         .unit = "years",
         .integer = true,
         .lower = 0,
         .upper = 120,
         .lower_declared = true,
         .fill = 50,
         .indicator = true},
        {.name = "stage \"é\"", .type = ColumnType::categorical, .categories = {"I", "II"}, .fill = 1},
        {.name = "smoker", .type = ColumnType::boolean},
    });
    policy.network = test::random_network(rng, {5, 7, 3});
    policy.objective = Objective::max;
    policy.treatments = {"Low", "Medium", "High"};
    policy.treatment_name = "dose";
    policy.outcome_name = "recovered";
    policy.missing_texts = {"NA", "-999"};
    policy.provenance = {"polyrx 0.0.0", 18446744073709551615ULL, 1000, std::string(64, 'a'), 0, {{"mu", "0.0001"}}};
    return policy;
}

std::string model_error(const std::string& text) {
    try {
        (void)parse_model(text, "model.json");
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
        return error.what();
    }
    return "no error";
}

// The document with a change, under a checksum that fits it.
std::string changed_model(const std::function<void(Json&)>& change) {
    Json document = parse_json(to_json(some_policy()), "model.json");
    document.erase("sha256");
    change(document);
    document.sort_members();
    document["sha256"] = sha256_hex(document.dump());
    return document.dump();
}

TEST(ModelFile, SurvivesTheRoundTripBitForBit) {
    Policy policy = some_policy();
    // Numbers that printing with few digits would lose.
    std::vector<Layer> layers = policy.network.layers();
    layers[0].weights(0, 0) = std::nextafter(0.1, 1);
    layers[0].weights(0, 1) = 5e-324;
    layers[0].weights(0, 2) = -0.0;
    layers[0].weights(0, 3) = 1.7976931348623157e308;
    policy.network = ReluNetwork(layers);
    const std::string text = to_json(policy);
    const Policy back = parse_model(text, "model.json");
    ASSERT_EQ(back.network.layers().size(), layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        for (Eigen::Index w = 0; w < layers[i].weights.size(); ++w)
            EXPECT_EQ(std::bit_cast<std::uint64_t>(back.network.layers()[i].weights.data()[w]),
                      std::bit_cast<std::uint64_t>(layers[i].weights.data()[w]));
        EXPECT_EQ(back.network.layers()[i].bias, layers[i].bias);
    }
    EXPECT_EQ(to_json(back), text);
    EXPECT_EQ(back.treatments, policy.treatments);
    EXPECT_EQ(back.objective, Objective::max);
    EXPECT_EQ(back.provenance.seed, 18446744073709551615ULL);
    EXPECT_EQ(back.missing_texts, policy.missing_texts);
    EXPECT_EQ(back.encoder.columns().size(), 5U);
    EXPECT_EQ(back.encoder.features()[1].name, "stage \"é\"");
}

TEST(ModelFile, MayBeReformattedButNotChanged) {
    const std::string text = to_json(some_policy());
    EXPECT_NO_THROW((void)parse_model(parse_json(text, "model.json").dump(4), "model.json"));
    std::string tampered = text;
    tampered.replace(tampered.find("Medium"), 6, "medium");
    EXPECT_EQ(
        model_error(tampered),
        "model.json: the file was changed or damaged since it was written: its content does not match its checksum");
}

TEST(ModelFile, CutShortAnywhereIsAnErrorAndNeverACrash) {
    const std::string text = to_json(some_policy());
    const std::size_t end = text.find_last_of('}');
    for (std::size_t length = 0; length < end; length += 7)
        EXPECT_TRUE(model_error(text.substr(0, length)).starts_with("model.json: not a polyrx model: line ")) << length;
}

TEST(ModelFile, OfAnotherProgramIsNotOurs) {
    EXPECT_EQ(model_error("[]"), "model.json: not a polyrx model");
    EXPECT_EQ(model_error("{}"), "model.json: not a polyrx model");
    EXPECT_EQ(model_error(R"({"format": "onnx"})"), "model.json: not a polyrx model");
    EXPECT_EQ(model_error(R"({"format": 3})"), "model.json: not a polyrx model");
    const std::string brackets(1'000'000, '[');
    EXPECT_EQ(model_error(R"({"format": "polyrx-model", "x": )" + brackets),
              "model.json: not a polyrx model: nested more than 1024 levels deep");
}

TEST(ModelFile, OfANewerVersionIsRefusedByNumber) {
    EXPECT_EQ(model_error(changed_model([](auto& document) { document["format_version"] = 5; })),
              "model.json: written by a newer polyrx (model format 5; this program reads up to 4)");
}

TEST(ModelFile, KeepsHowRowsWereHeldOutAndASketchOfTheOthers) {
    Policy policy = some_policy();
    EXPECT_NE(to_json(policy).find("\"format_version\": 1"), std::string::npos);
    policy.provenance.test_fraction = 0.3;
    policy.provenance.split = {SplitBy::group, false, std::string(64, 'b'), std::string(64, 'c')};
    policy.provenance.sketch = {{3, 7, 0xffffffffffff}, 0.25};
    const std::string text = to_json(policy);
    EXPECT_NE(text.find("\"format_version\": 4"), std::string::npos);
    const Policy back = parse_model(text, "model.json");
    EXPECT_EQ(back.provenance.split, policy.provenance.split);
    EXPECT_EQ(back.provenance.sketch, policy.provenance.sketch);
    EXPECT_EQ(to_json(back), text);
    // A file without a record is one of an earlier version.
    policy.provenance.split = {};
    policy.provenance.sketch.reset();
    EXPECT_EQ(parse_model(to_json(policy), "model.json").provenance.split.by, SplitBy::content);
}

TEST(ModelFile, WithAWrongSplitOrSketchIsRefused) {
    const auto with = [](const char* key, const Json& value) {
        return model_error(changed_model([&](auto& document) { document["provenance"][key] = value; }));
    };
    EXPECT_EQ(with("split", {{"by", "luck"}}),
              "model.json: provenance.split.by: 'luck' is no way to hold rows out (features, group)");
    EXPECT_EQ(with("split", 3), "model.json: provenance.split: an object was expected, not 3");
    const std::string sentence =
        "model.json: provenance.row_sketch.rows: expected at most 4096 hashes, each above the one before";
    EXPECT_EQ(with("row_sketch", {{"rows", "12"}, {"repeated", 0}}), sentence);
    EXPECT_EQ(with("row_sketch", {{"rows", "00000000000200000000000x"}, {"repeated", 0}}), sentence);
    EXPECT_EQ(with("row_sketch", {{"rows", std::string(std::size_t{12} * 5000, '0')}, {"repeated", 0}}), sentence);
    EXPECT_EQ(with("row_sketch", {{"rows", ""}, {"repeated", 2}}),
              "model.json: provenance.row_sketch.repeated: a share from 0 to 1 was expected, not 2");
}

TEST(ModelFile, WithPartsThatDoNotFitIsRefused) {
    EXPECT_EQ(model_error(changed_model([](auto& d) { d["treatments"] = Json::array({"a", "b"}); })),
              "model.json: the network has 3 outputs but there are 2 treatments");
    EXPECT_EQ(model_error(changed_model([](auto& d) { d["treatments"] = Json::array({"a", "a", "b"}); })),
              "model.json: a treatment label stands there twice");
    EXPECT_EQ(model_error(changed_model([](auto& d) { d["features"].items().erase(d["features"].items().begin()); })),
              "model.json: the network takes 5 inputs but the features make 3");
    EXPECT_EQ(
        model_error(changed_model([](auto& d) { d["layers"].items()[1]["weights"].items()[0].items().pop_back(); })),
        "model.json: layers[1]: its neurons have different numbers of weights");
    EXPECT_EQ(model_error(changed_model([](auto& d) { d["layers"].items()[0]["bias"].items().pop_back(); })),
              "model.json: layer 1 of the network has 7 neurons but 6 biases");
    EXPECT_EQ(model_error(changed_model([](auto& d) { d["layers"] = Json::array(); })),
              "model.json: a network needs at least an output layer");
    EXPECT_EQ(
        model_error(changed_model([](auto& d) { d["layers"].items()[0]["weights"].items()[0].items()[0] = "x"; })),
        "model.json: layers[0].weights[0][0]: a number was expected, not the text 'x'");
    EXPECT_EQ(model_error(changed_model([](auto& d) { d.erase("objective"); })), "model.json: 'objective' is missing");
    EXPECT_EQ(model_error(changed_model([](auto& d) { d["features"].items()[1]["fill"] = 2; })),
              "model.json: features[1]: its fill is not one of its categories");
    EXPECT_EQ(model_error(changed_model([](auto& d) { d["features"].items()[0]["type"] = "text"; })),
              "model.json: features[0].type: 'text' is not a type of column");
    EXPECT_EQ(
        model_error(changed_model([](auto& d) { d["provenance"]["seed"] = "one"; })),
        "model.json: provenance.seed: a whole number from 0 to 18446744073709551615 was expected, not the text 'one'");
}

}  // namespace
}  // namespace polyrx

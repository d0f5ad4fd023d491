// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/file/tree_json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/core/sha256.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "tests/support/random_tree.hpp"
#include "tests/support/table_makers.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/tree_text.hpp"

namespace polyrx {
namespace {

using test::text_of;
using test::with_checksum;

// One cut, two leaves, the first of them certified in two cases.
TreePolicy small_tree_policy() {
    Rng rng(1, Draw::test);
    TreePolicy small;
    small.policy = test::random_policy(rng, 2, false);
    Tree& tree = small.tree;
    tree.domain = domain_of(small.policy.encoder);
    tree.rows = 100;
    tree.certified_share = 0.75;
    const AffineFunction function{Eigen::Vector2d(0.5, 0), -1};
    Certificate certificate;
    certificate.steps.resize(3);
    certificate.steps[0].bounds = {{BoundProof::Of::input, 0, 1, false, {{0, 0.25}}},
                                   {BoundProof::Of::neuron, 0, 5, true, {}}};
    certificate.steps[0].cases = Cases{function, 1, 2};
    certificate.steps[1].comparisons = {{0, {{0, 1}, {1, 2}}}, {2, {}}};
    tree.nodes = {{Split{function, 1e-12, {SplitOrigin::Kind::cut, 0, 0}, 1, 2}, 100},
                  {Leaf{1, certificate, Eigen::Vector2d(2, -0.125)}, 75},
                  {Leaf{0, {}, {}}, 25}};
    return small;
}

std::string tree_error(const std::string& text) {
    return test::sentence_of(ErrorKind::data, [&] { (void)parse_tree_json(text, "tree.json"); });
}

// The file with one piece of its text replaced, under a checksum that fits it.
std::string changed_tree(const std::string& from, const std::string& to) {
    std::string text = text_of(small_tree_policy());
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return with_checksum(text.replace(at, from.size(), to));
}

TEST(TreeJson, IsOneLineForEachNodeThatAPersonCanRead) {
    const std::string text = text_of(small_tree_policy());
    EXPECT_TRUE(text.starts_with(
        "{\n \"format\": \"polyrx-tree\",\n \"format_version\": 1,\n \"leaves\": 2,\n \"depth\": 1,\n"))
        << text;
    EXPECT_NE(
        text.find("\n  {\"split\":[[0,0.5]],\"constant\":-1,\"guard\":1e-12,\"from\":{\"cut\":0},\"yes\":1,\"no\":2,"
                  "\"rows\":100},\n"),
        std::string::npos)
        << text;
    EXPECT_NE(
        text.find("\n  {\"treatment\":1,\"label\":\"10 mg\",\"certified\":true,\"inside\":[2,-0.125],\"certificate\":"
                  "{\"steps\":[{\"bounds\":[{\"input\":1,\"lower\":[[0,0.25]]},{\"neuron\":[0,5],\"upper\":[]}],"
                  "\"cases\":{\"split\":[[0,0.5]],\"constant\":-1,\"yes\":1,\"no\":2}},{\"comparisons\":"
                  "[{\"rival\":0,\"multipliers\":[[0,1],[1,2]]},{\"rival\":2,\"multipliers\":[]}]},{}]},"
                  "\"rows\":75},\n"),
        std::string::npos)
        << text;
    EXPECT_NE(
        text.find("\n  {\"treatment\":0,\"label\":\"5 mg\",\"certified\":false,\"rows\":25}\n ],\n \"sha256\": \""),
        std::string::npos)
        << text;
}

TEST(TreeJson, IsJsonThatHoldsTheModelWhole) {
    const TreePolicy tree = small_tree_policy();
    const JsonDocument document = parse_json_document(text_of(tree), "tree.json");
    const JsonCursor root = document.root();
    EXPECT_EQ(root.at("inputs").texts(), (std::vector<std::string>{"x0", "x1"}));
    EXPECT_TRUE(root.at("fidelity").json().is_null());
    EXPECT_EQ(root.at("model").at("sha256").text(), model_sha256(tree.policy));
    EXPECT_EQ(to_json(parse_model(root.at("model").json().dump(), "model.json")), to_json(tree.policy));
}

TEST(TreeJson, EndsWithTheChecksumOfEverythingBeforeItsLine) {
    const std::string text = text_of(small_tree_policy());
    const auto line = text.rfind(" \"sha256\"");
    EXPECT_EQ(text.substr(line), " \"sha256\": \"" + sha256_hex(text.substr(0, line)) + "\"\n}\n");
}

TEST(TreeJson, SurvivesTheRoundTripWithNumbersThatFewDigitsWouldLose) {
    TreePolicy tree = small_tree_policy();
    auto& split = std::get<Split>(tree.tree.nodes[0].what);
    split.function = {Eigen::Vector2d(std::nextafter(0.1, 1), 5e-324), -0.0};
    split.guard = 1.7976931348623157e308;
    auto& leaf = std::get<Leaf>(tree.tree.nodes[1].what);
    leaf.inside = Eigen::Vector2d(9007199254740993.0, -1.0 / 3);
    tree.tree.domain.lower[0] = -std::numeric_limits<double>::infinity();
    tree.tree.domain.upper[1] = std::numeric_limits<double>::infinity();
    tree.tree.rows = std::numeric_limits<std::size_t>::max();
    const TreePolicy back = parse_tree_json(text_of(tree), "tree.json");
    EXPECT_EQ(back.tree.nodes, tree.tree.nodes);
    EXPECT_EQ(back.tree.domain, tree.tree.domain);
    EXPECT_EQ(back.tree.rows, tree.tree.rows);
    EXPECT_TRUE(std::signbit(std::get<Split>(back.tree.nodes[0].what).function.constant));
    EXPECT_EQ(text_of(back), text_of(tree));
}

TEST(TreeJson, CannotHoldWhatIsNotFinite) {
    TreePolicy tree = small_tree_policy();
    tree.tree.certified_share = std::nan("");
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)text_of(tree); }),
              "a tree with a number that is not finite cannot be written as JSON");
    tree = small_tree_policy();
    std::get<Split>(tree.tree.nodes[0].what).guard = std::nan("");
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)text_of(tree); }),
              "node 0: the guard is not finite and above 0");
}

TEST(TreeJson, CutShortAnywhereIsAnErrorAndNeverACrash) {
    const std::string text = text_of(small_tree_policy());
    for (std::size_t length = 0; length < text.find_last_of('}'); length += 7)
        EXPECT_TRUE(tree_error(text.substr(0, length)).starts_with("tree.json: not a polyrx tree: line ")) << length;
}

TEST(TreeJson, ChangedInAnyByteIsNotAccepted) {
    const std::string text = text_of(small_tree_policy());
    for (std::size_t at = 0; at < text.find_last_of('}'); at += 3) {
        std::string other = text;
        other[at] = other[at] == '7' ? '8' : '7';
        EXPECT_NE(tree_error(other), "(no error)") << at;
    }
    std::string other = text;
    other.replace(other.find("\"treatment\":0,\"label\":\"5 mg\""), 28, "\"treatment\":2,\"label\":\"5 mg\"");
    EXPECT_EQ(tree_error(other),
              "tree.json: the file was changed or damaged since it was written: its content does not "
              "match its checksum");
    // The layout belongs to the format.
    EXPECT_EQ(tree_error(parse_json(text, "tree.json").dump(1)),
              "tree.json: the file was changed or damaged since it was written: its content does not match its "
              "checksum");
}

TEST(TreeJson, OfAnotherProgramIsNotOurs) {
    for (const char* text : {"[]", "{}", "3", R"({"format": "onnx"})", R"({"format": 3})"})
        EXPECT_EQ(tree_error(text), "tree.json: not a polyrx tree");
    EXPECT_EQ(tree_error(to_json(small_tree_policy().policy)), "tree.json: not a polyrx tree");
    const std::string brackets(1'000'000, '[');
    EXPECT_EQ(tree_error(R"({"format": "polyrx-tree", "x": )" + brackets),
              "tree.json: not a polyrx tree: nested more than 1024 levels deep");
}

TEST(TreeJson, OfANewerVersionIsRefusedByNumberEvenIfItsChecksumIsOfAnotherKind) {
    const std::string expected = "tree.json: written by a newer polyrx (tree format 2; this program reads up to 1)";
    EXPECT_EQ(tree_error(changed_tree("\"format_version\": 1,\n \"leaves\"", "\"format_version\": 2,\n \"leaves\"")),
              expected);
    EXPECT_EQ(tree_error(R"({"format": "polyrx-tree", "format_version": 2, "checksum": "none"})"), expected);
}

TEST(TreeJson, WithPartsThatDoNotFitIsRefused) {
    EXPECT_EQ(tree_error(changed_tree("\"yes\":1,\"no\":2,\"rows\"", "\"yes\":1,\"no\":1,\"rows\"")),
              "tree.json: node 0: the nodes do not form a tree");
    EXPECT_EQ(tree_error(changed_tree("\"yes\":1,\"no\":2,\"rows\"", "\"yes\":1,\"no\":99999999999,\"rows\"")),
              "tree.json: node 0: no: there is no such node");
    EXPECT_EQ(tree_error(changed_tree("{\"split\":[[0,0.5]]", "{\"split\":[[2,0.5]]")),
              "tree.json: node 0: split[0][0]: there is no such input");
    EXPECT_EQ(tree_error(changed_tree("{\"split\":[[0,0.5]]", "{\"split\":[[0,0.5],[0,1]]")),
              "tree.json: node 0: split[1]: the inputs of a split are not in their order");
    EXPECT_EQ(tree_error(changed_tree("\"guard\":1e-12", "\"guard\":0")),
              "tree.json: node 0: the guard is not finite and above 0");
    EXPECT_EQ(tree_error(changed_tree("\"guard\":1e-12", "\"guard\":\"x\"")),
              "tree.json: node 0: guard: a number was expected, not the text 'x'");
    EXPECT_EQ(tree_error(changed_tree("\"guard\":1e-12", "\"guard\":1e999")),
              "tree.json: node 0: line 1, column 44: not valid JSON: this number is too large");
    EXPECT_EQ(tree_error(changed_tree("\"constant\":-1,\"guard\"", "\"guard\"")),
              "tree.json: node 0: 'constant' is missing");
    EXPECT_EQ(tree_error(changed_tree("\"from\":{\"cut\":0}", "\"from\":{\"neuron\":[1,0]}")),
              "tree.json: node 0: from.neuron[0]: there is no such hidden layer");
    EXPECT_EQ(tree_error(changed_tree("\"treatment\":1,\"label\":\"10 mg\"", "\"treatment\":0,\"label\":\"10 mg\"")),
              "tree.json: node 1: its label is not that of its treatment");
    EXPECT_EQ(tree_error(changed_tree("\"treatment\":1,", "\"treatment\":3,")),
              "tree.json: node 1: treatment: there is no such treatment");
    EXPECT_EQ(tree_error(changed_tree("\"rival\":2", "\"rival\":-1")),
              "tree.json: node 1: certificate.steps[1].comparisons[1].rival: there is no such treatment");
    EXPECT_EQ(tree_error(changed_tree("\"neuron\":[0,5]", "\"neuron\":[0,6]")),
              "tree.json: node 1: certificate.steps[0].bounds[1].neuron[1]: there is no such neuron");
    EXPECT_EQ(tree_error(changed_tree("[1,2]]", "[9,2]]")),
              "tree.json: node 1: a multiplier refers to a constraint that is not on the path to the leaf");
    EXPECT_EQ(tree_error(changed_tree("\"leaves\": 2", "\"leaves\": 3")),
              "tree.json: 'leaves' or 'depth' is not that of its nodes");
    EXPECT_EQ(tree_error(changed_tree("\"mode\": \"exact\"", "\"mode\": \"guess\"")),
              "tree.json: mode: 'guess' is not a mode (exact, supported)");
    EXPECT_EQ(tree_error(changed_tree("\"inputs\": [\"x0\",", "\"inputs\": [\"age\",")),
              "tree.json: inputs[0]: the input is not named as the model names it");
    EXPECT_EQ(tree_error(changed_tree("\"inputs\": [\"x0\",\"x1\"]", "\"inputs\": [\"x0\"]")),
              "tree.json: inputs: not every input of the model is named");
    EXPECT_EQ(tree_error(changed_tree("\"domain\": {\"lower\":[-2,", "\"domain\": {\"lower\":[")),
              "tree.json: domain: the domain does not have 2 inputs, as the model has");
    EXPECT_EQ(tree_error(changed_tree("\"domain\": {\"lower\":[-2,", "\"domain\": {\"lower\":[3,")),
              "tree.json: domain: a lower bound of the domain is above its upper bound");
    EXPECT_EQ(tree_error(changed_tree("\"groups\":[]", "\"groups\":[[0]]")),
              "tree.json: domain.groups[0][0]: a group of the domain holds an input that is in another, or not a whole "
              "number in 0 to 1");
    EXPECT_EQ(tree_error(changed_tree("\"outcome_column\": \"pain\"", "\"outcome_column\": \"joy\"")),
              "tree.json: model: the file was changed or damaged since it was written: its content does not match its "
              "checksum");
    EXPECT_EQ(tree_error(changed_tree(" \"model\": {", " \"model\": {},\n \"other\": {")),
              "tree.json: model: not a polyrx model");
}

TEST(TreeJson, IsToldFromAModelWhereverItsFormatStands) {
    const std::string text = text_of(small_tree_policy());
    EXPECT_TRUE(is_tree_file(text));
    EXPECT_TRUE(is_tree_file(parse_json(text, "tree.json").dump()));
    EXPECT_TRUE(is_tree_file(text.substr(0, 100)));
    EXPECT_FALSE(is_tree_file(""));
    EXPECT_FALSE(is_tree_file("\"polyrx-tree\""));
    Policy policy = small_tree_policy().policy;
    policy.treatment_name = "\"format\": \"polyrx-tree\"";
    policy.outcome_name = "polyrx-tree";
    EXPECT_FALSE(is_tree_file(to_json(policy)));
}

TEST(TreeJson, IsReadFromAFileAndNamedByIt) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "tree.json";
    test::put(path, text_of(small_tree_policy()));
    EXPECT_EQ(load_tree(path).tree.nodes, small_tree_policy().tree.nodes);
    test::put(path, "{");
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { (void)load_tree(path); }),
              path +
                  ": not a polyrx tree: line 1, column 2: not valid JSON: the name of a member was expected, in double "
                  "quotes, but the text ends here");
}

}  // namespace
}  // namespace polyrx

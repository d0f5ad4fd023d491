// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/file/check_written.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "polyrx/core/atomic_file.hpp"
#include "polyrx/core/error.hpp"
#include "polyrx/fit/constrain.hpp"
#include "polyrx/policy/file/model_file.hpp"
#include "polyrx/policy/file/tree_json.hpp"
#include "polyrx/rules/language/parse.hpp"
#include "tests/support/random_tree.hpp"
#include "tests/support/table_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace polyrx {
namespace {

TreePolicy some_tree() {
    Rng rng(1, Draw::test);
    return test::random_tree(rng, test::random_policy(rng, 3), 8);
}

TEST(SaveModel, AndSaveTreeWriteWhatIsReadBack) {
    const test::TemporaryFolder folder;
    const TreePolicy tree = some_tree();
    save_model(tree.policy, folder / "model.json");
    EXPECT_EQ(test::content_of(folder / "model.json"), to_json(tree.policy));
    save_tree(tree, folder / "tree.json");
    EXPECT_EQ(load_tree(folder / "tree.json").tree.nodes, tree.tree.nodes);
    EXPECT_EQ(folder.files(), 2u);
}

TEST(SaveModel, ReplacesNothingWithAModelThatCannotBeRead) {
    const test::TemporaryFolder folder;
    test::put(folder / "model.json", "good");
    Policy policy = some_tree().policy;
    policy.treatments.front() = policy.treatments.back();
    EXPECT_EQ(test::sentence_of(ErrorKind::data, [&] { save_model(policy, folder / "model.json"); }),
              "the model: a treatment label stands there twice; polyrx could not read what it was about to write, so "
              "nothing was replaced");
    EXPECT_EQ(test::content_of(folder / "model.json"), "good");
    EXPECT_EQ(folder.files(), 1u);
}

TEST(SaveTree, ReplacesNothingWithATreeThatCannotBeRead) {
    const test::TemporaryFolder folder;
    test::put(folder / "tree.json", "good");
    TreePolicy tree = some_tree();
    tree.policy.encoder = Encoder(std::vector<Feature>());
    EXPECT_THROW(save_tree(tree, folder / "tree.json"), Error);
    tree = some_tree();
    tree.tree.nodes.pop_back();
    EXPECT_THROW(save_tree(tree, folder / "tree.json"), Error);
    EXPECT_EQ(test::content_of(folder / "tree.json"), "good");
    EXPECT_EQ(folder.files(), 1u);
}

// Six levels of "and" and "or", and twelve of "not", were more than the reader of models took.
TEST(SaveModel, KeepsRulesThatAreNestedDeeply) {
    const test::TemporaryFolder folder;
    Policy policy = some_tree().policy;
    const std::string name = policy.encoder.features().front().name;
    std::string condition = name + " > 0.5";
    for (int level = 0; level < 120; ++level)
        condition = level % 2 == 0 ? fmt::format("not ({})", condition)
                                   : fmt::format("{0} > 3 or {0} > 2 and ({1})", name, condition);
    const Rules rules = parse_rules("if " + condition + " then " + policy.treatments.front(), "rules");
    policy = constrain(policy, rules, "rules", {}).policy;
    save_model(policy, folder / "model.json");
    EXPECT_EQ(load_model(folder / "model.json").rules.rules, policy.rules.rules);
}

TEST(CheckWritten, TakesNoFileOfAnotherKind) {
    const test::TemporaryFolder folder;
    for (const char* bytes : {"", "{}", "a,b\n1,2\n"}) {
        test::put(folder / "x", bytes);
        EXPECT_THROW(check_written(folder / "x"), Error) << bytes;
    }
    EXPECT_THROW(check_written(folder / "none"), Error);
}

}  // namespace
}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// The decision tree of a model, with its proof; and trees drawn for people.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/api/model_or_tree.hpp"
#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/extract/extract_tree.hpp"
#include "polyrx/table/table.hpp"

namespace polyrx {

// What is not given is as the mode has it.
struct MakeTreeOptions {
    std::optional<ExtractMode> mode = {};  // not given: automatic
    std::vector<std::string> domain = {};  // as parse_override() has it: "age=18:90"
    std::optional<std::uint64_t> leaves = {};
    std::optional<std::uint64_t> max_linear_programs = {};
    std::optional<double> max_seconds = {};
    std::optional<double> test_fraction = {};
    std::optional<std::uint64_t> seed = {};
    int threads = 0;                    // 0: one for each core
    bool size_without_support = false;  // a note says what support adds to an exact tree: it is made once more without
    std::string name = "the file";      // of the model or tree, in messages
};

struct MadeTree {
    TreePolicy tree;
    std::optional<Matrix> rows;  // encoded, those that were counted
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

// A tree is made of a network, on the rows if there are any; a tree that is there already, or a model that is one, only
// gets the rows counted, and options that say how to make one are usage errors. Throws BudgetSpent, with advice, if the
// tree is too large.
[[nodiscard]] MadeTree make_tree(ModelOrTree source, const Table* rows, const MakeTreeOptions& options = {},
                                 const Progress& progress = {});

enum class TreeFormat { text, json, dot, svg };
enum class TreeUnits { original, scaled };

[[nodiscard]] std::string_view name_of(TreeFormat format);
[[nodiscard]] std::string_view name_of(TreeUnits units);

struct DrawTreeOptions {
    TreeFormat format = TreeFormat::text;
    std::size_t max_terms = 0;              // of a split; 0 for all, but 4 in a picture
    TreeUnits units = TreeUnits::original;  // scaled: in deviations from the mean of the rows, which must be there
    bool all_leaves = false;                // also those that no row can reach, or no row that was counted did
    int threads = 0;
};

// Writes the tree in pieces, and returns what a person should know of it: sentences on its size, on what is not drawn,
// on what is proved. JSON always has all leaves.
std::vector<std::string> draw_tree(const MadeTree& made, const std::function<void(std::string_view)>& write,
                                   const DrawTreeOptions& options = {}, const Progress& progress = {});

}  // namespace polyrx

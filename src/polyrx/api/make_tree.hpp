// SPDX-License-Identifier: Apache-2.0
// Makes the decision tree of a model, with its certificates, and draws trees.
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

// Options without a value have the default of the mode.
struct MakeTreeOptions {
    std::optional<ExtractMode> mode = {};  // default: automatic
    std::vector<std::string> domain = {};  // as parse_override() has it: "age=18:90"
    std::optional<std::uint64_t> leaves = {};
    std::optional<std::uint64_t> max_linear_programs = {};
    std::optional<double> max_seconds = {};
    std::optional<double> test_fraction = {};
    std::optional<std::uint64_t> seed = {};
    int threads = 0;  // 0: all cores
    bool size_without_support =
        false;  // add a note on how support enlarges an exact tree, by making it again without support
    std::string name = "the file";  // name of the model or tree in messages
};

struct MadeTree {
    TreePolicy tree;
    std::optional<Matrix> rows;  // encoded rows that were counted
    std::vector<std::string> notes;
    std::vector<std::string> warnings;
};

// Makes a tree from a network, using the rows if there are any. For a tree, or a model that is a tree, only counts the
// rows; options for making a tree are then usage errors. Throws BudgetSpent with advice if the tree is too large.
[[nodiscard]] MadeTree make_tree(ModelOrTree source, const Table* rows, const MakeTreeOptions& options = {},
                                 const Progress& progress = {});

enum class TreeFormat { text, json, dot, svg };
enum class TreeUnits { original, scaled };

[[nodiscard]] std::string_view name_of(TreeFormat format);
[[nodiscard]] std::string_view name_of(TreeUnits units);

struct DrawTreeOptions {
    TreeFormat format = TreeFormat::text;
    std::size_t max_terms = 0;              // shown per split; 0: all, but 4 in pictures
    TreeUnits units = TreeUnits::original;  // scaled: standard deviations from the mean of the rows; needs rows
    bool all_leaves = false;                // include leaves that no row can reach, or that no counted row reached
    int threads = 0;
};

// Writes the tree in pieces. Returns notes on its size, on omitted parts and on what is proved. JSON always has all
// leaves.
std::vector<std::string> draw_tree(const MadeTree& made, const std::function<void(std::string_view)>& write,
                                   const DrawTreeOptions& options = {}, const Progress& progress = {});

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/draw/tree_dot.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/draw/palette.hpp"
#include "polyrx/show/tree_summary.hpp"

namespace polyrx {
namespace {

constexpr double columns_of_a_box = 40;  // most terms fit on a line: "- 0.09692 [metabolizer is intermediate]"

// Inside double quotes. Graphviz reads backslashes and the entities of HTML in every label.
std::string escaped(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '"' || c == '\\') safe += '\\';
        if (c == '&')
            safe += "&amp;";
        else
            safe += c;
    }
    return safe;
}

// Lines of a label, each escaped, with Graphviz's own line break between them.
std::string label_of_lines(const std::vector<std::string>& lines) {
    std::vector<std::string> safe;
    for (const std::string& line : lines) safe.push_back(escaped(line));
    return fmt::format("{}", fmt::join(safe, "\\n"));
}

// `yes` and `no` are the nodes that are drawn as its children.
std::string split_line(std::size_t index, std::size_t yes, std::size_t no, const Policy& policy, const Tree& tree,
                       const WordOptions& options) {
    const auto& split = std::get<Split>(tree.nodes[index].what);
    const std::vector<std::string> lines =
        wrapped(split_pieces(policy, tree, split, options), columns_of_a_box, in_columns(), TooWide::shorten);
    WordOptions all = options;
    all.max_terms = 0;
    const std::string full = words_of(split.function, policy.encoder, tree.domain, all);
    return fmt::format(
        "    {} [label=\"{}\", tooltip=\"{}\"];\n    {} -> {} [label=\"yes\"];\n    {} -> {} [label=\"no\"];\n", index,
        label_of_lines(lines), escaped(full), index, yes, index, no);
}

std::string leaf_line(std::size_t index, const Leaf& leaf, const Policy& policy, const Tree& tree) {
    const Color color =
        leaf.treatment == no_treatment ? color_of_none : color_of(static_cast<std::size_t>(leaf.treatment));
    const std::string label = label_of(policy, leaf.treatment);
    std::vector<std::string> lines{shortened(label, columns_of_a_box, in_columns())};
    if (const std::string share = share_of_rows(tree, tree.nodes[index].rows); !share.empty()) lines.push_back(share);
    if (std::string reasons = reasons_in(policy, leaf); !reasons.empty()) lines.push_back(std::move(reasons));
    std::string style = "filled,rounded";
    if (!leaf.certificate && tree.mode != TreeMode::whole) {
        style += ",dashed";
        lines.emplace_back("empirical");
    }
    return fmt::format("    {} [label=\"{}\", tooltip=\"{}\", style=\"{}\", fillcolor=\"{}\", fontcolor=\"{}\"];\n",
                       index, label_of_lines(lines), escaped(label), style, hex(color), hex(ink_on(color)));
}

}  // namespace

void write_tree_dot(const Policy& policy, const Tree& tree, const std::function<void(std::string_view)>& write,
                    const WordOptions& options, const LeftOut& left_out) {
    check_shows(policy, tree);
    std::vector<std::string> about{title_of(policy)};
    if (std::string warning = warning_of(policy); !warning.empty()) about.insert(about.begin(), std::move(warning));
    for (std::string& sentence : summary_of(policy, tree, left_out)) about.push_back(std::move(sentence));
    write(
        fmt::format("digraph tree {{\n"
                    "    graph [rankdir=LR, labelloc=b, fontname=\"sans-serif\", label=\"{}\"];\n"
                    "    node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
                    "    edge [fontname=\"sans-serif\"];\n",
                    label_of_lines(about)));
    const std::vector<DrawnNode> drawn = drawn_nodes(tree, left_out);
    for (const DrawnNode& each : drawn) {
        const auto* leaf = std::get_if<Leaf>(&tree.nodes[each.node].what);
        write(leaf ? leaf_line(each.node, *leaf, policy, tree)
                   : split_line(each.node, drawn[each.yes].node, drawn[each.no].node, policy, tree, options));
    }
    write("}\n");
}

}  // namespace polyrx

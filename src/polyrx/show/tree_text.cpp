// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/tree_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/tree_summary.hpp"

namespace polyrx {
namespace {

constexpr std::size_t narrowest = 40;
constexpr std::size_t indent = 3;

// A node that is still to be told.
struct Pending {
    std::size_t node = 0;  // of those that are drawn
    std::size_t level = 0;
    std::string rails;   // of the levels above, "│  " where a branch is still open; the heading of a section's top
    std::string branch;  // "yes", "no"; empty for a section's top
};

class TextWriter {
public:
    TextWriter(const Policy& policy, const Tree& tree, const std::function<void(std::string_view)>& write,
               const TextOptions& options)
        : policy_(policy),
          tree_(tree),
          write_(write),
          options_(options),
          drawn_(drawn_nodes(tree, options.left_out)),
          width_(std::max(options.width, narrowest)),
          deepest_(std::max<std::size_t>(1, (width_ - narrowest) / indent)),
          each_leaf_says_(some_empirical(tree)) {}

    // A section that is told may bring new ones.
    void tell() {
        if (const std::string warning = warning_of(policy_); !warning.empty()) {
            lines("", "", words_in(warning));
            write_("\n");
        }
        lines("", "", words_in(title_of(policy_)));
        write_("\n");
        tell_section(0, "");
        for (std::size_t told = 0; told < sections_.size(); ++told) {
            write_("\n");
            tell_section(sections_[told], fmt::format("[{}] ", told + 1));
        }
        write_("\n");
        for (const std::string& sentence : summary_of(policy_, tree_, options_.left_out))
            lines("", "  ", words_in(sentence));
    }

private:
    // In depth, with a stack of its own: the tree may be deeper than the program's.
    void tell_section(std::size_t root, const std::string& heading) {
        std::vector<Pending> stack{{root, 0, heading, ""}};
        while (!stack.empty()) {
            const Pending at = std::move(stack.back());
            stack.pop_back();
            const DrawnNode& drawn = drawn_[at.node];
            const Node& node = tree_.nodes[drawn.node];
            const auto* split = std::get_if<Split>(&node.what);
            if (split && at.level == deepest_ && !at.branch.empty()) {
                sections_.push_back(at.node);
                tell_node(at, ": ", {fmt::format("see [{}]", sections_.size())}, false);
            } else if (split) {
                tell_node(at, ": ", split_pieces(policy_, tree_, *split, options_.words), true);
                const std::string rails = below(at);
                stack.push_back({drawn.no, at.level + 1, rails, "no"});
                stack.push_back({drawn.yes, at.level + 1, rails, "yes"});
            } else {
                tell_node(at, " → ", leaf_words(std::get<Leaf>(node.what), node.rows), false);
            }
        }
    }

    [[nodiscard]] static std::string below(const Pending& at) {
        if (at.branch.empty()) return "";
        return at.rails + (at.branch == "yes" ? "│  " : "   ");
    }

    [[nodiscard]] std::vector<std::string> leaf_words(const Leaf& leaf, std::size_t rows) const {
        std::string evidence = share_of_rows(tree_, rows);
        if (each_leaf_says_)
            evidence += fmt::format("{}{}", evidence.empty() ? "" : ", ", leaf.certificate ? "certified" : "empirical");
        std::vector<std::string> pieces{label_of(policy_, leaf.treatment)};
        if (const std::string reasons = reasons_in(policy_, leaf); !reasons.empty())
            evidence += fmt::format("{}{}", evidence.empty() ? "" : "; ", reasons);
        if (!evidence.empty()) pieces.push_back(fmt::format("({})", evidence));
        return pieces;
    }

    void tell_node(const Pending& at, std::string_view mark, const std::vector<std::string>& pieces,
                   bool has_children) {
        const std::string open = has_children ? "│" : " ";
        if (at.branch.empty()) {
            lines(at.rails, open + "     ", pieces);
            return;
        }
        const std::string first =
            fmt::format("{}{}{}{}", at.rails, at.branch == "yes" ? "├─ " : "└─ ", at.branch, mark);
        lines(first, below(at) + open + "     ", pieces);
    }

    // The pieces in lines that begin with `first`, then with `next`.
    void lines(const std::string& first, const std::string& next, const std::vector<std::string>& pieces) const {
        const double room = static_cast<double>(width_) - std::max(columns_(first), columns_(next));
        const std::vector<std::string> broken = wrapped(pieces, room, columns_, TooWide::divide);
        for (std::size_t i = 0; i < broken.size(); ++i) write_((i == 0 ? first : next) + broken[i] + "\n");
    }

    const Policy& policy_;
    const Tree& tree_;
    const std::function<void(std::string_view)>& write_;
    const TextOptions& options_;
    std::vector<DrawnNode> drawn_;
    std::size_t width_;
    std::size_t deepest_;  // level at which a subtree becomes a section of its own
    bool each_leaf_says_;
    std::vector<std::size_t> sections_;  // roots
    Measure columns_ = in_columns();
};

}  // namespace

void write_tree_text(const Policy& policy, const Tree& tree, const std::function<void(std::string_view)>& write,
                     const TextOptions& options) {
    check_shows(policy, tree);
    TextWriter(policy, tree, write, options).tell();
}

}  // namespace polyrx

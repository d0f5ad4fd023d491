// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/draw/tree_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/draw/palette.hpp"
#include "polyrx/show/draw/svg.hpp"
#include "polyrx/show/draw/tree_layout.hpp"
#include "polyrx/show/tree_summary.hpp"

namespace polyrx {
namespace {

constexpr Font title_font{.size = 17, .bold = true};
constexpr Font warning_font{.size = 13, .bold = true};
constexpr Font split_font{.size = 12};
constexpr Font label_font{.size = 12, .bold = true};
constexpr Font share_font{.size = 11};
constexpr Font branch_font{.size = 11};
constexpr Font footer_font{.size = 11};

constexpr Color ink{17, 24, 32};
constexpr Color soft_ink{84, 97, 110};
constexpr Color warning_ink{163, 0, 36};
constexpr Color box_fill{246, 248, 250};
constexpr Color box_line{140, 152, 164};
constexpr Color link_color{190, 200, 210};

constexpr double margin = 20;
constexpr double least_width = 560;  // of what is between the margins, so that title and summary have room
constexpr double line_height = 16;
constexpr double padding = 9;       // left and right of a text in its box
constexpr double text_room = 232;   // of a split
constexpr double label_room = 220;  // of a treatment's label: some 24 letters
constexpr double leaf_height = 24;
constexpr double swatch = 13;

// What a leaf or an entry of the legend says: a label, and after it a number.
struct Entry {
    std::string label;
    std::string note;
    int treatment = no_treatment;
    double width = 0;
    bool empirical = false;  // the entry that explains dashed borders
};

class TreePicture {
public:
    TreePicture(const Policy& policy, const Tree& tree, const SvgOptions& options)
        : policy_(policy),
          tree_(tree),
          options_(options),
          drawn_(drawn_nodes(tree, options.left_out)),
          lines_(drawn_.size()) {
        layout_ = lay_out(drawn_, measure_boxes());
        width_ = std::max(layout_.width, least_width);
        break_legend();
        footer_ = lines_of(summary_of(policy_, tree_, options.left_out), footer_font);
        if (const std::string warning = warning_of(policy_); !warning.empty())
            warning_ = lines_of({warning}, warning_font);
        title_top_ = margin + line_height * static_cast<double>(warning_.size()) + (warning_.empty() ? 0 : 8);
        tree_top_ = title_top_ + 26 + line_height * 1.5 * static_cast<double>(legend_.size()) + 10;
        footer_top_ = tree_top_ + layout_.height + 12;
    }

    void draw(const std::function<void(std::string_view)>& write) const {
        const std::string title = options_.title.empty() ? title_of(policy_) : one_line(options_.title);
        const double height = footer_top_ + line_height * static_cast<double>(footer_.size()) + margin;
        SvgWriter svg(width_ + 2 * margin, height, title, write);
        for (std::size_t i = 0; i < warning_.size(); ++i)
            svg.text(margin, margin + line_height * (static_cast<double>(i) + 0.8), warning_[i],
                     {.font = warning_font, .ink = warning_ink});
        svg.text(margin, title_top_ + 15, shortened(title, width_, in_pixels(title_font)),
                 {.font = title_font, .ink = ink});
        draw_legend(svg);
        for (std::size_t i = 0; i < drawn_.size(); ++i)
            if (std::holds_alternative<Split>(at(i).what)) draw_links(svg, i);
        for (std::size_t i = 0; i < drawn_.size(); ++i) {
            if (const auto* split = std::get_if<Split>(&at(i).what))
                draw_split(svg, i, *split);
            else
                draw_leaf(svg, i, std::get<Leaf>(at(i).what));
        }
        for (std::size_t i = 0; i < footer_.size(); ++i)
            svg.text(margin, footer_top_ + line_height * static_cast<double>(i + 1), footer_[i],
                     {.font = footer_font, .ink = soft_ink});
        svg.finish();
    }

private:
    // The node of the tree that is drawn as this one: all members count drawn nodes.
    [[nodiscard]] const Node& at(std::size_t drawn) const { return tree_.nodes[drawn_[drawn].node]; }

    std::vector<Box> measure_boxes() {
        const Measure pixels = in_pixels(split_font);
        std::vector<Box> boxes(drawn_.size());
        double leaf_width = 0;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            if (const auto* split = std::get_if<Split>(&at(i).what)) {
                lines_[i] =
                    wrapped(split_pieces(policy_, tree_, *split, options_.words), text_room, pixels, TooWide::shorten);
                for (const std::string& line : lines_[i]) boxes[i].width = std::max(boxes[i].width, pixels(line));
                boxes[i].width += 2 * padding;
                boxes[i].height = line_height * static_cast<double>(lines_[i].size()) + 10;
            } else {
                leaf_width = std::max(leaf_width, entry_of_leaf(i).width);
            }
        }
        for (std::size_t i = 0; i < boxes.size(); ++i)  // leaves of one width are easier to compare
            if (std::holds_alternative<Leaf>(at(i).what)) boxes[i] = {0, 0, leaf_width, leaf_height};
        return boxes;
    }

    [[nodiscard]] Entry entry_of_leaf(std::size_t node) const {
        Entry entry;
        const Leaf& leaf = std::get<Leaf>(at(node).what);
        entry.treatment = leaf.treatment;
        entry.label = shortened(label_of(policy_, entry.treatment), label_room, in_pixels(label_font));
        entry.note = share_of_rows(tree_, at(node).rows);
        if (const std::string reasons = reasons_in(policy_, leaf); !reasons.empty())
            entry.note += (entry.note.empty() ? "" : ", ") + reasons;
        entry.width = 2 * padding + in_pixels(label_font)(entry.label);
        if (!entry.note.empty()) entry.width += padding + in_pixels(share_font)(entry.note);
        return entry;
    }

    [[nodiscard]] double share(std::size_t node) const {
        const std::size_t all = tree_.nodes.front().rows;
        return all > 0 && tree_.rows > 0 ? static_cast<double>(at(node).rows) / static_cast<double>(all) : 0;
    }

    // Every treatment with its share of the rows, or "never" if no leaf prescribes it.
    [[nodiscard]] std::vector<Entry> legend_entries() const {
        // No treatment, where rules leave none, comes last.
        std::vector<std::size_t> rows(policy_.treatments.size() + 1);
        std::vector<char> given(policy_.treatments.size() + 1);
        for (const Node& node : tree_.nodes) {
            const auto* leaf = std::get_if<Leaf>(&node.what);
            if (!leaf) continue;
            const auto index =
                leaf->treatment == no_treatment ? rows.size() - 1 : static_cast<std::size_t>(leaf->treatment);
            rows[index] += node.rows;
            given[index] = 1;
        }
        std::vector<Entry> entries;
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const int treatment = k + 1 < rows.size() ? static_cast<int>(k) : no_treatment;
            if (treatment == no_treatment && !given[k]) continue;
            entries.push_back({shortened(label_of(policy_, treatment), label_room, in_pixels(split_font)),
                               given[k] ? share_of_rows(tree_, rows[k]) : "never", treatment, 0, false});
        }
        if (some_empirical(tree_)) entries.push_back({"empirical, not certified", "", no_treatment, 0, true});
        for (Entry& entry : entries) {
            entry.width = swatch + 6 + in_pixels(split_font)(entry.label) + 22;
            if (!entry.note.empty()) entry.width += 6 + in_pixels(share_font)(entry.note);
        }
        return entries;
    }

    void break_legend() {
        double used = 0;
        for (Entry& entry : legend_entries()) {
            if (legend_.empty() || used + entry.width > width_) {
                legend_.emplace_back();
                used = 0;
            }
            used += entry.width;
            legend_.back().push_back(std::move(entry));
        }
    }

    [[nodiscard]] std::vector<std::string> lines_of(const std::vector<std::string>& sentences, const Font& font) const {
        std::vector<std::string> lines;
        for (const std::string& sentence : sentences)
            for (std::string& line : wrapped(words_in(sentence), width_, in_pixels(font), TooWide::divide))
                lines.push_back(std::move(line));
        return lines;
    }

    void draw_legend(SvgWriter& svg) const {
        double baseline = title_top_ + 42;
        for (const std::vector<Entry>& row : legend_) {
            double x = margin;
            for (const Entry& entry : row) {
                svg.begin_group(entry.empirical ? entry.label : label_of(policy_, entry.treatment));
                const Box box{x, baseline - 11, swatch, swatch};
                svg.rect(box, entry.empirical ? BoxStyle{{255, 255, 255}, soft_ink, 1.5, 3, true}
                                              : style_of(entry.treatment, true));
                const double label_x = x + swatch + 6;
                svg.text(label_x, baseline, entry.label, {.font = split_font, .ink = ink});
                if (!entry.note.empty())
                    svg.text(x + entry.width - 22, baseline, entry.note,
                             {.font = share_font, .ink = soft_ink, .anchor = Anchor::end});
                svg.end_group();
                x += entry.width;
            }
            baseline += line_height * 1.5;
        }
    }

    [[nodiscard]] static BoxStyle style_of(int treatment, bool certified) {
        const Color color = treatment == no_treatment ? color_of_none : color_of(static_cast<std::size_t>(treatment));
        return {certified ? color : tint(color, 0.6), shade(color, 0.35), certified ? 1.0 : 1.5, 4, !certified};
    }

    [[nodiscard]] Box box_at(std::size_t node) const {
        Box box = layout_.boxes[node];
        box.x += margin;
        box.y += tree_top_;
        return box;
    }

    void draw_links(SvgWriter& svg, std::size_t node) const {
        const Box from = box_at(node);
        for (const bool yes : {true, false}) {
            const std::size_t child = yes ? drawn_[node].yes : drawn_[node].no;
            const Box to = box_at(child);
            const double width = 1.5 + 7 * share(child);
            svg.link(from.right(), from.middle(), to.x, to.middle(), link_color, width);
            // Outside of the curve: above its end if it comes from below.
            const double baseline = to.middle() + (yes ? -width / 2 - 3 : width / 2 + 11);
            svg.text(to.x - 4, baseline, yes ? "yes" : "no",
                     {.font = branch_font, .ink = soft_ink, .anchor = Anchor::end});
        }
    }

    void draw_split(SvgWriter& svg, std::size_t node, const Split& split) const {
        const Box box = box_at(node);
        WordOptions all = options_.words;
        all.max_terms = 0;
        std::string tooltip = fmt::format("{} ({})", words_of(split.function, policy_.encoder, tree_.domain, all),
                                          origin_words(split.origin, policy_));
        if (const std::string rows = share_of_rows(tree_, at(node).rows); !rows.empty())
            tooltip += fmt::format("; {}", rows == "no rows" ? rows : rows + " of the rows");
        svg.begin_group(tooltip);
        svg.rect(box, {box_fill, box_line, 1, 4, false});
        for (std::size_t i = 0; i < lines_[node].size(); ++i)
            svg.text(box.x + padding, box.y + 5 + 12 + line_height * static_cast<double>(i), lines_[node][i],
                     {.font = split_font, .ink = ink});
        svg.end_group();
    }

    void draw_leaf(SvgWriter& svg, std::size_t node, const Leaf& leaf) const {
        const Box box = box_at(node);
        const Entry entry = entry_of_leaf(node);
        const bool settled = leaf.certificate || tree_.mode == TreeMode::whole;
        const BoxStyle style = style_of(leaf.treatment, settled);
        const std::string_view evidence = tree_.mode == TreeMode::whole ? ""
                                          : leaf.certificate            ? ", certified"
                                                                        : ", empirical";
        svg.begin_group(fmt::format("{}{}{}{}", label_of(policy_, leaf.treatment), entry.note.empty() ? "" : ": ",
                                    entry.note, evidence));
        svg.rect(box, style);
        const Color on = ink_on(style.fill);
        svg.text(box.x + padding, box.middle() + 4.3, entry.label, {.font = label_font, .ink = on});
        if (!entry.note.empty())
            svg.text(box.right() - padding, box.middle() + 4.3, entry.note,
                     {.font = share_font, .ink = on, .anchor = Anchor::end});
        svg.end_group();
    }

    const Policy& policy_;
    const Tree& tree_;
    const SvgOptions& options_;
    std::vector<DrawnNode> drawn_;
    std::vector<std::vector<std::string>> lines_;  // of the splits
    Layout layout_;
    double width_ = 0;  // between the margins
    std::vector<std::vector<Entry>> legend_;
    std::vector<std::string> warning_;
    std::vector<std::string> footer_;
    double title_top_ = 0;
    double tree_top_ = 0;
    double footer_top_ = 0;
};

}  // namespace

void write_tree_svg(const Policy& policy, const Tree& tree, const std::function<void(std::string_view)>& write,
                    const SvgOptions& options) {
    check_shows(policy, tree);
    TreePicture(policy, tree, options).draw(write);
}

}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/rng.hpp"
#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/draw/svg.hpp"
#include "polyrx/show/draw/tree_layout.hpp"
#include "polyrx/show/draw/tree_svg.hpp"
#include "polyrx/show/split_words.hpp"
#include "tests/support/said_words.hpp"
#include "tests/support/shown_trees.hpp"
#include "tests/support/tiny_xml.hpp"

namespace polyrx {
namespace {

struct ExportedCase {
    Policy policy;
    Tree tree;
};

// Up to 64 leaves and treatments, every second time with labels and names that nobody should have given.
ExportedCase random_case(std::uint64_t seed) {
    Rng rng(seed, Draw::test, 21);
    ExportedCase made;
    made.policy = test::clinic_policy();
    if (seed % 2 == 1) {
        std::vector<Feature> features = made.policy.encoder.features();
        for (Feature& feature : features) {
            feature.name = test::hostile_label(rng);
            feature.unit = test::hostile_label(rng);
            for (std::string& category : feature.categories) category = test::hostile_label(rng);
        }
        made.policy.encoder = Encoder(features);
        made.policy.treatments.clear();
        for (std::uint64_t k = 1 + rng.below(64); k > 0; --k)
            made.policy.treatments.push_back(test::hostile_label(rng));
        made.policy.outcome_name = test::hostile_label(rng);
        made.policy.treatment_name = test::hostile_label(rng);
    }
    const std::size_t rows = rng.bernoulli(0.3) ? 0 : 1 + rng.below(5000);
    made.tree = test::random_tree(rng, made.policy, 1 + rng.below(64), rng.uniform(), rows);
    return made;
}

std::string svg_of(const Policy& policy, const Tree& tree, const SvgOptions& options = {}) {
    std::string text;
    write_tree_svg(policy, tree, [&](std::string_view piece) { text += piece; }, options);
    return text;
}

double attribute(const test::XmlElement& element, const std::string& name) {
    return std::stod(element.attributes.at(name));
}

Box box_of(const test::XmlElement& rect) {
    return {attribute(rect, "x"), attribute(rect, "y"), attribute(rect, "width"), attribute(rect, "height")};
}

bool overlap(const Box& a, const Box& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// The room of a line as it stands in the file; escapes only make it look longer.
Box room_of(const test::XmlElement& text) {
    std::string line = text.text;
    for (const auto& [escape, character] : std::vector<std::pair<std::string, std::string>>{
             {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
        for (std::size_t at = line.find(escape); at != std::string::npos; at = line.find(escape, at + 1))
            line.replace(at, escape.size(), character);
    const double size = attribute(text, "font-size");
    const double width = in_pixels({size, text.attributes.contains("font-weight")})(line);
    const double x = attribute(text, "x") - (text.attributes.contains("text-anchor") ? width : 0);
    return {x, attribute(text, "y") - size * 0.8, width, size};
}

bool inside(const Box& inner, const Box& outer) {
    return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() &&
           inner.bottom() <= outer.bottom();
}

// What is wrong with a picture: not well-formed, boxes that overlap, boxes or texts that stick out.
void check_picture(const ExportedCase& made) {
    const test::TinyXml xml(svg_of(made.policy, made.tree));
    ASSERT_EQ(xml.trouble, "");
    const Box page{0, 0, attribute(xml.elements[0], "width"), attribute(xml.elements[0], "height")};
    std::vector<Box> boxes;
    std::vector<Box> texts;
    std::vector<Box> outside;  // texts that are in no box: title, legend, yes and no, summary
    Box box;                   // of the group that is being read
    for (std::size_t i = 3; i < xml.elements.size(); ++i) {  // after the root, its title and the background
        const test::XmlElement& element = xml.elements[i];
        if (element.name == "rect") {
            box = box_of(element);
            EXPECT_TRUE(inside(box, page));
            for (const Box& other : boxes) EXPECT_FALSE(overlap(box, other));
            boxes.push_back(box);
        } else if (element.name == "text") {
            const Box room = room_of(element);
            EXPECT_TRUE(inside(room, page)) << element.text;
            for (const Box& other : texts) EXPECT_FALSE(overlap(room, other)) << element.text;
            texts.push_back(room);
            const bool in_a_node = xml.elements[element.parent].name == "g" && box.width > 13;  // not in the legend
            EXPECT_TRUE(!in_a_node || inside(room, box)) << element.text;
            if (!in_a_node) outside.push_back(room);
        }
    }
    for (const Box& text : outside)
        for (const Box& node : boxes) EXPECT_FALSE(overlap(text, node)) << text.x << " " << text.y;
    EXPECT_GE(boxes.size(), made.tree.nodes.size() + made.policy.treatments.size());
}

TEST(TreeSvgOf, AnyTreeIsWellFormedAndNothingOverlapsOrSticksOut) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        SCOPED_TRACE(seed);
        check_picture(random_case(seed));
    }
}

TEST(TreeLayout, KeepsBoxesOfAnySizeApartAndOnThePage) {
    const Policy policy = test::clinic_policy();
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Rng rng(seed, Draw::test, 25);
        const Tree tree = test::random_tree(rng, policy, 1 + rng.below(64), 0, 0);
        std::vector<Box> sizes(tree.nodes.size());
        for (Box& size : sizes) size = {0, 0, rng.uniform(10, 300), std::exp(rng.uniform(2, 6))};
        const Layout layout = lay_out(drawn_nodes(tree), sizes);
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            EXPECT_TRUE(inside(layout.boxes[i], {0, 0, layout.width, layout.height}));
            for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(layout.boxes[i], layout.boxes[j]));
        }
    }
}

TEST(TreeSvgOf, TheSameTreeIsTheSameBytes) {
    const ExportedCase made = random_case(1);
    EXPECT_EQ(svg_of(made.policy, made.tree), svg_of(made.policy, made.tree));
}

TEST(TreeSvgOf, AChainDeeperThanTheStackIsWritten) {
    const Policy policy = test::clinic_policy();
    const test::TinyXml xml(svg_of(policy, test::chain(policy, 10000)));
    EXPECT_EQ(xml.trouble, "");
}

TEST(TreeSvgOf, AShortenedSplitHasAllItsTermsInTheTooltip) {
    const Policy policy = test::clinic_policy();
    Rng rng(1, Draw::test, 22);
    const Tree tree = test::random_tree(rng, policy, 2, 1, 0);
    const Split& split = std::get<Split>(tree.nodes[0].what);
    const test::TinyXml xml(svg_of(policy, tree));
    std::string tooltips;
    for (const test::XmlElement& element : xml.elements)
        if (element.name == "title") tooltips += element.text + "\n";
    const std::string words = words_of(split.function, policy.encoder, tree.domain);
    const std::string terms = words.substr(0, words.find_first_of("<>"));
    EXPECT_NE(tooltips.find(terms), std::string::npos) << tooltips;
    EXPECT_EQ(tooltips.find("..."), std::string::npos) << tooltips;
}

TEST(SplitWordsOf, AWholeNumberAreRightForEveryWholeNumber) {
    const Policy policy = test::clinic_policy();
    const Domain domain = test::domain_for(policy.encoder);
    Rng rng(2, Draw::test, 23);
    for (int round = 0; round < 2000; ++round) {
        // Thresholds on whole numbers, where rounding decides, as often as between them.
        const double at = rng.bernoulli(0.5) ? 18 + static_cast<double>(rng.below(73)) : rng.uniform(18, 90);
        AffineFunction function = test::cut(domain, 0, at);
        const double scale = rng.normal();
        function.weights *= scale;
        function.constant *= scale;
        const std::string words = words_of(function, policy.encoder, domain);
        const bool above = words.starts_with("age >= ");
        ASSERT_TRUE(above || words.starts_with("age <= ")) << words;
        const double threshold = std::stod(words.substr(7));
        Vector row = Vector::Zero(domain.inputs());
        for (row[0] = 18; row[0] <= 90; row[0] += 1)
            ASSERT_EQ(function(row) > 0, above ? row[0] >= threshold : row[0] <= threshold) << words << row[0];
    }
}

TEST(SplitWordsOf, ASumMeanTheSplitUpToTheirRounding) {
    const Policy policy = test::clinic_policy();
    const Domain domain = test::domain_for(policy.encoder);
    int understood = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Rng rng(seed, Draw::test, 24);
        const AffineFunction function = test::random_split(rng, domain, 1);
        const std::string words = words_of(function, policy.encoder, domain);
        for (int i = 0; i < 20; ++i) {
            Vector row(domain.inputs());
            for (Eigen::Index input = 0; input < row.size(); ++input) {
                row[input] = rng.uniform(domain.lower[input], domain.upper[input]);
                if (domain.integer[static_cast<std::size_t>(input)]) row[input] = std::round(row[input]);
            }
            for (const auto& group : domain.groups) {
                for (const Eigen::Index input : group) row[input] = 0;
                row[group[rng.below(group.size())]] = 1;
            }
            const auto margin = test::said_margin(words, policy.encoder, row);
            ASSERT_TRUE(margin) << words;
            if (std::abs(margin->value) <= margin->rounding) continue;
            EXPECT_EQ(function(row) > 0, margin->value > 0) << words;
            ++understood;
        }
    }
    EXPECT_GT(understood, 5000);
}

}  // namespace
}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/report/frontier_chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/tiny_xml.hpp"

namespace polyrx {
namespace {

MeanEstimate about(double value) {
    return {.known = ValueAndError{value, 0.5, value - 1, value + 1}, .reason = {}};
}

std::size_t count(const test::TinyXml& xml, std::string_view name) {
    return static_cast<std::size_t>(
        std::ranges::count(xml.elements, name, [](const test::XmlElement& element) { return element.name; }));
}

TEST(FrontierChart, HasADotForEachKnownTreeAndMarksTheChosenOne) {
    const std::vector<FrontierDot> dots = {{1, 0, about(4), "one for all", false},
                                           {4, 9, about(3), "linear & <few>", true},
                                           {4, 54, about(3.1), "regressions", false, "R&C LR"},
                                           {9, 40, not_estimable("too few rows"), "3 neurons", false}};
    const std::string svg = frontier_chart(dots, {{"the model", about(2.5)}}, {"pain <1 h>", false});
    const test::TinyXml xml(svg);
    EXPECT_EQ(xml.trouble, "");
    EXPECT_EQ(count(xml, "circle"), 3U);
    EXPECT_LT(svg.find("R&amp;C LR"), svg.find(">chosen<")) << "the chosen one is drawn over the others";
    EXPECT_NE(svg.find(">chosen<"), std::string::npos);
    EXPECT_NE(svg.find("the model: 2.5"), std::string::npos);
    EXPECT_NE(svg.find("4 leaves, 9 terms: 3 [2, 4]; linear &amp; &lt;few&gt;"), std::string::npos);
    EXPECT_NE(svg.find("smaller is better"), std::string::npos);
}

TEST(FrontierChart, OfNothingKnownIsStillAPicture) {
    const test::TinyXml xml(frontier_chart({}, {}, {"y", true}));
    EXPECT_EQ(xml.trouble, "");
    EXPECT_EQ(count(xml, "circle"), 0U);
}

}  // namespace
}  // namespace polyrx

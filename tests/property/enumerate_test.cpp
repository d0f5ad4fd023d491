// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/regions/enumerate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "polyrx/core/error.hpp"
#include "tests/support/polygon.hpp"
#include "tests/support/random_network.hpp"
#include "tests/support/slow_regions.hpp"

namespace polyrx {
namespace {

std::vector<Pattern> patterns_of(const ReluNetwork& network, const Domain& domain, int threads = 1) {
    std::vector<Pattern> patterns;
    for_each_pattern(network, domain, {.threads = threads},
                     [&](const Pattern& pattern) { patterns.push_back(pattern); });
    return patterns;
}

// Regions with a depth below this are thin enough for two correct answers.
constexpr double clearly_inside = 1e-7;

void expect_the_slow_regions(const ReluNetwork& network, const Domain& domain) {
    const std::vector<Pattern> found = patterns_of(network, domain);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    EXPECT_EQ(std::set<Pattern>(found.begin(), found.end()).size(), found.size());
    EXPECT_EQ(count_patterns(network, domain), found.size());
    const std::vector<test::SlowRegion> slow = test::slow_regions(network, domain);
    for (const auto& [pattern, depth] : slow)
        EXPECT_TRUE(depth < clearly_inside || std::binary_search(found.begin(), found.end(), pattern)) << depth;
    for (const Pattern& pattern : found)
        EXPECT_TRUE(std::any_of(slow.begin(), slow.end(), [&](const auto& region) {
            return region.pattern == pattern;
        })) << test::clp_depth(domain, test::region_of(network, pattern));
}

TEST(ForEachPattern, FindsWhatTryingEveryPatternWithClpFinds) {
    const std::vector<std::vector<Eigen::Index>> hidden = {{1},    {5},    {9},       {12},     {4, 4},
                                                           {2, 6}, {7, 3}, {3, 3, 3}, {1, 1, 6}};
    for (std::uint64_t round = 0; round < 45; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test);
        Domain domain = test::box_domain(1 + static_cast<Eigen::Index>(round % 4), -1, 1);
        if (round % 5 == 3) domain = test::domain_of_kinds({.real = 1, .binary = 1, .groups = {3}});
        std::vector<Eigen::Index> widths = hidden[round % hidden.size()];
        widths.insert(widths.begin(), domain.inputs());
        widths.push_back(2);
        expect_the_slow_regions(test::random_network(rng, widths), domain);
    }
}

// Weights that are small whole numbers: hyperplanes coincide, are parallel, meet in one point, run along the box.
TEST(ForEachPattern, FindsWhatTryingEveryPatternFindsWhereHyperplanesMeetAndCoincide) {
    for (std::uint64_t round = 0; round < 60; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test, 1);
        const auto inputs = 1 + static_cast<Eigen::Index>(rng.below(3));
        const Domain domain = test::box_domain(inputs, rng.bernoulli(0.5) ? 0 : -1, 1);
        std::vector<Eigen::Index> widths{inputs, 1 + static_cast<Eigen::Index>(rng.below(5))};
        if (rng.bernoulli(0.5)) widths.push_back(1 + static_cast<Eigen::Index>(rng.below(4)));
        widths.push_back(2);
        std::vector<Layer> layers = test::random_network(rng, widths).layers();
        for (Layer& layer : layers) {
            layer.weights = layer.weights.array().round();
            // Not 0 where nothing else is: neither side of such a neuron would have an inside.
            layer.bias = layer.bias.array().round() + (rng.bernoulli(0.3) ? 0.5 : 0);
        }
        const ReluNetwork network(layers);
        const std::vector<Pattern> found = patterns_of(network, domain);
        EXPECT_EQ(count_patterns(network, domain), found.size());
        // A neuron that is 0 on all of a region is off there, and has no room to 0 to ask for.
        std::set<Pattern> slow;
        for (const auto& [pattern, depth] : test::slow_regions(network, domain, -clearly_inside)) {
            Pattern standard = pattern;
            std::vector<AffineFunction> functions;
            for (std::size_t layer = 0; layer < pattern.size(); ++layer) {
                const auto neurons = affine_neurons(network, standard, layer);
                for (std::size_t i = 0; i < neurons.size(); ++i) {
                    const bool nothing = neurons[i].weights.isZero() && neurons[i].constant == 0;
                    if (nothing)
                        standard[layer][i] = 0;
                    else
                        functions.push_back(standard[layer][i] ? neurons[i] : -neurons[i]);
                }
            }
            if (test::clp_depth(domain, functions) > clearly_inside) slow.insert(standard);
        }
        EXPECT_EQ(std::set<Pattern>(found.begin(), found.end()), slow);
    }
}

TEST(ForEachPattern, GivesTheSameInTheSameOrderForAnyNumberOfThreads) {
    for (std::uint64_t round = 0; round < 6; ++round) {
        Rng rng(round, Draw::test, 2);
        const ReluNetwork network =
            round % 2 == 0 ? test::random_network(rng, {3, 12, 6, 3}) : test::random_network(rng, {2, 30, 30, 3});
        const Domain domain = test::box_domain(network.inputs(), -1, 1);
        const std::vector<Pattern> one = patterns_of(network, domain, 1);
        EXPECT_GT(one.size(), 100U);
        for (const int threads : {2, 5}) {
            EXPECT_EQ(patterns_of(network, domain, threads), one);
            EXPECT_EQ(count_patterns(network, domain, {.threads = threads}), one.size());
        }
    }
}

TEST(ForEachPattern, FindsThePatternOfEveryRow) {
    for (std::uint64_t round = 0; round < 8; ++round) {
        Rng rng(round, Draw::test, 3);
        Domain domain = test::box_domain(2, -1, 1);
        if (round % 4 == 1) domain = test::domain_of_kinds({.real = 2, .whole = 1, .binary = 1, .groups = {3}});
        if (round % 4 == 2) domain = test::box_domain(4, 0, 1);
        const std::vector<Eigen::Index> widths = round % 4 == 3 ? std::vector<Eigen::Index>{2, 40, 40, 40, 3}
                                                                : std::vector<Eigen::Index>{domain.inputs(), 8, 6, 3};
        const ReluNetwork network = test::random_network(rng, widths);
        const std::vector<Pattern> found = patterns_of(network, domain);
        for (int i = 0; i < 2'000; ++i) {
            const Pattern pattern = activation_pattern(network, test::uniform_row(rng, domain));
            EXPECT_TRUE(std::binary_search(found.begin(), found.end(), pattern));
        }
    }
}

TEST(ForEachPattern, DividesARectangleWithoutGapsOrOverlaps) {
    for (std::uint64_t round = 0; round < 12; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        Rng rng(round, Draw::test, 4);
        Domain domain = test::box_domain(2, -1, 1);
        if (round % 3 == 1) domain.lower << -1e-3, 20;
        if (round % 3 == 1) domain.upper << 2e-3, 900;
        std::vector<Layer> layers = test::random_network(rng, round % 2 ? std::vector<Eigen::Index>{2, 25, 3}
                                                                        : std::vector<Eigen::Index>{2, 20, 20, 20, 3})
                                        .layers();
        for (Eigen::Index input = 0; input < 2; ++input) {  // hyperplanes in the midst of the box whatever its units
            const double middle = (domain.lower[input] + domain.upper[input]) / 2;
            const double half = (domain.upper[input] - domain.lower[input]) / 2;
            layers[0].bias -= layers[0].weights.col(input) * (middle / half);
            layers[0].weights.col(input) /= half;
        }
        const ReluNetwork network(std::move(layers));
        double sum = 0;
        for_each_pattern(network, domain, {}, [&](const Pattern& pattern) {
            test::Polygon region = test::rectangle(domain);
            for (const AffineFunction& function : test::region_of(network, pattern))
                region = test::clip(region, function);
            const double of_it = test::area(region);
            EXPECT_GT(of_it, 0);
            sum += of_it;
        });
        const double whole = test::area(test::rectangle(domain));
        EXPECT_NEAR(sum, whole, 1e-9 * whole);
    }
}

TEST(ForEachPattern, ThrowsOnceThereAreTooMany) {
    Rng rng(1, Draw::test, 5);
    const ReluNetwork network = test::random_network(rng, {3, 10, 2});
    const Domain domain = test::box_domain(3, -1, 1);
    const std::size_t all = count_patterns(network, domain);
    std::size_t visited = 0;
    const auto visit = [&](const Pattern&) { ++visited; };
    for (const int threads : {1, 3}) {
        EXPECT_EQ(count_patterns(network, domain, {.threads = threads, .most = all}), all);
        for_each_pattern(network, domain, {.threads = threads, .most = all}, visit);
        try {
            (void)count_patterns(network, domain, {.threads = threads, .most = all - 1});
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.what(), "there are more than " + std::to_string(all - 1) + " activation patterns");
        }
        EXPECT_THROW(for_each_pattern(network, domain, {.threads = threads, .most = all - 1}, visit), Error);
    }
    EXPECT_GE(visited, 2 * all);
}

// 1x200 at d = 30 has more regions than a computer can count. Whoever asks for no more than a thousand is told so.
TEST(CountPatterns, ThrowsSoonHoweverManyThereAre) {
    Rng rng(1, Draw::test, 6);
    const ReluNetwork network = test::random_network(rng, {30, 200, 2});
    const Domain domain = test::box_domain(30, -1, 1);
    EXPECT_THROW((void)count_patterns(network, domain, {.most = 1'000}), Error);
    EXPECT_THROW(for_each_pattern(network, domain, {.most = 1'000}, [](const Pattern&) {}), Error);
    const Progress stop = [calls = 0](double, std::string_view) mutable { return ++calls < 5; };
    EXPECT_THROW((void)count_patterns(network, domain, {}, stop), Error);
}

TEST(ForEachPattern, OfANetworkWithoutHiddenLayersIsOneRegion) {
    Rng rng(1, Draw::test, 7);
    const ReluNetwork network = test::random_network(rng, {3, 2});
    EXPECT_EQ(patterns_of(network, test::box_domain(3, -1, 1)), std::vector<Pattern>(1));
    EXPECT_EQ(count_patterns(network, test::box_domain(3, -1, 1)), 1U);
}

}  // namespace
}  // namespace polyrx

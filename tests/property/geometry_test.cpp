// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "polyrx/core/infinity.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/geometry/interior.hpp"
#include "tests/support/clp_lp.hpp"
#include "tests/support/random_programs.hpp"
#include "tests/support/slow_regions.hpp"

namespace polyrx {
namespace {

// Some members of groups cannot be 1 any more, or must be.
void narrow_groups(Rng& rng, Domain& domain) {
    for (const auto& group : domain.groups) {
        const Eigen::Index kept = group[rng.below(group.size())];
        for (const Eigen::Index member : group)
            if (member != kept && rng.bernoulli(0.3)) domain.upper[member] = 0;
        if (rng.bernoulli(0.2)) domain.lower[kept] = 1;
    }
}

TEST(Maximum, OnADomainIsWhatClpFinds) {
    for (std::uint64_t round = 0; round < 2'000; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        test::RandomPrograms programs(20, round);
        test::RandomProgram program = programs.next();
        narrow_groups(programs.rng(), program.domain);
        test::ClpLp clp(program.domain);
        for (const AffineFunction& function : program.objectives) {
            const double most = maximum(program.domain, function);
            const double size = test::size_of(program.domain, function);
            EXPECT_NEAR(most, clp.maximize(function).value().value, 1e-9 * size);
            EXPECT_LE(function(test::uniform_row(programs.rng(), program.domain)), most + 1e-12 * size);
        }
    }
}

TEST(Maximum, OnAnEmptyDomainIsMinusInfinity) {
    Domain domain = test::domain_of_kinds({.real = 1, .groups = {2}});
    const AffineFunction function{Vector::Zero(3), 7};
    EXPECT_EQ(maximum(domain, function), 7);
    domain.upper[1] = domain.upper[2] = 0;
    EXPECT_EQ(maximum(domain, function), -infinity);
    domain = test::box_domain(2, 1, 0);
    EXPECT_EQ(maximum(domain, {Vector::Zero(2), 7}), -infinity);
}

TEST(InteriorPoint, IsInsideIfAndOnlyIfClpFindsAnInside) {
    int with = 0;
    int without = 0;
    for (std::uint64_t round = 0; round < 3'000; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        const test::RandomProgram program = test::RandomPrograms(21, round).next();
        const Domain& domain = program.domain;
        const InteriorPoint found = interior_point(domain, program.functions);
        const double clp = test::clp_depth(domain, program.functions);
        // Depths are in other units there, so only their signs can be compared.
        if (found.depth > 1e-7) {
            ++with;
            EXPECT_GT(clp, 1e-9);
            for (const AffineFunction& function : program.functions) EXPECT_GT(function(found.point), 0);
            for (Eigen::Index i = 0; i < domain.inputs(); ++i) {
                EXPECT_GE(found.point[i], domain.lower[i]);
                EXPECT_LE(found.point[i], domain.upper[i]);
            }
        } else if (found.depth < -1e-7) {
            ++without;
            EXPECT_LT(clp, 0);
        } else {
            EXPECT_LT(clp, 1e-6);
        }
    }
    EXPECT_GT(with, 300);
    EXPECT_GT(without, 300);
}

TEST(InteriorPoint, HasAsMuchRoomAsItSays) {
    // A triangle whose largest inscribed box-like neighborhood is known: x, y >= 0 and x + y <= 1 on 0..1.
    Vector down(2);
    down << -1, -1;
    const InteriorPoint found = interior_point(test::box_domain(2, 0, 1), {{down, 1}});
    EXPECT_NEAR(found.depth, 1.0 / 3, 1e-12);
    EXPECT_NEAR(found.point[0], 1.0 / 3, 1e-12);
    EXPECT_NEAR(found.point[1], 1.0 / 3, 1e-12);
}

TEST(InteriorPoint, OfADomainWithUnboundedInputsLiesInIt) {
    Domain domain = test::box_domain(3, -1, 1);
    domain.lower[1] = 5;
    domain.upper[1] = infinity;
    domain.lower[2] = -infinity;
    domain.upper[2] = -5;
    const InteriorPoint found = interior_point(domain, {{Vector::Unit(3, 0), 0}});
    EXPECT_GT(found.depth, 0);
    EXPECT_TRUE(contains(domain, found.point)) << found.point.transpose();
}

TEST(Contains, KnowsBoundsWholeNumbersGroupsAndWhatIsNoNumber) {
    const Domain domain = test::domain_of_kinds({.real = 1, .whole = 1, .groups = {2}});
    const auto row = [](double real, double whole, double first, double second) {
        Vector result(4);
        result << real, whole, first, second;
        return result;
    };
    EXPECT_TRUE(contains(domain, row(-1, 9, 0, 1)));
    EXPECT_TRUE(contains(domain, row(0.3, 0, 1, 0)));
    EXPECT_FALSE(contains(domain, row(1.0000001, 0, 1, 0)));
    EXPECT_FALSE(contains(domain, row(0, 1.5, 1, 0)));
    EXPECT_FALSE(contains(domain, row(0, 1, 1, 1)));
    EXPECT_FALSE(contains(domain, row(0, 1, 0, 0)));
    EXPECT_FALSE(contains(domain, row(0, 1, 0.5, 0.5)));
    EXPECT_FALSE(contains(domain, row(std::nan(""), 1, 0, 1)));
    EXPECT_FALSE(contains(domain, row(0, std::nan(""), 0, 1)));
}

}  // namespace
}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/geometry/simplex.hpp"
#include "polyrx/core/infinity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/clp_lp.hpp"
#include "tests/support/random_programs.hpp"

namespace polyrx {
namespace {

using Sign = Simplex::Sign;
using Answer = Simplex::Answer;

// A polyhedron and what was required of it: functions that are >= 0, in the order of the simplex' rows.
struct Polyhedron {
    explicit Polyhedron(const Domain& of) : domain(of), simplex(of) {}

    // False, and nothing is required, if no point would be left.
    bool require(const AffineFunction& function) {
        const int row = simplex.add(function);
        if (simplex.value(row) < 0) simplex.push(row, Sign::positive, 0);
        if (simplex.value(row) < 0) {
            simplex.drop_last();
            return false;
        }
        simplex.require(row, Sign::positive);
        required.push_back(function);
        return true;
    }

    // The multipliers prove that g, whose largest value is said to be this, does not exceed it by more than rounding.
    void expect_proof(AffineFunction g, double value, const std::vector<Simplex::RowMultiplier>& multipliers) const {
        const double size = test::size_of(domain, g);
        double size_of_terms = size;
        for (const auto& [row, y] : multipliers) {
            EXPECT_GE(y, 0);
            const AffineFunction& s = required[static_cast<std::size_t>(row)];
            g.weights += y * s.weights;
            g.constant += y * s.constant;
            size_of_terms += y * test::size_of(domain, s);
        }
        const double bound = maximum(domain, g);
        EXPECT_GE(bound, value - 1e-9 * size_of_terms);
        EXPECT_LE(bound, value + 1e-6 * size);
    }

    void expect_inside(const Vector& point) const {
        for (const AffineFunction& each : required) EXPECT_GE(each(point), -1e-8 * test::size_of(domain, each));
        const Vector slack = 1e-9 * (domain.upper - domain.lower) + 1e-15 * magnitudes(domain);
        EXPECT_TRUE((point.array() >= (domain.lower - slack).array()).all());
        EXPECT_TRUE((point.array() <= (domain.upper + slack).array()).all());
        for (const auto& group : domain.groups) {
            double sum = 0;
            for (const Eigen::Index member : group) sum += point[member];
            EXPECT_NEAR(sum, 1, 1e-9);
        }
    }

    // The largest value, which its point attains and its multipliers prove.
    double maximize(const AffineFunction& function) {
        const int row = simplex.add(function);
        EXPECT_EQ(simplex.push(row, Sign::positive, infinity), Answer::optimal);
        const double value = simplex.value(row);
        const Vector point = simplex.point();
        EXPECT_NEAR(function(point), value, 1e-9 * test::size_of(domain, function));
        expect_inside(point);
        expect_proof(function, value, simplex.multipliers(row, Sign::positive));
        simplex.drop_last();
        return value;
    }

    Domain domain;
    Simplex simplex;
    std::vector<AffineFunction> required;
};

TEST(Simplex, AgreesWithClpOnAHundredThousandProgramsOfWhichManyAreDegenerate) {
    std::size_t asked = 0;
    std::size_t refused = 0;
    for (std::uint64_t round = 0; asked < 100'000; ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        const test::RandomProgram program = test::RandomPrograms(1, round).next();
        Polyhedron ours(program.domain);
        test::ClpLp theirs(program.domain);
        for (const AffineFunction& function : program.functions) {
            if (ours.require(function)) {
                theirs.require(function);
                continue;
            }
            ++refused;
            ++asked;
            EXPECT_LE(theirs.maximize(function)->value, 1e-7 * test::size_of(program.domain, function));
        }
        for (const AffineFunction& function : program.objectives) {
            ++asked;
            const auto expected = theirs.maximize(function);
            ASSERT_TRUE(expected.has_value());
            EXPECT_NEAR(ours.maximize(function), expected->value, 1e-7 * test::size_of(program.domain, function));
        }
        if (HasFailure()) break;
    }
    EXPECT_GT(refused, 5'000U);
}

// A polyhedron of a random program, whose objectives have moved it away from where it began.
Polyhedron some_polyhedron(const test::RandomProgram& program) {
    Polyhedron polyhedron(program.domain);
    for (const AffineFunction& function : program.functions) polyhedron.require(function);
    for (const AffineFunction& function : program.objectives) polyhedron.maximize(function);
    return polyhedron;
}

// Answers as one that was made for what is required now.
void expect_like_fresh(Polyhedron& changed, const std::vector<AffineFunction>& objectives) {
    test::ClpLp fresh(changed.domain, changed.required);
    for (const AffineFunction& function : objectives)
        EXPECT_NEAR(changed.maximize(function), fresh.maximize(function).value().value,
                    1e-7 * test::size_of(changed.domain, function));
}

constexpr std::uint64_t rounds = 1'500;

TEST(Simplex, AnswersForEveryInputLikeForTheFunctionThatIsTheInput) {
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        const test::RandomProgram program = test::RandomPrograms(2, round).next();
        Polyhedron polyhedron = some_polyhedron(program);
        for (Eigen::Index input = 0; input < program.domain.inputs(); ++input) {
            for (const Sign sign : {Sign::positive, Sign::negative}) {
                AffineFunction function{Vector::Zero(program.domain.inputs()), 0};
                function.weights[input] = sign == Sign::positive ? 1 : -1;
                const double expected = polyhedron.maximize(function);
                ASSERT_EQ(polyhedron.simplex.push_input(input, sign, infinity), Answer::optimal);
                const double value = function.weights[input] * polyhedron.simplex.input_value(input);
                EXPECT_NEAR(value, expected, 1e-8 * test::size_of(program.domain, function));
                polyhedron.expect_proof(function, value, polyhedron.simplex.input_multipliers(input, sign));
            }
        }
    }
}

TEST(Simplex, OfARequiredRowFindsTheRangeAndTheProofToo) {
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        const test::RandomProgram program = test::RandomPrograms(3, round).next();
        Polyhedron polyhedron = some_polyhedron(program);
        for (std::size_t i = 0; i < polyhedron.required.size(); ++i) {
            for (const Sign sign : {Sign::positive, Sign::negative}) {
                const AffineFunction function =
                    sign == Sign::positive ? polyhedron.required[i] : -polyhedron.required[i];
                const int row = static_cast<int>(i);
                ASSERT_EQ(polyhedron.simplex.push(row, sign, infinity), Answer::optimal);
                const double value = (sign == Sign::positive ? 1 : -1) * polyhedron.simplex.value(row);
                polyhedron.expect_proof(function, value, polyhedron.simplex.multipliers(row, sign));
                EXPECT_NEAR(polyhedron.maximize(function), value, 1e-8 * test::size_of(program.domain, function));
            }
        }
    }
}

TEST(Simplex, StopsAsSoonAsTheValueIsBeyondEnough) {
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        test::RandomPrograms programs(4, round);
        const test::RandomProgram program = programs.next();
        Polyhedron polyhedron = some_polyhedron(program);
        for (const AffineFunction& function : program.objectives) {
            const double most = polyhedron.maximize(function);
            const double size = test::size_of(program.domain, function);
            const int row = polyhedron.simplex.add(function);
            polyhedron.simplex.push(row, Sign::negative, infinity);
            const double least = polyhedron.simplex.value(row);
            if (most - least > 1e-6 * size) {
                const double between = least + (most - least) * programs.rng().uniform(0.1, 0.9);
                EXPECT_EQ(polyhedron.simplex.push(row, Sign::positive, between), Answer::exceeds);
                EXPECT_GT(polyhedron.simplex.value(row), between);
            }
            EXPECT_EQ(polyhedron.simplex.push(row, Sign::positive, most + 1e-6 * size), Answer::optimal);
            polyhedron.simplex.drop_last();
        }
    }
}

TEST(Simplex, WithRowsRequiredToBeNegativeIsThatOfTheirNegations) {
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        test::RandomPrograms programs(5, round);
        const test::RandomProgram program = programs.next();
        Polyhedron polyhedron(program.domain);
        for (const AffineFunction& function : program.functions) {
            if (programs.rng().bernoulli(0.5)) {
                polyhedron.require(function);
                continue;
            }
            const int row = polyhedron.simplex.add(-function);
            if (polyhedron.simplex.value(row) > 0) polyhedron.simplex.push(row, Sign::negative, 0);
            if (polyhedron.simplex.value(row) > 0) {
                polyhedron.simplex.drop_last();
                continue;
            }
            polyhedron.simplex.require(row, Sign::negative);
            polyhedron.required.push_back(function);  // minus the row: what its multiplier counts
        }
        expect_like_fresh(polyhedron, program.objectives);
    }
}

TEST(Simplex, WithNarrowedInputsIsThatOfTheNarrowedDomain) {
    std::size_t refused = 0;
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        test::RandomPrograms programs(6, round);
        Rng& rng = programs.rng();
        const test::RandomProgram program = programs.next();
        Polyhedron polyhedron = some_polyhedron(program);
        for (int step = 0; step < 4; ++step) {
            const auto input =
                static_cast<Eigen::Index>(rng.below(static_cast<std::uint64_t>(program.domain.inputs())));
            const bool raise = rng.bernoulli(0.5);
            const double low = polyhedron.domain.lower[input];
            const double high = polyhedron.domain.upper[input];
            const bool member = std::any_of(
                program.domain.groups.begin(), program.domain.groups.end(),
                [&](const auto& group) { return std::find(group.begin(), group.end(), input) != group.end(); });
            const double bound = member ? (raise ? 1 : 0) : low + (high - low) * rng.uniform();
            Domain narrowed = polyhedron.domain;
            (raise ? narrowed.lower : narrowed.upper)[input] = bound;
            AffineFunction function{Vector::Zero(program.domain.inputs()), 0};
            function.weights[input] = raise ? 1 : -1;
            const double furthest = test::ClpLp(polyhedron.domain, polyhedron.required).maximize(function)->value;
            const double room = furthest - function.weights[input] * bound;
            if (std::abs(room) < 1e-7 * (high - low)) continue;  // either answer is right
            const bool possible = polyhedron.simplex.narrow(input, raise ? Sign::positive : Sign::negative, bound);
            EXPECT_EQ(possible, room >= 0);
            if (!possible) {
                ++refused;
                break;
            }
            polyhedron.domain = narrowed;
            expect_like_fresh(polyhedron, program.objectives);
        }
    }
    EXPECT_GT(refused, 100U);
}

TEST(Simplex, WithReleasedRowsIsThatOfTheOthers) {
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        test::RandomPrograms programs(7, round);
        const test::RandomProgram program = programs.next();
        Polyhedron polyhedron = some_polyhedron(program);
        std::vector<AffineFunction> still;
        for (std::size_t i = 0; i < polyhedron.required.size(); ++i) {
            if (programs.rng().bernoulli(0.5))
                still.push_back(polyhedron.required[i]);
            else
                polyhedron.simplex.release(static_cast<int>(i));
        }
        test::ClpLp fresh(program.domain, still);
        for (const AffineFunction& function : program.objectives) {
            const int row = polyhedron.simplex.add(function);
            ASSERT_EQ(polyhedron.simplex.push(row, Sign::positive, infinity), Answer::optimal);
            EXPECT_NEAR(polyhedron.simplex.value(row), fresh.maximize(function)->value,
                        1e-7 * test::size_of(program.domain, function));
            polyhedron.simplex.drop_last();
        }
        // Once they are forgotten, the numbers of rows are those of what is left.
        polyhedron.simplex.keep_required();
        polyhedron.required = still;
        ASSERT_EQ(polyhedron.simplex.rows(), static_cast<int>(still.size()));
        expect_like_fresh(polyhedron, program.objectives);
    }
}

TEST(Simplex, ForgetsALastRowThatWasRequiredOnce) {
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        const test::RandomProgram program = test::RandomPrograms(8, round).next();
        Polyhedron polyhedron = some_polyhedron(program);
        if (polyhedron.required.empty()) continue;
        polyhedron.simplex.release(polyhedron.simplex.rows() - 1);
        polyhedron.simplex.drop_last();
        polyhedron.required.pop_back();
        expect_like_fresh(polyhedron, program.objectives);
    }
}

TEST(Simplex, KeepsRequiredRowsAndTheirOrderWhenItForgetsTheOthers) {
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        test::RandomPrograms programs(9, round);
        const test::RandomProgram program = programs.next();
        Polyhedron polyhedron(program.domain);
        for (const AffineFunction& function : program.functions) {
            if (programs.rng().bernoulli(0.5)) (void)polyhedron.simplex.add(function);
            const int row = polyhedron.simplex.add(function);
            polyhedron.simplex.push(row, Sign::positive, 0);
            if (polyhedron.simplex.value(row) < 0) continue;
            polyhedron.simplex.require(row, Sign::positive);
            polyhedron.required.push_back(function);
        }
        polyhedron.simplex.keep_required();
        ASSERT_EQ(polyhedron.simplex.rows(), static_cast<int>(polyhedron.required.size()));
        const Vector point = polyhedron.simplex.point();
        for (int row = 0; row < polyhedron.simplex.rows(); ++row) {
            const AffineFunction& function = polyhedron.required[static_cast<std::size_t>(row)];
            EXPECT_NEAR(polyhedron.simplex.value(row), function(point), 1e-8 * test::size_of(program.domain, function));
        }
        expect_like_fresh(polyhedron, program.objectives);
    }
}

TEST(Simplex, IsAValueWhoseCopiesGoTheirOwnWay) {
    for (std::uint64_t round = 0; round < rounds && !HasFailure(); ++round) {
        SCOPED_TRACE(testing::Message() << "round " << round);
        const test::RandomProgram program = test::RandomPrograms(10, round).next();
        Polyhedron original = some_polyhedron(program);
        const Vector before = original.simplex.point();
        Polyhedron copy = original;
        for (const AffineFunction& function : program.objectives) copy.maximize(-function);
        copy.require(program.objectives.front());
        (void)copy.simplex.narrow(0, Sign::negative, program.domain.lower[0]);
        EXPECT_EQ(original.simplex.point(), before);
        EXPECT_EQ(original.simplex.rows(), static_cast<int>(original.required.size()));
        expect_like_fresh(original, program.objectives);
    }
}

TEST(Simplex, TakesAnInputWithoutBoundsAsOneThatDoesNotMatter) {
    Domain domain = test::box_domain(3, -1, 1);
    domain.lower[1] = -infinity;
    domain.lower[2] = 5;
    domain.upper[2] = infinity;
    Simplex simplex(domain);
    Vector weights(3);
    weights << 2, 0, 0;
    const int row = simplex.add({weights, 1});
    EXPECT_EQ(simplex.push(row, Sign::positive, infinity), Answer::optimal);
    EXPECT_EQ(simplex.value(row), 3);
    EXPECT_TRUE(contains(domain, simplex.point())) << simplex.point().transpose();
}

}  // namespace
}  // namespace polyrx

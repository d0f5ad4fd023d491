// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/core/part_of_work.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/core/sha256.hpp"
#include "tests/support/table_makers.hpp"

namespace polyrx {
namespace {

TEST(Sha256, AgreesWithTheStandard) {
    EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePiecesItIsGiven) {
    std::string bytes;
    for (int i = 0; i < 300; ++i) bytes += static_cast<char>(i * 37);
    for (std::size_t length = 0; length <= bytes.size(); length += 7) {
        const std::string message = bytes.substr(0, length);
        for (const std::size_t piece : {1, 3, 55, 56, 64, 65}) {
            Sha256 hash;
            for (std::size_t at = 0; at < length; at += piece) hash.add(message.substr(at, piece));
            EXPECT_EQ(hash.hex(), sha256_hex(message)) << length << " " << piece;
        }
    }
}

// The values were computed by a second implementation, in Python integers, from the published algorithms.
TEST(Rng, DrawsTheSameNumbersForEver) {
    Rng rng(1, Draw::test);
    EXPECT_EQ(rng.next(), 3024655831082157293u);
    EXPECT_EQ(rng.next(), 18122193183833101539u);
    EXPECT_EQ(rng.below(1000), 10u);
    EXPECT_EQ(rng.uniform(), 0.1303225730357267);
    EXPECT_DOUBLE_EQ(rng.normal(), 0.3862001836543464);
    std::vector<int> items = {0, 1, 2, 3, 4, 5};
    rng.shuffle(std::span(items));
    EXPECT_EQ(items, (std::vector<int>{0, 5, 4, 3, 1, 2}));
}

TEST(Rng, HasTheMomentsOfItsDistributions) {
    constexpr int draws = 1'000'000;
    Rng rng(2, Draw::test);
    double uniform = 0, uniform2 = 0, normal = 0, normal2 = 0, normal4 = 0, heads = 0;
    for (int i = 0; i < draws; ++i) {
        const double u = rng.uniform();
        ASSERT_TRUE(u >= 0 && u < 1);
        uniform += u / draws;
        uniform2 += u * u / draws;
        const double z = rng.normal();
        normal += z / draws;
        normal2 += z * z / draws;
        normal4 += z * z * z * z / draws;
        heads += rng.bernoulli(.3) ? 1.0 / draws : 0;
    }
    // Five standard errors each.
    EXPECT_NEAR(uniform, .5, 5 * .289e-3);
    EXPECT_NEAR(uniform2, 1.0 / 3, 5 * .298e-3);
    EXPECT_NEAR(normal, 0, 5e-3);
    EXPECT_NEAR(normal2, 1, 5 * 1.42e-3);
    EXPECT_NEAR(normal4, 3, 5 * 9.8e-3);
    EXPECT_NEAR(heads, .3, 5 * .46e-3);
}

TEST(Rng, DrawsEveryNumberBelowABoundEquallyOften) {
    constexpr int draws = 700'000;
    Rng rng(3, Draw::test);
    std::vector<int> count(7);
    for (int i = 0; i < draws; ++i) ++count[rng.below(7)];
    double chi2 = 0;
    for (const int c : count) chi2 += std::pow(c - draws / 7.0, 2) / (draws / 7.0);
    EXPECT_LT(chi2, 35);  // 6 degrees of freedom; p < 1e-5
    EXPECT_EQ(rng.below(1), 0u);
    // A bound for which the biased way would draw the lower half twice as often as the upper.
    const std::uint64_t bound = 3ULL << 62;
    int low = 0;
    for (int i = 0; i < 100'000; ++i) low += rng.below(bound) < bound / 2;
    EXPECT_NEAR(low, 50'000, 5 * 158);
}

TEST(Rng, GivesEverySeedPurposeAndIndexAStreamOfItsOwn) {
    std::set<std::uint64_t> first;
    for (std::uint64_t seed = 0; seed < 10; ++seed)
        for (const Draw purpose : {Draw::features, Draw::assignment, Draw::noise, Draw::split})
            for (std::uint64_t index = 0; index < 10; ++index) first.insert(Rng(seed, purpose, index).next());
    EXPECT_EQ(first.size(), 400u);

    Rng a(1, Draw::test, 0);
    Rng b(1, Draw::test, 1);
    double correlation = 0;
    for (int i = 0; i < 100'000; ++i) correlation += a.normal() * b.normal() / 100'000;
    EXPECT_NEAR(correlation, 0, 5 * 3.2e-3);
}

TEST(ParallelFor, RunsEveryTaskOnceWhateverTheThreads) {
    for (const int threads : {0, 1, 2, 7}) {
        std::vector<std::atomic<int>> runs(1000);
        parallel_for(runs.size(), threads, [&](std::size_t i) { ++runs[i]; });
        for (const auto& count : runs) ASSERT_EQ(count, 1);
    }
    parallel_for(0, 4, [](std::size_t) { FAIL(); });
}

TEST(ParallelFor, RethrowsTheLowestFailure) {
    for (int attempt = 0; attempt < 50; ++attempt)
        EXPECT_EQ(test::sentence_of(ErrorKind::other,
                                    [] {
                                        parallel_for(100, 4, [](std::size_t i) {
                                            if (i >= 10) throw other_error("task " + std::to_string(i));
                                        });
                                    }),
                  "task 10");
}

#if defined(__GLIBC__)
TEST(ParallelFor, DoesEveryTaskInTheCallersThreadWhereNoOtherCanBeStarted) {
    // Every new thread asks for a stack that no machine has.
    pthread_attr_t before;
    ASSERT_EQ(pthread_getattr_default_np(&before), 0);
    pthread_attr_t greedy;
    ASSERT_EQ(pthread_attr_init(&greedy), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&greedy, std::size_t{1} << 62), 0);
    ASSERT_EQ(pthread_setattr_default_np(&greedy), 0);
    EXPECT_THROW(std::thread([] {}), std::system_error);
    std::vector<std::thread::id> ran_in(1000);
    EXPECT_NO_THROW(parallel_for(ran_in.size(), 4, [&](std::size_t i) { ran_in[i] = std::this_thread::get_id(); }));
    EXPECT_EQ(pthread_setattr_default_np(&before), 0);
    EXPECT_EQ(std::ranges::count(ran_in, std::this_thread::get_id()), 1000);
    std::thread([] {}).join();
}
#endif

TEST(ParallelFor, TakesZeroForAllCores) {
    EXPECT_GE(threads_for(0), 1);
    EXPECT_EQ(threads_for(3), 3);
}

TEST(Progress, StopsTheWorkWhenTheListenerSaysSo) {
    report({}, .5, "nothing");
    double heard = 0;
    const Progress listener = [&](double share, std::string_view) {
        heard = share;
        return share < .9;
    };
    report(listener, .5, "work");
    EXPECT_EQ(heard, .5);
    EXPECT_EQ(test::sentence_of(ErrorKind::canceled, [&] { report(listener, 1, "work"); }), "canceled");
}

TEST(PartOfWork, TellsTheListenerOfTheWholeAndPassesItsWishOn) {
    std::vector<std::pair<double, std::string>> heard;
    const Progress whole = [&](double share_done, std::string_view work) {
        heard.emplace_back(share_done, work);
        return share_done < 0.5;
    };
    EXPECT_TRUE(part_of_work(whole, 0.1, 0.4)(0.5, "counting"));
    EXPECT_TRUE(part_of_work(whole, 0.1, 0.4, "everything")(1, "counting"));
    EXPECT_FALSE(part_of_work(part_of_work(whole, 0.4, 1), 0.5, 1)(0, "counting"));
    EXPECT_EQ(heard, (std::vector<std::pair<double, std::string>>{
                         {0.25, "counting"}, {0.4, "everything"}, {0.7, "counting"}}));
}

TEST(PartOfWork, HasNoListenerWhereTheWholeHasNone) {
    EXPECT_FALSE(part_of_work({}, 0, 1));
}

}  // namespace
}  // namespace polyrx

// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine: generator, distributions and shuffle are defined here.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace polyrx {

// The purpose of a random stream. Each purpose has its own stream, so that an additional draw in one place changes
// nothing elsewhere. Append only: the values are part of "same seed, same bytes".
enum class Draw : std::uint64_t {
    features = 1,
    assignment = 2,
    noise = 3,
    missingness = 4,
    split = 5,
    weights = 6,
    shuffle = 7,
    folds = 8,
    refute = 9,
    held_out = 10,
    crossings = 11,
    forest = 12,
    doses = 13,
    honest_halves = 14,
    bootstrap = 15,
    multipliers = 16,
    member = 17,
    bag = 18,
    restart = 19,
    student = 20,
    test = 1000,
};

// xoshiro256++ (Blackman & Vigna 2019), seeded through splitmix64 from (seed, purpose, index).
class Rng {
public:
    Rng(std::uint64_t seed, Draw purpose, std::uint64_t index = 0);

    std::uint64_t next();
    double uniform();                         // [0, 1), 53 bits
    double uniform(double low, double high);  // [low, high)
    double normal();                          // Marsaglia's polar method
    bool bernoulli(double probability);
    std::uint64_t below(std::uint64_t bound);  // 0 .. bound-1, unbiased (Lemire 2019); bound > 0

    // Fisher-Yates, from the back.
    template <class T>
    void shuffle(std::span<T> items) {
        for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    }

private:
    std::uint64_t state_[4];
    double spare_normal_ = 0;
    bool has_spare_ = false;
};

}  // namespace polyrx

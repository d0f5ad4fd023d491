// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/rng.hpp"

#include <bit>
#include <cmath>

namespace polyrx {
namespace {

// The output function of splitmix64: a bijection in which each bit affects all others.
std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

}  // namespace

Rng::Rng(std::uint64_t seed, Draw purpose, std::uint64_t index) {
    // Hashes the three coordinates in sequence, so that (1, 2, 0) and (2, 1, 0) are unrelated.
    std::uint64_t z = mix(seed + golden);
    z = mix((z ^ static_cast<std::uint64_t>(purpose)) + golden);
    z = mix((z ^ index) + golden);
    for (auto& word : state_) word = mix(z += golden);
}

std::uint64_t Rng::next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

double Rng::uniform() {
    return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double Rng::uniform(double low, double high) {
    return low + (high - low) * uniform();
}

double Rng::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_normal_;
    }
    double u = 0;
    double v = 0;
    double s = 0;
    do {
        u = uniform(-1, 1);
        v = uniform(-1, 1);
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double factor = std::sqrt(-2 * std::log(s) / s);
    spare_normal_ = v * factor;
    has_spare_ = true;
    return u * factor;
}

bool Rng::bernoulli(double probability) {
    return uniform() < probability;
}

std::uint64_t Rng::below(std::uint64_t bound) {
    __extension__ typedef unsigned __int128 Wide;  // not ISO C++, but available in all supported compilers
    Wide product = static_cast<Wide>(next()) * bound;
    auto low = static_cast<std::uint64_t>(product);
    if (low < bound) {
        const std::uint64_t threshold = (0 - bound) % bound;
        while (low < threshold) {
            product = static_cast<Wide>(next()) * bound;
            low = static_cast<std::uint64_t>(product);
        }
    }
    return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace polyrx

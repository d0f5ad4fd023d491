// SPDX-License-Identifier: Apache-2.0
// Random JSON documents, as values of the JSON library: an independent reader and writer.
#pragma once

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "polyrx/core/rng.hpp"

namespace polyrx::test {

inline std::string random_json_text(Rng& rng) {
    const std::string pieces[] = {"a",
                                  "B ",
                                  "\"",
                                  "\\",
                                  "/",
                                  "\n",
                                  "\t",
                                  "\b\f\r",
                                  "\x01",
                                  "\x1f",
                                  "\x7f",
                                  "\xc3\xa9",
                                  "{[,:",
                                  "0",
                                  "",
                                  "\xe2\x82\xac",
                                  "\xf0\x9f\x92\x8a",
                                  "\xed\x9f\xbf",
                                  "\xef\xbf\xbd",
                                  "null"};
    std::string text;
    for (std::uint64_t n = rng.below(6); n > 0; --n) text += pieces[rng.below(std::size(pieces))];
    return text;
}

inline double random_json_number(Rng& rng) {
    if (rng.below(3) == 0) return std::ldexp(std::round(1000 * rng.uniform()), static_cast<int>(rng.below(40)) - 20);
    const double number = std::bit_cast<double>(rng.next());
    return std::isfinite(number) ? number : -0.0;
}

inline nlohmann::ordered_json random_json(Rng& rng, int deepest) {
    using Json = nlohmann::ordered_json;
    switch (rng.below(deepest > 0 ? 9 : 6)) {
        case 0:
            return nullptr;
        case 1:
            return rng.below(2) == 0;
        case 2:
            return rng.next() >> rng.below(64);
        case 3:
            return -static_cast<std::int64_t>(rng.next() >> (1 + rng.below(63)));
        case 4:
            return random_json_number(rng);
        case 5:
            return random_json_text(rng);
        case 6: {
            Json object = Json::object();
            for (std::uint64_t n = rng.below(5); n > 0; --n)
                object[random_json_text(rng)] = random_json(rng, deepest - 1);
            return object;
        }
        default: {
            Json list = Json::array();
            for (std::uint64_t n = rng.below(5); n > 0; --n) list.push_back(random_json(rng, deepest - 1));
            return list;
        }
    }
}

}  // namespace polyrx::test

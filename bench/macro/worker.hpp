// SPDX-License-Identifier: Apache-2.0
// What the workers have in common: a request in JSON on a line of standard input, its answer on a line of standard
// output.
#pragma once

#include <chrono>
#include <ctime>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "polyrx/core/json/json_cursor.hpp"

namespace polyrx::bench {

#if defined(__clang__)
inline constexpr const char* compiler = "clang " __clang_version__;
#else
inline constexpr const char* compiler = "g++ " __VERSION__;
#endif

// {"wall": s, "cpu": s}
template <class Work>
Json seconds_of(const Work& work) {
    const std::clock_t cpu = std::clock();
    const auto wall = std::chrono::steady_clock::now();
    work();
    return {{"wall", std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count()},
            {"cpu", static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC}};
}

inline std::vector<int> hidden_in(const JsonCursor& request) {
    std::vector<int> hidden;
    for (const JsonCursor width : request.at("hidden").items()) hidden.push_back(width.whole<int>());
    return hidden;
}

// worker.answer(request) until the input ends. What it throws is answered as {"error": sentence}.
template <class Worker>
int serve(Worker worker) {
    for (std::string line; std::getline(std::cin, line);) {
        Json answer;
        try {
            const JsonDocument request = parse_json_document(line, "request");
            answer = worker.answer(request.root());
        } catch (const std::exception& trouble) {
            answer = Json({{"error", trouble.what()}});
        }
        std::cout << answer.dump() << std::endl;
    }
    return 0;
}

}  // namespace polyrx::bench

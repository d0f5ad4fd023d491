// SPDX-License-Identifier: Apache-2.0
// Runs each benchmark several times and shows the fastest run: on a shared machine that is the one least disturbed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

class FastestOfEach : public benchmark::ConsoleReporter {
public:
    FastestOfEach() : ConsoleReporter(OO_None) {}

    // Gets all repetitions of one benchmark at once, and their mean, median and deviation in a second call.
    void ReportRuns(const std::vector<Run>& runs) override {
        if (runs.front().run_type != Run::RT_Iteration) return;
        ConsoleReporter::ReportRuns({*std::ranges::min_element(
            runs, {}, [](const Run& run) { return run.cpu_accumulated_time / static_cast<double>(run.iterations); })});
    }
};

}  // namespace

int main(int argc, char** argv) {
    // First, so that options of the command line override them.
    std::vector<std::string> defaults = {"--benchmark_repetitions=7", "--benchmark_min_time=0.1"};
    std::vector<char*> arguments = {argv[0]};
    for (std::string& text : defaults) arguments.push_back(text.data());
    arguments.insert(arguments.end(), argv + 1, argv + argc);
    int count = static_cast<int>(arguments.size());
    benchmark::Initialize(&count, arguments.data());
    if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
    FastestOfEach reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);
    benchmark::Shutdown();
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Runs a fuzz target on the files of the folders it is given, so that any compiler tests what a fuzzer once found.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** folders) {
    std::vector<std::filesystem::path> files;
    for (int i = 1; i < count; ++i)
        for (const auto& entry : std::filesystem::directory_iterator(folders[i])) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& path : files) {
        // Before, so that the last line names the file on which the target stopped.
        std::printf("%s\n", path.filename().c_str());
        std::fflush(stdout);
        std::ifstream file(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), {}};
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
        // Every beginning too: cut files are what readers meet most.
        for (std::size_t length = 0; length < std::min<std::size_t>(bytes.size(), 2000); ++length)
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), length);
    }
    return files.empty() ? 1 : 0;
}

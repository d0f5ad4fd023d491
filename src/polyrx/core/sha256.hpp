// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), for fingerprints of data and model files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polyrx {

class Sha256 {
public:
    Sha256();

    void add(std::string_view bytes);
    // Finishes the message and returns 64 lowercase hexadecimal digits. Call once.
    std::string hex();

private:
    void absorb(const unsigned char* block);

    std::array<std::uint32_t, 8> state_;
    std::array<unsigned char, 64> pending_{};
    std::uint64_t length_ = 0;
};

[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace polyrx

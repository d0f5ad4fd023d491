// SPDX-License-Identifier: Apache-2.0
// A guard that makes its thread treat denormal floats as zero.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#endif

namespace polyrx {

// Adam's moments of inactive neurons decay into denormals, which make arithmetic many times slower.
class FlushDenormals {
public:
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

#if defined(__SSE2__)
    FlushDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040U); }  // FTZ | DAZ
    ~FlushDenormals() { _mm_setcsr(before_); }

private:
    unsigned before_;
#elif defined(__aarch64__)
    FlushDenormals() {
        asm volatile("mrs %0, fpcr" : "=r"(before_));
        asm volatile("msr fpcr, %0" ::"r"(before_ | (std::uint64_t{1} << 24)));  // FZ
    }
    ~FlushDenormals() { asm volatile("msr fpcr, %0" ::"r"(before_)); }

private:
    std::uint64_t before_ = 0;
#else
    FlushDenormals() = default;
    ~FlushDenormals() = default;
#endif
};

}  // namespace polyrx

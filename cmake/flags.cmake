# SPDX-License-Identifier: Apache-2.0
# Flags for every target of this project (not for those of its users).

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(polyrx_flags INTERFACE)
target_compile_options(polyrx_flags INTERFACE
    # Same seed, same bytes: no contraction of a*b+c into one rounding, which only some targets have.
    -ffp-contract=off
    # Lets sqrt be one instruction; nobody reads errno after it, and no value changes.
    -fno-math-errno
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    # Options are aggregates of which a caller names only some members.
    -Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # False alarms of g++ 12 inside std::string (GCC bug 105651) and std::variant; clang checks the same code.
    target_compile_options(polyrx_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # libstdc++ 12's own std::stable_sort calls a function that C++20 deprecates, and clang blames whoever sorts.
    target_compile_options(polyrx_flags INTERFACE -Wno-deprecated-declarations)
endif()
# What CI would refuse fails at a developer's too; a newer compiler's new warnings stop nobody from building.
if(POLYRX_WARNINGS_AS_ERRORS AND "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" MATCHES "^(GNU 12|Clang 19)\\.")
    target_compile_options(polyrx_flags INTERFACE -Werror)
endif()
if(POLYRX_SANITIZE)
    target_compile_options(polyrx_flags INTERFACE -fsanitize=${POLYRX_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(polyrx_flags INTERFACE -fsanitize=${POLYRX_SANITIZE})
endif()

find_program(POLYRX_CCACHE ccache)
if(POLYRX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${POLYRX_CCACHE})
endif()

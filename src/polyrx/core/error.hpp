// SPDX-License-Identifier: Apache-2.0
// The only exception type of the library: a sentence and a kind.
#pragma once

#include <stdexcept>
#include <string>

namespace polyrx {

// The kind of error; the program maps it to an exit code.
enum class ErrorKind {
    usage,     // an invalid call: an option out of range, an unknown name
    data,      // invalid data in a file
    proof,     // a claim was refuted or could not be proved
    canceled,  // the caller asked to stop
    other,     // disk failure, diverged training
};

class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}

    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

private:
    ErrorKind kind_;
};

// `throw data_error(fmt::format(...))` reads better than naming the enumerator each time.
[[nodiscard]] inline Error usage_error(const std::string& sentence) {
    return {ErrorKind::usage, sentence};
}
[[nodiscard]] inline Error data_error(const std::string& sentence) {
    return {ErrorKind::data, sentence};
}
[[nodiscard]] inline Error other_error(const std::string& sentence) {
    return {ErrorKind::other, sentence};
}

}  // namespace polyrx

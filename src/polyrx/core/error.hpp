// SPDX-License-Identifier: Apache-2.0
// The one exception the library throws: a clear sentence, and what kind of error it is.
#pragma once

#include <stdexcept>
#include <string>

namespace polyrx {

// What went wrong, in the terms of the program's exit codes.
enum class ErrorKind {
    usage,     // the call itself is wrong: an option out of range, an unknown name
    data,      // a file or a value in it is not what was expected
    proof,     // a claim was refuted or could not be proved
    canceled,  // the caller asked to stop
    other,     // a failing disk, training that diverged
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

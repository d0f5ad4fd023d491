// SPDX-License-Identifier: Apache-2.0
// What a comparison has finished, kept in a file line by line, so that it can go on after an interruption.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polyrx/compare/score_split.hpp"

namespace polyrx {

// Everything that the score of a candidate on a split depends on besides their names: data, truth, schema, objective,
// plan, seed and program. Which candidates are compared is not in it, so that more of them can join later.
[[nodiscard]] std::string journal_key(const Study& study, const SplitPlan& plan, std::uint64_t seed);

// A file of one JSON object per line, with a checksum of the line in it. A line reaches the disk when it is added; a
// last line that was cut short by a crash counts for nothing and is removed. The file is locked: two runs cannot share
// it.
class Journal {
public:
    // Reads what is there, or begins a new file. Throws a data error, and changes nothing, if the file is not a
    // journal or is one with another key. A line that is not as it was written counts for nothing.
    Journal(const std::filesystem::path& path, std::string key);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    [[nodiscard]] std::size_t size() const { return scores_.size(); }
    // The numbers of the lines that are not as they were written, from 1.
    [[nodiscard]] const std::vector<std::size_t>& changed_lines() const { return changed_lines_; }
    // A sentence for the user about these lines; empty if there are none.
    [[nodiscard]] std::string changed_words() const;
    // nullptr if it is not there.
    [[nodiscard]] const SplitScore* find(const std::string& candidate, std::size_t split) const;

    // Not to be called from two threads at once.
    void add(const std::string& candidate, std::size_t split, const SplitScore& score);

private:
    void read_back(std::string_view bytes);
    void read_line(std::string_view text, std::size_t number);
    [[noreturn]] void fail() const;

    std::filesystem::path path_;
    std::string key_;
    int descriptor_ = -1;
    std::map<std::pair<std::string, std::size_t>, SplitScore> scores_;
    std::vector<std::size_t> changed_lines_;
};

}  // namespace polyrx

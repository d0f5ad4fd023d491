// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "polyrx/core/error.hpp"
#include "polyrx/core/json/json_cursor.hpp"
#include "polyrx/core/read_bytes.hpp"
#include "polyrx/core/sha256.hpp"
#include "polyrx/version.hpp"

namespace polyrx {
namespace {

// How every line begins, by which a line that was cut short is told from a file that is something else.
constexpr std::string_view opening = R"({"polyrx_compare":4,"key":")";

// How every line ends, around the checksum of what is before.
constexpr std::string_view before_checksum = R"(,"sha256":")";
constexpr std::string_view closing = R"("})";

std::string to_line(const std::string& key, const std::string& candidate, std::size_t split, const SplitScore& score) {
    const Json json = {{"polyrx_compare", 4},
                       {"key", key},
                       {"method", candidate},
                       {"split", split},
                       {"accuracy", score.accuracy},
                       {"regret", score.regret},
                       {"self_assessed_value", score.self_assessed},
                       {"doubly_robust_value", score.doubly_robust},
                       {"supported_share", score.supported},
                       {"leaves", score.size.leaves},
                       {"terms", score.size.terms},
                       {"fit_seconds", score.fit_seconds},
                       {"prescribe_seconds", score.prescribe_seconds}};
    std::string line = json.dump({}, InvalidUtf8::replace);
    line.pop_back();  // the '}'
    return fmt::format("{}{}{}{}\n", line, before_checksum, sha256_hex(line), closing);
}

// Whether the line ends with the checksum of what is before.
bool is_as_written(std::string_view line) {
    constexpr std::size_t digits = 64;
    constexpr std::size_t ending = before_checksum.size() + digits + closing.size();
    if (line.size() < ending) return false;
    const std::string_view content = line.substr(0, line.size() - ending);
    return line.substr(content.size()) == fmt::format("{}{}{}", before_checksum, sha256_hex(content), closing);
}

std::optional<double> number_in(const JsonCursor& json) {
    return json.json().is_null() ? std::nullopt : std::optional(json.number());
}

std::optional<std::size_t> count_in(const JsonCursor& json) {
    return json.json().is_null() ? std::nullopt : std::optional(json.whole<std::size_t>());
}

SplitScore score_in(const JsonCursor& line) {
    SplitScore score;
    score.accuracy = number_in(line.at("accuracy"));
    score.regret = number_in(line.at("regret"));
    score.self_assessed = number_in(line.at("self_assessed_value"));
    score.doubly_robust = number_in(line.at("doubly_robust_value"));
    score.supported = number_in(line.at("supported_share"));
    score.size.leaves = count_in(line.at("leaves"));
    score.size.terms = count_in(line.at("terms"));
    score.fit_seconds = number_in(line.at("fit_seconds"));
    score.prescribe_seconds = number_in(line.at("prescribe_seconds"));
    return score;
}

bool begins_as_a_line(std::string_view bytes) {
    const std::size_t shared = std::min(bytes.size(), opening.size());
    return bytes.substr(0, shared) == opening.substr(0, shared);
}

void add_truth(Sha256& hash, const Matrix& truth) {
    std::string bytes;
    for (Eigen::Index i = 0; i < truth.rows(); ++i)
        for (Eigen::Index k = 0; k < truth.cols(); ++k)
            bytes += fmt::format("{:x},", std::bit_cast<std::uint64_t>(truth(i, k)));
    hash.add(bytes);
}

}  // namespace

std::string journal_key(const Study& study, const SplitPlan& plan, std::uint64_t seed) {
    Sha256 hash;
    hash.add(fmt::format("polyrx compare 4 {}\n{}\n{}\n{}\n{}\n{}\n", POLYRX_VERSION, fingerprint(study.observations),
                         name_of(study.objective), plan_words(plan), seed, sha256_hex(schema_json(study.schema))));
    if (study.truth) add_truth(hash, *study.truth);
    hash.add(study.support ? fmt::format("support {}\n", *study.support) : std::string("extrapolate\n"));
    const Observations& observations = study.observations;
    for (const std::size_t group : observations.group) hash.add(fmt::format("{}\n", observations.groups[group]));
    if (observations.has_design()) add_truth(hash, observations.design);
    return hash.hex();
}

Journal::Journal(const std::filesystem::path& path, std::string key) : path_(path), key_(std::move(key)) {
    descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail();
    try {
        struct stat status{};
        if (fstat(descriptor_, &status) != 0) fail();
        if (!S_ISREG(status.st_mode))
            throw usage_error(
                fmt::format("{} is not a plain file, so no journal can be read back from it", path_.string()));
        if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
            throw other_error(fmt::format("{} is in use by another comparison", path_.string()));
        if (status.st_size > 0) read_back(read_bytes(path_.string()));
    } catch (...) {
        close(descriptor_);
        throw;
    }
}

Journal::~Journal() {
    close(descriptor_);
}

void Journal::read_back(std::string_view bytes) {
    std::size_t kept = 0;
    for (std::size_t number = 1;; ++number) {
        const std::size_t end = bytes.find('\n', kept);
        const std::string_view text = bytes.substr(kept, end - kept);
        if (!begins_as_a_line(text) || (end != std::string_view::npos && text.size() < opening.size()))
            throw data_error(fmt::format("{}:{}: this is not a line of a journal of polyrx compare; name another file",
                                         path_.string(), number));
        if (end == std::string_view::npos) break;  // cut short, or nothing
        read_line(text, number);
        kept = end + 1;
        if (kept == bytes.size()) break;
    }
    if (kept < bytes.size() && ftruncate(descriptor_, static_cast<off_t>(kept)) != 0) fail();
}

void Journal::read_line(std::string_view text, std::size_t number) {
    if (!is_as_written(text)) {
        changed_lines_.push_back(number);
        return;
    }
    const JsonDocument document = parse_json_document(text, fmt::format("{}:{}", path_.string(), number));
    const JsonCursor line = document.root();
    if (line.at("key").text_view() != key_)
        throw data_error(
            fmt::format("{} is the journal of another comparison (other data, options, splits or seed); "
                        "name another file, or remove this one",
                        path_.string()));
    scores_.try_emplace({line.at("method").text(), line.at("split").whole<std::size_t>()}, score_in(line));
}

std::string Journal::changed_words() const {
    if (changed_lines_.empty()) return "";
    if (changed_lines_.size() == 1)
        return fmt::format("{}: line {} was changed after polyrx wrote it, so it is not used", path_.string(),
                           changed_lines_.front());
    return fmt::format("{}: lines {} were changed after polyrx wrote them, so they are not used", path_.string(),
                       fmt::join(changed_lines_, ", "));
}

const SplitScore* Journal::find(const std::string& candidate, std::size_t split) const {
    const auto found = scores_.find({candidate, split});
    return found == scores_.end() ? nullptr : &found->second;
}

void Journal::add(const std::string& candidate, std::size_t split, const SplitScore& score) {
    const std::string line = to_line(key_, candidate, split, score);
    std::string_view rest = line;
    while (!rest.empty()) {
        const ssize_t written = write(descriptor_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail();
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
    if (fdatasync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail();
    scores_.insert_or_assign({candidate, split}, score);
}

void Journal::fail() const {
    throw other_error(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
}

}  // namespace polyrx

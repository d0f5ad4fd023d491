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
#include <nlohmann/json.hpp>

#include "polyrx/core/error.hpp"
#include "polyrx/core/read_bytes.hpp"
#include "polyrx/core/sha256.hpp"
#include "polyrx/version.hpp"

namespace polyrx {
namespace {

using Json = nlohmann::ordered_json;

// How every line begins, by which a line that was cut short is told from a file that is something else.
constexpr std::string_view opening = R"({"polyrx_compare":3,"key":")";

template <class T>
Json number_or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

template <class T>
std::optional<T> read_number(const Json& value) {
    return value.is_null() ? std::nullopt : std::optional(value.get<T>());
}

std::string to_line(const std::string& key, const std::string& candidate, std::size_t split, const SplitScore& score) {
    const Json line = {{"polyrx_compare", 3},
                       {"key", key},
                       {"method", candidate},
                       {"split", split},
                       {"accuracy", number_or_null(score.accuracy)},
                       {"regret", number_or_null(score.regret)},
                       {"self_assessed_value", number_or_null(score.self_assessed)},
                       {"doubly_robust_value", number_or_null(score.doubly_robust)},
                       {"supported_share", number_or_null(score.supported)},
                       {"leaves", number_or_null(score.size.leaves)},
                       {"terms", number_or_null(score.size.terms)},
                       {"fit_seconds", number_or_null(score.fit_seconds)},
                       {"prescribe_seconds", number_or_null(score.prescribe_seconds)}};
    return line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

SplitScore score_in(const Json& line) {
    SplitScore score;
    score.accuracy = read_number<double>(line.at("accuracy"));
    score.regret = read_number<double>(line.at("regret"));
    score.self_assessed = read_number<double>(line.at("self_assessed_value"));
    score.doubly_robust = read_number<double>(line.at("doubly_robust_value"));
    score.supported = read_number<double>(line.at("supported_share"));
    score.size.leaves = read_number<std::size_t>(line.at("leaves"));
    score.size.terms = read_number<std::size_t>(line.at("terms"));
    score.fit_seconds = read_number<double>(line.at("fit_seconds"));
    score.prescribe_seconds = read_number<double>(line.at("prescribe_seconds"));
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
    hash.add(fmt::format("polyrx compare 3 {}\n{}\n{}\n{}\n{}\n{}\n", POLYRX_VERSION, fingerprint(study.observations),
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
        try {
            const Json line = Json::parse(text);
            if (line.at("key").get<std::string>() != key_)
                throw data_error(
                    fmt::format("{} is the journal of another comparison (other data, options, splits or seed); name "
                                "another file, or remove this one",
                                path_.string()));
            scores_.try_emplace({line.at("method").get<std::string>(), line.at("split").get<std::size_t>()},
                                score_in(line));
        } catch (const nlohmann::json::exception&) {
            throw data_error(fmt::format("{}:{}: the line is damaged; remove it, and what it holds is computed again",
                                         path_.string(), number));
        }
        kept = end + 1;
        if (kept == bytes.size()) break;
    }
    if (kept < bytes.size() && ftruncate(descriptor_, static_cast<off_t>(kept)) != 0) fail();
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

// SPDX-License-Identifier: Apache-2.0
#include "polyrx/compare/journal.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "polyrx/compare/comparison_text.hpp"
#include "polyrx/core/error.hpp"
#include "tests/support/small_study.hpp"
#include "tests/support/table_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace polyrx {
namespace {

SplitScore some_score() {
    SplitScore score;
    score.accuracy = 1.0 / 3;
    score.regret = 1e-300;
    score.size.leaves = 7;
    score.fit_seconds = 0.1;
    return score;
}

std::string sentence_about(const std::filesystem::path& path, ErrorKind kind, const std::string& key = "k") {
    const std::string sentence = test::sentence_of(kind, [&] { const Journal journal(path, key); });
    const std::size_t at = sentence.find(path.string());
    return at == std::string::npos ? sentence
                                   : sentence.substr(0, at) + "FILE" + sentence.substr(at + path.string().size());
}

TEST(Journal, GivesBackWhatWasAddedToTheLastBit) {
    const test::TemporaryFolder folder;
    {
        Journal journal(folder / "j", "k");
        journal.add("pt", 2, some_score());
    }
    const Journal again(folder / "j", "k");
    EXPECT_EQ(again.size(), 1u);
    ASSERT_NE(again.find("pt", 2), nullptr);
    EXPECT_TRUE(again.find("pt", 2)->same_scores(some_score()));
    EXPECT_EQ(again.find("pt", 2)->fit_seconds, 0.1);
    EXPECT_FALSE(again.find("pt", 2)->prescribe_seconds);
    EXPECT_EQ(again.find("pt", 1), nullptr);
    EXPECT_EQ(again.find("pf", 2), nullptr);
}

TEST(Journal, PassesOverALastLineThatWasCutShortAnywhere) {
    const test::TemporaryFolder folder;
    {
        Journal journal(folder / "j", "k");
        journal.add("pt", 0, some_score());
        journal.add("pt", 1, some_score());
    }
    const std::string whole = test::content_of(folder / "j");
    const std::size_t first = whole.find('\n') + 1;
    for (std::size_t length = 0; length < whole.size(); ++length) {
        test::put(folder / "cut", whole.substr(0, length));
        {
            Journal journal(folder / "cut", "k");
            EXPECT_EQ(journal.size(), length < first ? 0u : 1u) << length;
            journal.add("pt", 1, some_score());
            journal.add("pt", 0, some_score());
        }
        // What was added stands on lines of its own.
        EXPECT_EQ(Journal(folder / "cut", "k").size(), 2u) << length;
    }
}

TEST(Journal, OfAnotherComparisonIsRefusedAndLeftAsItWas) {
    const test::TemporaryFolder folder;
    Journal(folder / "j", "other").add("pt", 0, some_score());
    const std::string before = test::content_of(folder / "j");
    EXPECT_EQ(sentence_about(folder / "j", ErrorKind::data),
              "FILE is the journal of another comparison (other data, options, splits or seed); name another file, or "
              "remove this one");
    EXPECT_EQ(test::content_of(folder / "j"), before);
}

TEST(Journal, IsNotMadeOfAFileThatIsSomethingElse) {
    const test::TemporaryFolder folder;
    for (const std::string bytes :
         {"x1,treatment,outcome\n1,2,3\n", "notes without a line end", "\n", "{}\n", "{\"polyrx"}) {
        test::put(folder / "j", bytes);
        if (bytes == "{\"polyrx") {  // the beginning of a line
            EXPECT_EQ(Journal(folder / "j", "k").size(), 0u);
            continue;
        }
        EXPECT_EQ(sentence_about(folder / "j", ErrorKind::data),
                  "FILE:1: this is not a line of a journal of polyrx compare; name another file");
        EXPECT_EQ(test::content_of(folder / "j"), bytes);
    }
}

// Whatever was changed by hand: scores, names, the key or the checksum.
TEST(Journal, DoesNotUseALineThatIsNotAsItWasWritten) {
    const test::TemporaryFolder folder;
    {
        Journal journal(folder / "j", "k");
        journal.add("pt", 0, some_score());
        journal.add("pt", 1, some_score());
    }
    const std::string whole = test::content_of(folder / "j");
    const std::size_t begin = std::string_view(R"({"polyrx_compare":4,"key":")").size();
    for (std::size_t at = begin; at < whole.find('\n'); ++at) {
        std::string changed = whole;
        changed[at] = changed[at] == '1' ? '2' : '1';
        test::put(folder / "j", changed);
        Journal journal(folder / "j", "k");
        EXPECT_EQ(journal.changed_lines(), (std::vector<std::size_t>{1})) << at;
        EXPECT_EQ(journal.find("pt", 0), nullptr);
        EXPECT_NE(journal.find("pt", 1), nullptr);
        EXPECT_EQ(journal.changed_words(),
                  (folder / "j").string() + ": line 1 was changed after polyrx wrote it, so it is not used");
    }
}

TEST(Journal, DoesNotUseAScoreUnderAnotherName) {
    const test::TemporaryFolder folder;
    Journal(folder / "j", "k").add("pt", 0, some_score());
    const std::string line = test::content_of(folder / "j");
    std::string renamed = line;
    renamed.replace(renamed.find("\"pt\""), 4, "\"pf\"");
    test::put(folder / "j", line + renamed + renamed);
    const Journal journal(folder / "j", "k");
    EXPECT_EQ(journal.size(), 1u);
    EXPECT_EQ(journal.find("pf", 0), nullptr);
    EXPECT_EQ(journal.changed_words(),
              (folder / "j").string() + ": lines 2, 3 were changed after polyrx wrote them, so they are not used");
}

TEST(Journal, CannotBeSharedByTwoRuns) {
    const test::TemporaryFolder folder;
    const Journal journal(folder / "j", "k");
    EXPECT_EQ(sentence_about(folder / "j", ErrorKind::other), "FILE is in use by another comparison");
}

TEST(Journal, NeedsAPlainFile) {
    const test::TemporaryFolder folder;
    EXPECT_EQ(sentence_about("/dev/null", ErrorKind::usage),
              "FILE is not a plain file, so no journal can be read back from it");
    EXPECT_EQ(sentence_about(folder / "nowhere/j", ErrorKind::other), "cannot write FILE: No such file or directory");
}

TEST(JournalKey, ChangesWithEverythingThatAScoreDependsOn) {
    const Study study = test::small_study(60);
    const std::string key = journal_key(study, Folds{5}, 1);
    EXPECT_EQ(journal_key(test::small_study(60), Folds{5}, 1), key);
    EXPECT_NE(journal_key(study, Folds{4}, 1), key);
    EXPECT_NE(journal_key(study, RandomSplits{5, 0.3}, 1), key);
    EXPECT_NE(journal_key(study, RandomSplits{5, 0.3}, 1), journal_key(study, RandomSplits{5, 0.31}, 1));
    EXPECT_NE(journal_key(study, Folds{5}, 2), key);
    for (int part = 0; part < 5; ++part) {
        Study other = study;
        if (part == 0) other.observations.outcome[7] += 1e-9;
        if (part == 1) other.truth->coeffRef(3, 1) += 1e-9;
        if (part == 2) other.truth.reset();
        if (part == 3) other.objective = Objective::max;
        if (part == 4) other.schema.columns.front().lower = -1;
        EXPECT_NE(journal_key(other, Folds{5}, 1), key) << part;
    }
}

TEST(Compare, RunsNothingThatTheJournalHas) {
    const test::TemporaryFolder folder;
    const Study study = test::small_study(100);
    const CompareOptions options{.plan = Folds{2}};
    const std::vector<Candidate> candidates = test::small_candidates();
    const std::string whole = comparison_json(compare(study, candidates, options), Times::left_out);

    // Cut off after the fifth of eight pairs, as by a power cut.
    std::string bytes;
    {
        Journal journal(folder / "j", journal_key(study, options.plan, options.seed));
        EXPECT_EQ(comparison_json(compare(study, candidates, options, &journal), Times::left_out), whole);
        EXPECT_EQ(journal.size(), 8u);
        bytes = test::content_of(folder / "j");
    }
    std::size_t end = 0;
    for (int line = 0; line < 5; ++line) end = bytes.find('\n', end) + 1;
    test::put(folder / "j", bytes.substr(0, end + 40));
    {
        Journal journal(folder / "j", journal_key(study, options.plan, options.seed));
        EXPECT_EQ(journal.size(), 5u);
        EXPECT_EQ(comparison_json(compare(study, candidates, options, &journal), Times::left_out), whole);
    }
    // A better score that somebody wrote in is computed again.
    bytes = test::content_of(folder / "j");
    const std::size_t score = bytes.find("\"regret\":") + 9;
    bytes.replace(score, bytes.find(',', score) - score, "-1000");
    test::put(folder / "j", bytes);
    {
        Journal journal(folder / "j", journal_key(study, options.plan, options.seed));
        EXPECT_EQ(journal.size(), 7u);
        EXPECT_EQ(comparison_json(compare(study, candidates, options, &journal), Times::left_out), whole);
    }
    // With everything finished, candidates that could not learn anything are as good.
    std::vector<Candidate> unable = candidates;
    for (Candidate& candidate : unable)
        if (candidate.options) candidate.options->network.mu = 2;
    Journal journal(folder / "j", journal_key(study, options.plan, options.seed));
    EXPECT_EQ(comparison_json(compare(study, unable, options, &journal), Times::left_out), whole);
}

}  // namespace
}  // namespace polyrx

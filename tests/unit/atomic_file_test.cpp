// SPDX-License-Identifier: Apache-2.0
#include "polyrx/core/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "polyrx/core/error.hpp"
#include "tests/support/table_makers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace polyrx {
namespace {

using test::content_of;
using test::put;
using test::TemporaryFolder;

void write(const std::filesystem::path& path, std::string_view bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

TEST(AtomicFile, ReplacesTheTargetOnlyWhenItIsCommitted) {
    const TemporaryFolder folder;
    put(folder / "x", "old");
    {
        AtomicFile file(folder / "x");
        file.write("new");
        EXPECT_EQ(content_of(folder / "x"), "old");
    }
    EXPECT_EQ(content_of(folder / "x"), "old");
    EXPECT_EQ(folder.files(), 1u);
    write(folder / "x", "new");
    EXPECT_EQ(content_of(folder / "x"), "new");
    EXPECT_EQ(folder.files(), 1u);
}

// The nearest thing to a full disk that a test can have: no file of this process may grow beyond 4 kB.
TEST(AtomicFile, LeavesTheOldFileAndNoLitterWhenTheDiskIsFull) {
    const TemporaryFolder folder;
    put(folder / "x", "old");
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{4096, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string sentence =
        test::sentence_of(ErrorKind::other, [&] { write(folder / "x", std::string(100'000, 'n')); });
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(sentence, "cannot write " + (folder / "x").string() + ": File too large");
    EXPECT_EQ(content_of(folder / "x"), "old");
    EXPECT_EQ(folder.files(), 1u);
}

TEST(AtomicFile, KeepsALinkAndReplacesWhatItPointsAt) {
    const TemporaryFolder folder;
    put(folder / "real", "old");
    std::filesystem::create_symlink("real", folder / "link");
    write(folder / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(content_of(folder / "real"), "new");
}

TEST(AtomicFile, KeepsALinkThatPointsAtNothingYet) {
    const TemporaryFolder folder;
    std::filesystem::create_symlink("real", folder / "middle");
    std::filesystem::create_symlink(folder / "middle", folder / "link");
    write(folder / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "middle"));
    EXPECT_EQ(content_of(folder / "real"), "new");
}

TEST(AtomicFile, RefusesACircleOfLinks) {
    const TemporaryFolder folder;
    std::filesystem::create_symlink("b", folder / "a");
    std::filesystem::create_symlink("a", folder / "b");
    EXPECT_EQ(test::sentence_of(ErrorKind::other, [&] { write(folder / "a", "new"); }),
              "cannot write " + (folder / "a").string() + ": Too many levels of symbolic links");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "a"));
}

TEST(AtomicFile, KeepsPermissions) {
    const TemporaryFolder folder;
    put(folder / "x", "old");
    chmod((folder / "x").c_str(), 0640);
    write(folder / "x", "new");
    struct stat status{};
    ASSERT_EQ(stat((folder / "x").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0640u);

    const mode_t mask = umask(027);
    write(folder / "fresh", "new");
    umask(mask);
    ASSERT_EQ(stat((folder / "fresh").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST(AtomicFile, WritesToADeviceDirectly) {
    write("/dev/null", "gone");
    struct stat status{};
    ASSERT_EQ(stat("/dev/null", &status), 0);
    EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST(AtomicFile, SaysWhyItCannotWrite) {
    const TemporaryFolder folder;
    const std::string inside = (folder / "absent/x").string();
    EXPECT_EQ(test::sentence_of(ErrorKind::other, [&] { write(inside, "new"); }),
              "cannot write " + inside + ": No such file or directory");
    EXPECT_EQ(test::sentence_of(ErrorKind::other, [&] { write(folder.path(), "new"); }),
              "cannot write " + folder.path().string() + ": Is a directory");
}

// Writes a part of the target, in a process that is then killed as by kill -9.
void write_and_be_killed(const std::filesystem::path& path) {
    const pid_t child = fork();
    if (child == 0) {
        AtomicFile file(path);
        file.write("half");
        (void)kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
}

TEST(AtomicFile, RemovesWhatAKilledProcessLeftBesideTheSameTarget) {
    const TemporaryFolder folder;
    write_and_be_killed(folder / "x");
    write_and_be_killed(folder / "x");
    EXPECT_EQ(folder.files(), 1u);
    write_and_be_killed(folder / "y");
    EXPECT_EQ(folder.files(), 2u);
    write(folder / "x", "new");
    EXPECT_EQ(content_of(folder / "x"), "new");
    EXPECT_EQ(folder.files(), 2u);  // and what was left beside y
    write(folder / "y", "new");
    EXPECT_EQ(folder.files(), 2u);
}

TEST(AtomicFile, LeavesTheFilesOfLivingProcessesAlone) {
    const TemporaryFolder folder;
    AtomicFile first(folder / "x");
    first.write("first");
    write(folder / "x", "second");
    EXPECT_EQ(content_of(folder / "x"), "second");
    first.commit();
    EXPECT_EQ(content_of(folder / "x"), "first");
    EXPECT_EQ(folder.files(), 1u);
}

TEST(AtomicFile, LeavesLinksAndFoldersOfItsOwnPatternAlone) {
    const TemporaryFolder folder;
    write_and_be_killed(folder / "x");
    const std::filesystem::path left = std::filesystem::directory_iterator(folder.path())->path();
    std::filesystem::remove(left);
    put(folder / "precious", "kept");
    std::filesystem::create_symlink("precious", left);
    std::filesystem::create_directory(left.string() + "0");
    std::filesystem::create_hard_link(folder / "precious", folder / ".polyrx.1234");  // of an earlier version
    write(folder / "x", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(left));
    EXPECT_EQ(content_of(folder / "precious"), "kept");
    EXPECT_EQ(folder.files(), 5u);
}

}  // namespace
}  // namespace polyrx

# SPDX-License-Identifier: Apache-2.0
"""Whatever interrupts the program, the old files stay whole and no other file is left beside them."""

import os
import re
import resource
import signal
import subprocess

import pytest
from program import NOT_COMPARED, ROLES, TINY, begun, content, not_as_root, polyrx, refuses, start, succeeds

ENDLESS = ["fit", "cohort.csv", *ROLES, "--ignore", "id", "--epochs", "1000000"]


@pytest.fixture(autouse=True)
def old_model(cohort):
    (cohort / "model.json").write_text("the old model\n")


def small_files():
    """For preexec_fn: as if the disk were full after 1,000 bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


# --- a full disk


@pytest.mark.parametrize("arguments", [
    ["fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "-o", "model.json"],
    ["prescribe", "cohort.json", "cohort.csv", "--outcomes", "-o", "model.json"],
    ["simulate", "1", "-n", "2000", "-o", "model.json"],
    ["completions", "bash", "-o", "model.json"],
])
def test_a_full_disk_leaves_the_old_file(cohort, arguments):
    before = content(cohort)
    sentence = refuses(*arguments, status=1, cwd=cohort, preexec_fn=small_files)
    assert sentence == "cannot write model.json: File too large"
    assert content(cohort) == before


def test_a_full_disk_ends_a_demo_with_a_sentence_and_no_half_file(cohort):
    sentence = refuses("demo", status=1, cwd=cohort, preexec_fn=small_files)
    assert sentence == "cannot write polyrx-demo/cohort.csv: File too large"
    assert not (cohort / "polyrx-demo").exists()


@pytest.mark.parametrize("arguments", [
    ["fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY],
    ["prescribe", "cohort.json", "cohort.csv"],
    ["simulate", "1", "-n", "10"],
    ["completions", "man"],
])
def test_a_full_device_is_an_error(cohort, arguments):
    before = content(cohort)
    sentence = refuses(*arguments, "-o", "/dev/full", status=1, cwd=cohort)
    assert sentence == "cannot write /dev/full: No space left on device"
    assert content(cohort) == before


@pytest.mark.parametrize("arguments", [
    ["fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "-o", "-"],
    ["fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "--json", "--quiet", "-o", "new.json"],
    ["prescribe", "cohort.json", "cohort.csv"],
    ["simulate", "1", "-n", "10"],
    ["--help"],
    ["fit", "--help"],
    ["--version"],
    ["completions", "man"],
])
def test_stdout_on_a_full_device_is_an_error(cohort, arguments):
    with open("/dev/full", "wb") as full:
        sentence = refuses(*arguments, status=1, cwd=cohort, stdout=full)
    assert sentence == "cannot write to standard output: No space left on device"


def test_stderr_on_a_full_device_loses_words_and_no_work(cohort):
    with open("/dev/full", "wb") as full:
        succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, cwd=cohort, stderr=full)
    assert (cohort / "model.json").read_bytes() == (cohort / "cohort.json").read_bytes()


# --- Ctrl-C


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_canceled_fit_leaves_the_old_model(cohort, stop):
    before = content(cohort)
    process = start(*ENDLESS, cwd=cohort)
    begun(process)
    process.send_signal(stop)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out, err) == (130, b"", b"polyrx: canceled\n")
    assert content(cohort) == before


def test_a_program_that_waits_for_standard_input_can_be_canceled(cohort):
    for arguments in (["fit", "-", *ROLES], ["prescribe", "cohort.json", "-"], ["prescribe", "-", "cohort.csv"],
                      ["fit", "cohort.csv", *ROLES, "--schema", "-"]):
        process = start(*arguments, cwd=cohort, stdin=subprocess.PIPE)
        begun(process)
        process.send_signal(signal.SIGINT)
        try:
            # Not communicate(), which would close standard input and so end the wait.
            assert process.wait(timeout=5) == 130, arguments
            assert process.stderr.read().removeprefix(NOT_COMPARED.encode()) == b"polyrx: canceled\n"
        finally:
            process.kill()
            process.communicate()


def test_a_canceled_evaluation_leaves_no_folder_of_charts(cohort):
    process = start("evaluate", "cohort.json", "cohort.csv", "--rows", "all", "--trees", "1000000", "--plots",
                    "new/charts", cwd=cohort)
    begun(process)
    while not (cohort / "new/charts").exists():
        assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out) == (130, b"")
    assert not (cohort / "new").exists()


def test_a_simulation_that_is_canceled_leaves_the_old_file(cohort):
    before = content(cohort)
    process = start("simulate", "1", "-n", "3000000", "-o", "model.json", cwd=cohort)
    begun(process)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20) == (b"", b"polyrx: canceled\n")
    assert process.returncode == 130
    assert content(cohort) == before


# --- pipes whose other end is gone


def test_a_reader_that_leaves_ends_the_program_quietly(cohort):
    process = start("simulate", "1", "-n", "20000", cwd=cohort)
    assert process.stdout.read(10) == b"x1,x2,x3,x"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=20) == -signal.SIGPIPE
    process.stderr.close()


def test_a_closed_pipe_keeps_the_new_model_which_was_already_whole(cohort):
    ours, theirs = os.pipe()
    os.close(ours)
    run = polyrx("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "--json", "--quiet", cwd=cohort, stdout=theirs)
    os.close(theirs)
    assert run.status == -signal.SIGPIPE and run.err == ""
    assert (cohort / "model.json").read_bytes() == (cohort / "cohort.json").read_bytes()


def test_a_model_into_a_closed_pipe_leaves_the_old_one(cohort):
    before = content(cohort)
    ours, theirs = os.pipe()
    os.close(ours)
    run = polyrx("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "--quiet", "-o", "-", cwd=cohort, stdout=theirs)
    os.close(theirs)
    assert run.status == -signal.SIGPIPE and run.err == ""
    assert content(cohort) == before


def test_a_closed_stderr_loses_words_and_no_work(cohort):
    ours, theirs = os.pipe()
    os.close(ours)
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, cwd=cohort, stderr=theirs)
    os.close(theirs)
    assert (cohort / "model.json").read_bytes() == (cohort / "cohort.json").read_bytes()


@pytest.mark.parametrize("closed", [(2,), (0, 2), (0, 1, 2)])
def test_descriptors_that_were_never_open_are_not_written_to_by_mistake(cohort, closed):
    process = start("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, cwd=cohort,
                    preexec_fn=lambda: [os.close(descriptor) for descriptor in closed])
    process.communicate(timeout=20)
    assert process.returncode == 0
    assert (cohort / "model.json").read_bytes() == (cohort / "cohort.json").read_bytes()


def test_a_stdout_that_was_never_open_is_an_error(cohort):
    process = start("simulate", "1", "-n", "10", cwd=cohort, preexec_fn=lambda: os.close(1))
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (1, b"polyrx: cannot write to standard output: Bad file descriptor\n")


# --- what a file was before it was replaced


def test_a_linked_model_stays_a_link(cohort):
    (cohort / "store").mkdir()
    (cohort / "store/v1.json").write_text("old")
    (cohort / "link.json").symlink_to("store/v1.json")
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "-o", "link.json", cwd=cohort)
    assert os.readlink(cohort / "link.json") == "store/v1.json"
    assert (cohort / "store/v1.json").read_bytes() == (cohort / "cohort.json").read_bytes()
    assert [path.name for path in (cohort / "store").iterdir()] == ["v1.json"]


def test_a_link_to_nothing_yet_gets_its_file(cohort):
    (cohort / "link.json").symlink_to("later.json")
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "-o", "link.json", cwd=cohort)
    assert (cohort / "link.json").is_symlink()
    assert (cohort / "later.json").read_bytes() == (cohort / "cohort.json").read_bytes()


def test_permissions_are_kept_and_new_files_get_the_usual_ones(cohort):
    (cohort / "model.json").chmod(0o640)
    for name in ("model.json", "new.json"):
        succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "-o", name, cwd=cohort,
                 preexec_fn=lambda: os.umask(0o022))
    assert (cohort / "model.json").stat().st_mode & 0o777 == 0o640
    assert (cohort / "new.json").stat().st_mode & 0o777 == 0o644


def test_a_model_can_go_into_a_named_pipe(cohort):
    os.mkfifo(cohort / "pipe")
    reader = subprocess.Popen(["cat", "pipe"], cwd=cohort, stdout=subprocess.PIPE)
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "-o", "pipe", cwd=cohort)
    assert reader.communicate(timeout=10)[0] == (cohort / "cohort.json").read_bytes()


@not_as_root
def test_a_folder_that_may_not_be_written_to_is_left_alone(cohort):
    cohort.chmod(0o555)
    before = content(cohort)
    sentence = refuses("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, status=1, cwd=cohort)
    cohort.chmod(0o755)
    assert sentence == "cannot write model.json: Permission denied"
    assert content(cohort) == before


@not_as_root
def test_a_model_that_is_write_protected_is_left_alone(cohort):
    (cohort / "model.json").chmod(0o444)
    sentence = refuses("fit", "nowhere.csv", *ROLES, status=1, cwd=cohort)
    assert sentence == "cannot write model.json: Permission denied"

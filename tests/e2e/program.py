# SPDX-License-Identifier: Apache-2.0
"""Runs the polyrx program and makes small data for it."""

import csv
import io
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import time

import pytest

PROGRAM = pathlib.Path(os.environ.get("POLYRX", pathlib.Path(__file__).parents[2] / "build/release/polyrx")).resolve()
ROLES = ["--treatment", "treatment", "--outcome", "outcome"]
ALONE = ["--beyond-support", "extrapolate", "--no-recommendation"]  # the network itself; test_support.py is about more
NOT_COMPARED = "NOT recommended: the policy was not compared with current practice.\n"  # what verbs say of such a model first
TINY = ["--hidden", "8", "--epochs", "2", *ALONE]  # a network that takes no time, for tests of everything around it

not_as_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may do everything")
SANITIZED = b"__asan_init" in PROGRAM.read_bytes()
unless_slow = pytest.mark.skipif(SANITIZED, reason="training takes minutes under the sanitizers")
# What a fit prints is the same to the last digit only where training has the same instructions (docs/exactness.md).
where_bytes_are_promised = pytest.mark.skipif(
    not {"avx2", "fma", "bmi2", "f16c"} <= set(pathlib.Path("/proc/cpuinfo").read_text().split()),
    reason="the documents were written on a machine with AVX2 and FMA")
without_sanitizers = pytest.mark.skipif(
    SANITIZED, reason="the address sanitizer needs terabytes of address space")


class Run:
    """A finished run of the program. That a model is not recommended, which verbs say first, is in `warned`, not in `err`."""

    def __init__(self, status, out, err):
        self.status = status
        self.out = out
        self.warned, self.err = "", err
        if err.startswith("NOT recommended: "):
            self.warned, _, self.err = err.partition("\n")

    def __repr__(self):
        return f"exit status {self.status}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


def start(*arguments, cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, preexec_fn=None):
    """The program at work, for tests that disturb it."""
    command = [str(PROGRAM), *map(str, arguments)]
    return subprocess.Popen(command, cwd=cwd, stdin=stdin, stdout=stdout, stderr=stderr, preexec_fn=preexec_fn)


def begun(process):
    """Waits until the program minds SIGINT, which is the first thing that it does."""
    about = pathlib.Path(f"/proc/{process.pid}")
    mask = 0
    while not mask >> (signal.SIGINT - 1) & 1:
        assert process.poll() is None, process.communicate()
        if (about / "exe").resolve() == PROGRAM:  # and no longer the Python that it was forked from
            mask = int(re.search(r"SigCgt:\s*(\w+)", (about / "status").read_text())[1], 16)


def polyrx(*arguments, cwd, stdin=b"", stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=None):
    """Runs the program to its end."""
    command = [str(PROGRAM), *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, input=stdin, stdout=stdout, stderr=stderr, preexec_fn=preexec_fn,
                          timeout=120)
    run = Run(done.returncode, (done.stdout or b"").decode(), (done.stderr or b"").decode())
    if "fit" in arguments[:1] and run.warned:  # its summary, in which nothing is left out
        run.err = f"{run.warned}\n{run.err}"
    return run


def succeeds(*arguments, cwd, **how):
    """Runs the program, which must succeed."""
    run = polyrx(*arguments, cwd=cwd, **how)
    assert run.status == 0, run
    return run


def refuses(*arguments, status, cwd, **how):
    """Runs the program, which must fail with one sentence and nothing on stdout. Returns the sentence."""
    run = polyrx(*arguments, cwd=cwd, **how)
    assert run.status == status, run
    assert run.out == "", run
    assert run.err.startswith("polyrx: ") and run.err.endswith("\n") and run.err.count("\n") == 1, run
    return run.err.removeprefix("polyrx: ").rstrip("\n")


def rows_of(text):
    """CSV text as a list of lists."""
    return list(csv.reader(io.StringIO(text, newline="")))


def records_of(path):
    """A CSV file as a list of dicts."""
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(path, rows):
    """Writes a list of lists as CSV."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    return path


def patients(count=120, seed=1):
    """Rows of a small cohort with a number, a category, a truth value and missing cells; the header first."""
    draw = random.Random(seed)
    rows = [["id", "age", "ward", "smoker", "treatment", "outcome"]]
    for i in range(count):
        age = draw.randint(20, 90)
        ward = draw.choice(["north", "south", "west"])
        treatment = draw.choice(["low", "mid", "high"])
        dose = {"low": 1, "mid": 2, "high": 3}[treatment]
        outcome = abs(age / 30 - dose) + draw.random() / 10
        rows.append([
            f"p{i:03}", "" if i % 17 == 3 else age, "NA" if i % 19 == 5 else ward, draw.choice(["yes", "no"]),
            treatment, f"{outcome:.4f}",
        ])
    return rows


def content(folder):
    """Every file of a folder with its bytes: what must not change when something fails."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def leaves_nothing_when_canceled(*arguments, cwd, after=0):
    """Starts the program, interrupts it those seconds later, and sees that it says so and has left no file."""
    before = content(cwd)
    process = start(*arguments, cwd=cwd)
    begun(process)
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (out, err.removeprefix(NOT_COMPARED.encode())) == (b"", b"polyrx: canceled\n")
    assert process.returncode == 130
    assert content(cwd) == before


def little_memory():
    """For preexec_fn: two gigabytes of address space."""
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

# SPDX-License-Identifier: Apache-2.0
"""A bar on stderr when it is a terminal and the work takes more than a second; nothing otherwise."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import time

import pytest
from program import ALONE, PROGRAM, ROLES, patients, succeeds, write_rows

ERASE = "\r\x1b[K"
SUMMARY = ("Recommended: ", "NOT recommended: ")
BAR = re.compile(r"(?:support|training|recommending) *\[#*\.*\] +\d+%")


class OnATerminal:
    """The program with stderr on a terminal of its own, and what it has shown there so far."""

    def __init__(self, *arguments, cwd):
        ours, theirs = pty.openpty()
        self.process = subprocess.Popen([str(PROGRAM), *arguments], cwd=cwd, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        self.terminal = ours
        self.shown = ""

    def read_until(self, enough, seconds=30):
        """Reads until enough(shown), or until the program ends."""
        deadline = time.monotonic() + seconds
        while not enough(self.shown):
            assert time.monotonic() < deadline, self.shown
            if not select.select([self.terminal], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(self.terminal, 65536)
            except OSError:  # Linux's way to say that nobody has the other end any more
                return
            if not data:
                return
            self.shown += data.decode()

    def finish(self):
        """Reads to the end. Returns the exit status and stdout."""
        self.read_until(lambda shown: False)
        out = self.process.communicate(timeout=10)[0].decode()
        os.close(self.terminal)
        return self.process.returncode, out


@pytest.fixture
def folder(tmp_path):
    write_rows(tmp_path / "cohort.csv", patients(400))
    return tmp_path


def fit(epochs, *options):
    return ["fit", "cohort.csv", *ROLES, "--ignore", "id", "--hidden", "60,60", "--epochs", str(epochs), *ALONE, *options]


def epochs_for(seconds, folder):
    """How many epochs take about so long on this machine."""
    some = 300
    took = json.loads(succeeds(*fit(some, "--json"), cwd=folder).out)["seconds"]
    return max(1, int(some * seconds / took))


def test_a_long_fit_draws_a_bar_and_clears_it_before_the_summary(folder):
    run = OnATerminal(*fit(epochs_for(5, folder)), cwd=folder)
    status, out = run.finish()
    assert status == 0 and out == ""
    bars = BAR.findall(run.shown)
    assert len(bars) > 1, run.shown
    shares = [int(re.search(r"(\d+)%", bar)[1]) for bar in bars]
    assert shares == sorted(shares)
    last_bar = run.shown.rindex("%", 0, run.shown.index("ecommended: "))
    assert run.shown[last_bar + 1:].startswith((ERASE + "Recommended: ", ERASE + "NOT recommended: "))


def test_a_short_fit_draws_nothing(folder):
    run = OnATerminal(*fit(1), cwd=folder)
    assert run.finish()[0] == 0
    assert "\x1b" not in run.shown and run.shown.startswith(SUMMARY)


def test_quiet_draws_nothing_even_on_a_terminal(folder):
    run = OnATerminal(*fit(epochs_for(1.5, folder), "--quiet"), cwd=folder)
    assert run.finish()[0] == 0
    assert run.shown == ""


def test_without_a_terminal_there_is_no_bar(folder):
    run = succeeds(*fit(epochs_for(1.5, folder)), cwd=folder)
    assert "\x1b" not in run.err and run.err.startswith(SUMMARY)


def test_ctrl_c_clears_the_bar(folder):
    run = OnATerminal(*fit(1_000_000), cwd=folder)
    run.read_until(BAR.search)
    run.process.send_signal(signal.SIGINT)
    assert run.finish() == (130, "")
    assert run.shown.endswith(ERASE + "polyrx: canceled\r\n")
    assert not (folder / "model.json").exists()

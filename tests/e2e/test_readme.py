# SPDX-License-Identifier: Apache-2.0
"""The documents' commands are run, and must print what the documents say.

A block fenced as ```console holds lines that begin with "$ ", each a command, and its true output below it. A line
"..." stands for any number of lines. Times ("1.3 s"), and a share right behind one ("1.3 s  40.0 %"), are not compared.
All commands of one document run in one folder.
"""

import os
import pathlib
import re
import subprocess

import pytest
from program import PROGRAM, unless_slow, where_bytes_are_promised

ROOT = pathlib.Path(__file__).parents[2]
DOCUMENTS = [path for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if path.exists()]


def commands_of(text):
    """Pairs of a command and the output that stands below it."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif found and found[-1][0].endswith("\\"):  # the command goes on
                found[-1] = (f"{found[-1][0]}\n{line}", [])
            else:
                assert found, f"a console block begins with output: {line}"
                found[-1][1].append(line)
    return found


def without_what_varies(line):
    line = re.sub(r"^kernels +\S.*", "kernels  of this machine", line)
    # With the spaces before it: a column of times is as wide as its largest.
    return re.sub(r" *\d+\.\d+ s\b( +\d+\.\d %)?", " N s", line).rstrip()


def matches(expected, got):
    """Whether the lines are the same, where "..." among the expected stands for any number of lines."""
    if not expected:
        return not got
    if expected[0].strip() == "...":
        return any(matches(expected[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and expected[0] == got[0] and matches(expected[1:], got[1:])


def here(command):
    """The command as the test can run it, or None for one that it must not run."""
    if re.match(r"\./dev demo\b", command):
        return command.replace("./dev demo", "polyrx demo", 1)
    return None if re.match(r"(\./dev|git|cmake|sudo|apt-get|pip|cd)\b", command) else command


def test_dots_stand_for_any_number_of_lines():
    assert matches(["a", "...", "c"], ["a", "c"]) and matches(["a", "...", "c"], ["a", "b", "b", "c"])
    assert matches(["..."], []) and not matches(["a", "..."], ["b"]) and not matches(["a"], ["a", "b"])
    blocks = "```console\n$ a \\\n  b\nout\n$ c\n```\n```sh\n$ d\n```\n"
    assert commands_of(blocks) == [("a \\\n  b", ["out"]), ("c", [])]


def test_times_and_their_shares_are_not_compared():
    assert without_what_varies("train     9.500 s   95.0 %") == without_what_varies("train    11.250 s  100.0 %") == "train N s"
    assert without_what_varies("5 mg  185   37.0 %  92   18.4 %") == "5 mg  185   37.0 %  92   18.4 %"


def make_folders(root):
    """bin/ with the program, and here/, where the commands run."""
    (root / "bin").mkdir()
    (root / "bin/polyrx").symlink_to(PROGRAM)
    (root / "here").mkdir()


def output_of(command, folder, environment):
    """What the command prints, or None if it is not one for a test to run."""
    runnable = here(command)
    if runnable is None:
        return None
    return subprocess.run(["bash", "-c", runnable], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120).stdout


def says_the_same(expected, prints):
    got = [without_what_varies(line) for line in prints.splitlines()]
    wanted = [without_what_varies(line) for line in expected]
    while wanted and not wanted[-1]:
        wanted.pop()
    while got and not got[-1]:
        got.pop()
    return matches(wanted, got)


@unless_slow
@where_bytes_are_promised
@pytest.mark.skipif(not DOCUMENTS, reason="there are no documents")
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_documents_commands_print_what_it_says(document, tmp_path):
    make_folders(tmp_path)
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    for command, expected in commands_of(document.read_text(encoding="utf-8")):
        prints = output_of(command, tmp_path / "here", environment)
        if prints is None:
            continue
        said = "\n".join(expected)
        assert says_the_same(expected, prints), f"$ {command}\nprints\n{prints}\nbut the document says\n{said}"

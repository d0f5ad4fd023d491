# SPDX-License-Identifier: Apache-2.0
"""No label or name from a file can steer the terminal, or pretend to be a line of its own, in what people are told."""

import json

import pytest
from program import TINY, polyrx, rows_of, succeeds, write_rows

LABEL = "a\x1b[31mred\nnext"
NAME = "age\x1b]0;title\x07\u202e"


@pytest.fixture(scope="module")
def spiked(tmp_path_factory):
    """A cohort whose treatments, categories and columns have terminal escapes, and a model of it."""
    folder = tmp_path_factory.mktemp("spiked")
    rows = [[NAME, "ward", "dose\x1b[2J", "pain\x9b1m"]]
    for i in range(120):
        rows.append([20 + i % 60, ["north", "so\x1b[7muth\nwest"][i % 2], [LABEL, "plain", "high"][i % 3], (i * 7) % 11])
    write_rows(folder / "data.csv", rows)
    succeeds("fit", "data.csv", "--treatment", "dose\x1b[2J", "--outcome", "pain\x9b1m", *TINY[:4], "-q",
             "-o", "model.json", cwd=folder)
    return folder


def is_harmless(text):
    assert not any(c < " " and c != "\n" or "\x7f" <= c <= "\x9f" or "\u202a" <= c <= "\u202e" for c in text), text
    assert not any(line.startswith(("next", "west")) for line in text.splitlines()), text


@pytest.mark.parametrize("arguments", [
    ["tree", "model.json", "--data", "data.csv"],
    ["tree", "model.json", "--data", "data.csv", "-o", "tree.json"],
    ["tree", "model.json", "--format", "dot"],
    ["tree", "model.json", "--format", "svg"],
    ["regions", "model.json", "--data", "data.csv"],
    ["regions", "model.json", "--data", "data.csv", "-o", "out.txt"],
    ["verify", "model.json", "--claims", "claims.txt"],
    ["prune", "model.json", "--data", "data.csv", "-o", "pruned.json"],
    ["rules", "check", "claims.txt", "model.json"],
    ["rules", "check", "claims.txt", "data.csv"],
    ["evaluate", "model.json", "data.csv", "--rows", "all"],
    ["prescribe", "model.json", "data.csv", "-o", "out.csv"],
    ["fit", "data.csv", "--treatment", "dose\x1b[2J", "--outcome", "pain\x9b1m", *TINY[:4], "-o", "again.json"],
    ["fit", "data.csv", "--treatment", LABEL, "--outcome", "pain\x9b1m"],
    ["prescribe", "no\x1b[31msuch\nfile.json", "data.csv"],
], ids=lambda arguments: " ".join(arguments)[:40].encode("unicode_escape").decode())
def test_what_people_are_told_has_no_control_characters(spiked, arguments):
    (spiked / "claims.txt").write_text("if ward = north then plain\n")
    run = polyrx(*arguments, cwd=spiked)
    is_harmless(run.out)
    is_harmless(run.err)


def test_files_for_programs_keep_labels_as_they_are(spiked):
    out = succeeds("prescribe", "model.json", "data.csv", cwd=spiked).out
    assert {row[-1] for row in rows_of(out)[1:]} <= {LABEL, "plain", "high"}
    listed = json.loads(succeeds("regions", "model.json", "--data", "data.csv", "--json", cwd=spiked).out)
    assert LABEL in listed["treatments"]

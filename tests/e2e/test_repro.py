# SPDX-License-Identifier: Apache-2.0
"""The paper and its reproduction: small versions of all experiments run, and the map of the paper leads somewhere."""

import pathlib
import re
import subprocess
import sys

import pytest

from iwpc import SHARED
from program import PROGRAM

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "experiments"))
import repro  # noqa: E402
import tables  # noqa: E402

MAP = (ROOT / "docs" / "paper.md").read_text(encoding="utf-8")
COHORT = SHARED / "data" / "warfarin" / "warfarin.csv"


def test_every_experiment_has_a_small_version_that_runs(tmp_path):
    cohort = ["--iwpc", COHORT] if COHORT.exists() else []
    done = subprocess.run([sys.executable, "-B", ROOT / "experiments" / "repro.py", "--quick", "--program", PROGRAM, "--results", tmp_path, *cohort],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in repro.EXPERIMENTS:
        assert f"\n{name}: done" in done.stdout
    assert ("is skipped" in done.stdout) == (not cohort)


def test_an_experiment_that_does_not_exist_is_refused():
    done = subprocess.run([sys.executable, "-B", ROOT / "experiments" / "repro.py", "nonsense"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no experiment 'nonsense'" in done.stderr


@pytest.mark.parametrize("document", [document for document in tables.documents() if tables.commands(document)],
                         ids=lambda document: str(document.relative_to(ROOT)))
def test_the_tables_are_what_the_scripts_print_from_the_raw_output(document):
    assert document.read_text(encoding="utf-8") == tables.renewed(document)


@pytest.mark.parametrize("name", [name for name in repro.EXPERIMENTS if name != "toy"])  # of which there are pictures only
def test_the_table_of_an_experiment_is_marked_so_that_it_is_checked(name):
    script = ROOT / "experiments" / repro.EXPERIMENTS[name][0]
    assert script.name in tables.commands(script.parent / "README.md")


def rows_of_the_map():
    return [line for line in MAP.splitlines() if line.startswith("| ") and not line.startswith("| in the paper")]


@pytest.mark.parametrize("row", rows_of_the_map())
def test_the_map_of_the_paper_has_no_empty_cell(row):
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert len(cells) == 4
    assert all(cells)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:src|tests|experiments)/[^` ]+)`", MAP)) |
                                        {f"docs/{link}" for link in re.findall(r"\]\(((?!http)[^)#]+)", MAP)}))
def test_what_the_map_of_the_paper_names_is_there(path):
    assert (ROOT / path).exists()

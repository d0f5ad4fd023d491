# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end tests share: small data files, and small models trained once."""

import pytest
from program import ALONE, ROLES, TINY, patients, succeeds, write_rows


@pytest.fixture(scope="session")
def studio(tmp_path_factory):
    """A folder with cohort.csv, trial.csv (simulated, with its truth) and a small model of each. Not to be changed."""
    folder = tmp_path_factory.mktemp("studio")
    write_rows(folder / "cohort.csv", patients())
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "-o", "cohort.json", cwd=folder)
    succeeds("simulate", "1", "-n", "400", "--truth", "-o", "trial.csv", cwd=folder)
    succeeds("fit", "trial.csv", *ROLES, *TINY, "-o", "trial.json", cwd=folder)
    return folder


@pytest.fixture
def cohort(studio, tmp_path):
    """A folder of one's own with cohort.csv and its model cohort.json."""
    for name in ("cohort.csv", "cohort.json"):
        (tmp_path / name).write_bytes((studio / name).read_bytes())
    return tmp_path


@pytest.fixture
def old_model(cohort):
    """A model.json in the cohort's folder, which a refused fit must leave as it was."""
    (cohort / "model.json").write_bytes((cohort / "cohort.json").read_bytes())


@pytest.fixture(scope="session")
def nursery(tmp_path_factory):
    """A folder with clinic.csv and new.csv (missing cells and categories in both), the model small.json, its exact tree
    tree.json, and the model large.json, which has no exact tree that anybody could wait for. Not to be changed."""
    folder = tmp_path_factory.mktemp("nursery")
    succeeds("simulate", "clinic", "-n", "600", "-o", "clinic.csv", cwd=folder)
    succeeds("simulate", "clinic", "-n", "3000", "--seed", "7", "-o", "new.csv", cwd=folder)
    succeeds("fit", "clinic.csv", *ROLES, *ALONE, "--hidden", "2", "--epochs", "30", "-o", "small.json", cwd=folder)
    succeeds("fit", "clinic.csv", *ROLES, *ALONE, "--hidden", "30,30", "--epochs", "3", "-o", "large.json", cwd=folder)
    succeeds("tree", "small.json", "-o", "tree.json", cwd=folder)
    return folder


@pytest.fixture
def garden(nursery, tmp_path):
    """A folder of one's own with what is in the nursery."""
    for path in nursery.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path

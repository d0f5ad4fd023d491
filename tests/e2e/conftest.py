# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end tests share: small data files, and small models trained once."""

import pytest
from program import ROLES, TINY, patients, succeeds, write_rows


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

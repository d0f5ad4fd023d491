# SPDX-License-Identifier: Apache-2.0
"""The same seed gives the same bytes, whatever the number of threads."""

import pytest
from program import ROLES, succeeds

FIT = ["fit", "clinic.csv", *ROLES, "--hidden", "20,10", "--epochs", "4", "--validation-fraction", "0.2", "--quiet", "-o", "-"]


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    # More rows than one block of prescribing, so that several threads have something to do.
    folder = tmp_path_factory.mktemp("clinic")
    succeeds("simulate", "clinic", "-n", "10000", "-o", "clinic.csv", cwd=folder)
    (folder / "model.json").write_text(succeeds(*FIT, cwd=folder).out)
    return folder


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_model_does_not_depend_on_the_number_of_threads(clinic, threads):
    assert succeeds(*FIT, "--threads", threads, cwd=clinic).out == (clinic / "model.json").read_text()


def test_another_seed_gives_another_model(clinic):
    assert succeeds(*FIT, "--seed", "2", cwd=clinic).out != (clinic / "model.json").read_text()


@pytest.mark.parametrize("threads", [1, 2, 4, 100])
def test_prescriptions_do_not_depend_on_the_number_of_threads(clinic, threads):
    def prescriptions(*options):
        return succeeds("prescribe", "model.json", "clinic.csv", "--outcomes", *options, cwd=clinic).out

    assert prescriptions("--threads", threads) == prescriptions()


@pytest.mark.parametrize("dataset", ["1", "6", "clinic"])
def test_simulated_rows_depend_on_the_seed_alone(dataset, tmp_path):
    def rows(seed):
        return succeeds("simulate", dataset, "-n", "500", "--seed", seed, "--truth", cwd=tmp_path).out

    assert rows(1) == rows(1) != rows(2)

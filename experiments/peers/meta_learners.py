#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds our meta-learners against EconML's with the same forests: two treatments, effects of rows that neither has seen.

EconML's are given scikit-learn's forests with our settings; its DRLearner, which has the treatment among the inputs of
its regression, a forest for each treatment, as ours has. What is left to differ: random numbers and folds. So three of
each, with different seeds, are compared, and what EconML's differ by from each other is shown. Exits 1 if a correlation
of effects is at most 0.95, or our mean error to the truth more than 10 % above EconML's.

    experiments/peers/.venv/bin/python experiments/peers/meta_learners.py build/release/polyrx [--rows 4000]

Writes results/meta_learners.csv.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
from econml.dml import NonParamDML
from econml.dr import DRLearner
from econml.metalearners import SLearner, XLearner
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

HERE = Path(__file__).resolve().parent
UNSEEN = 2_000
FORESTS = 3  # of each, for the same data
LEAST_CORRELATION = 0.95
MOST_ERROR = 1.10
COLUMNS = ["data", "learner", "rows", "seed", "correlation", "peer_correlation", "rmse", "peer_rmse", "passed"]


def simulate(name, rows, seed):
    """Features, treatment, outcome, true effect."""
    rng = np.random.default_rng([seed, len(name)])
    x = rng.normal(size=(rows + UNSEEN, 6))
    propensity = np.full(len(x), 0.5)
    main = x[:, 1]
    if name == "step":
        effect = np.where(x[:, 0] > 0, 2.0, -1.0)
    elif name == "linear":
        effect = x[:, 0] + 0.5 * x[:, 2]
    else:  # confounded
        effect = 2 * np.maximum(x[:, 0], 0)
        propensity = 1 / (1 + np.exp(-x[:, 1]))
        main = 2 * x[:, 1] + x[:, 3]
    treatment = (rng.uniform(size=len(x)) < propensity).astype(int)
    return x, treatment, main + treatment * effect + 0.5 * rng.normal(size=len(x)), effect


class OneForEach(RegressorMixin, BaseEstimator):
    """A forest for each treatment, which is the last of the inputs."""

    def __init__(self, leaf, seed):
        self.leaf, self.seed = leaf, seed

    def fit(self, inputs, outcome):
        x, treatment = inputs[:, :-1], inputs[:, -1]
        self.forests_ = [RandomForestRegressor(min_samples_leaf=self.leaf, random_state=self.seed, n_jobs=-1).fit(
            x[treatment == k], outcome[treatment == k]) for k in (0, 1)]
        return self

    def predict(self, inputs):
        outcomes = np.column_stack([forest.predict(inputs[:, :-1]) for forest in self.forests_])
        return outcomes[np.arange(len(inputs)), inputs[:, -1].astype(int)]


def peer(learner, seed):
    def regression(leaf):
        return RandomForestRegressor(min_samples_leaf=leaf, random_state=seed, n_jobs=-1)

    def classes(leaf, **options):
        return RandomForestClassifier(min_samples_leaf=leaf, random_state=seed, n_jobs=-1, **options)

    if learner == "s-learner":
        return SLearner(overall_model=regression(1))
    if learner == "x-learner":
        return XLearner(models=regression(5), cate_models=regression(20), propensity_model=classes(20, max_features=None))
    if learner == "r-learner":
        return NonParamDML(model_y=regression(5), model_t=classes(5, max_features=None), model_final=regression(20),
                           discrete_treatment=True, cv=2, random_state=seed)
    return DRLearner(model_propensity=classes(20), model_regression=OneForEach(5, seed), model_final=regression(20),
                     min_propensity=0.02, cv=5, random_state=seed)


def their_effects(learner, x, treatment, outcome, unseen, seed):
    return np.asarray(peer(learner, seed).fit(outcome, treatment, X=x).effect(unseen)).ravel()


def our_effects(polyrx, learner, x, treatment, outcome, unseen, seed):
    names = [f"x{j}" for j in range(x.shape[1])]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        np.savetxt(folder / "rows.csv", np.column_stack([x, treatment, outcome]), fmt="%.17g", delimiter=",",
                   header=",".join([*names, "treatment", "outcome"]), comments="")
        np.savetxt(folder / "unseen.csv", unseen, fmt="%.17g", delimiter=",", header=",".join(names), comments="")
        subprocess.run([polyrx, "fit", "rows.csv", "--treatment", "treatment", "--outcome", "outcome", "--method",
                        learner, "--seed", str(seed), "-q", "-o", "model.json"], check=True, cwd=folder)
        said = subprocess.run([polyrx, "prescribe", "model.json", "unseen.csv", "--outcomes"], check=True, cwd=folder,
                              capture_output=True, text=True).stdout
    word = "outcome" if learner == "s-learner" else "effect"
    return np.array([float(row[f"{word}_1"]) - float(row[f"{word}_0"]) for row in csv.DictReader(said.splitlines())])


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


def compare(polyrx, data, learner, rows, seed):
    x, treatment, outcome, effect = simulate(data, rows, seed)
    given = (x[:rows], treatment[:rows], outcome[:rows], x[rows:])
    seeds = range(1_000 * seed, 1_000 * seed + FORESTS)
    ours = [our_effects(polyrx, learner, *given, each) for each in seeds]
    theirs = [their_effects(learner, *given, each) for each in seeds]
    error, their_error = (np.mean([rms(each - effect[rows:]) for each in those]) for those in (ours, theirs))
    correlation = min(np.corrcoef(a, b)[0, 1] for a, b in zip(ours, theirs))
    among_peers = min(np.corrcoef(a, b)[0, 1] for a, b in zip(theirs, theirs[1:]))
    passed = correlation > LEAST_CORRELATION and error <= MOST_ERROR * their_error
    return [data, learner, rows, seed, *(round(float(each), 4) for each in (correlation, among_peers, error, their_error)),
            "yes" if passed else "no"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("polyrx", type=Path)
    parser.add_argument("--rows", type=int, default=4_000)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("-o", "--output", default=HERE / "results/meta_learners.csv", type=Path)
    options = parser.parse_args()
    print(f"EconML {version('econml')}, scikit-learn {version('scikit-learn')}", file=sys.stderr)
    found = []
    print(*COLUMNS)
    for data in ("step", "linear", "confounded"):
        for learner in ("s-learner", "x-learner", "r-learner", "dr-learner"):
            for seed in range(1, options.seeds + 1):
                found.append(compare(options.polyrx.resolve(), data, learner, options.rows, seed))
                print(*found[-1], flush=True)
            with open(options.output, "w", newline="", encoding="utf-8") as file:
                csv.writer(file, lineterminator="\n").writerows([COLUMNS, *found])
    sys.exit(any(line[-1] == "no" for line in found))


if __name__ == "__main__":
    main()

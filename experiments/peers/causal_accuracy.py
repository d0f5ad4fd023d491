#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do causal forests of EconML prescribe as well as ours? Accuracy of both on the same rows.

    experiments/peers/.venv/bin/python experiments/peers/causal_accuracy.py build/release/polyrx

`cf` on D1 to D4, which have two treatments, and `cf-1va`, `cf-1v1a` and `cf-1v1b` on D5 and D6, which have three,
beside EconML's CausalForestDML: one for each pair that the scheme asks for, put together by the same rule, with the
same settings (criterion "het", residuals of forests with leaves of five, two folds). 10,000 rows to learn from and
10,000 others (simulate, seed + 1000) to judge by. Writes results/causal_accuracy.csv, seed by seed, and begun again
it goes on from there; exits 1 where a mean difference is more than three standard errors of the paired differences.
"""

import argparse
import itertools
import pathlib
import statistics
import sys
import tempfile
from importlib.metadata import version

import numpy as np
from econml.dml import CausalForestDML
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

from forests import HERE, accuracy, numbers, ours, simulated, table, write


def effect(x, treated, y, unseen, seed, jobs):
    """Of being treated, by row of `unseen`. Like ours, both residual forests look at all features in each node, which
    scikit-learn's classifier does not by itself."""
    forest = CausalForestDML(
        model_y=RandomForestRegressor(min_samples_leaf=5, random_state=seed, n_jobs=jobs),
        model_t=RandomForestClassifier(min_samples_leaf=5, max_features=None, random_state=seed, n_jobs=jobs),
        discrete_treatment=True, criterion="het", inference=False, drate=False, random_state=seed, n_jobs=jobs)
    return forest.fit(y, treated.astype(int), X=x).effect(unseen).ravel()


def scores(x, t, y, unseen, treatments, seed, jobs):
    """By method: rows x treatments, the smallest is prescribed. The paper's appendix, as in docs/baselines.md."""
    if treatments == 2:
        return {"cf": np.column_stack([np.zeros(len(unseen)), effect(x, t == 1, y, unseen, seed, jobs)])}
    against_all = [effect(x, t == k, y, unseen, seed, jobs) for k in range(treatments)]
    lowest = np.full((len(unseen), treatments), np.inf)
    votes = np.zeros((len(unseen), treatments))
    for p, s in itertools.combinations(range(treatments), 2):
        pair = (t == p) | (t == s)
        found = effect(x[pair], t[pair] == p, y[pair], unseen, seed, jobs)
        for k, each in ((p, found), (s, -found)):
            lowest[:, k] = np.minimum(lowest[:, k], each)
            votes[:, k] -= each < 0
    return {"cf-1va": np.column_stack(against_all), "cf-1v1a": lowest, "cf-1v1b": votes}


def compare(polyrx, folder, data, seed, jobs):
    """By method: our accuracy and EconML's."""
    truth, labels, schema = simulated(polyrx, folder, data[1:], seed)
    features = [f"x{j}" for j in range(1, 21)]
    train = numbers(folder / "train.csv", [*features, "treatment", "outcome"])
    test = numbers(folder / "test.csv", [*features, *truth])
    theirs = scores(train[:, :20], train[:, 20].astype(int), train[:, 21], test[:, :20], len(labels), seed, jobs)
    return {method: (ours(polyrx, folder, method, seed, truth, schema), accuracy(each.argmin(axis=1), test[:, 20:]))
            for method, each in theirs.items()}


def summary(data, method, pairs):
    """A line of the table, and whether the two are apart."""
    difference = [100 * (a - b) for a, b in pairs]
    mean, error = statistics.mean(difference), statistics.stdev(difference) / len(difference) ** 0.5
    apart = abs(mean) > 3 * error + 1e-9
    means = [100 * statistics.mean(column) for column in zip(*pairs, strict=True)]
    return (f"{data} {method:9}{len(pairs):6}{means[0]:9.2f}{means[1]:9.2f}{mean:12.2f}{error:9.2f}"
            f"{'  APART' if apart else ''}"), apart


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("polyrx", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=5, help="of each data set; at least 2")
    parser.add_argument("--data", default="D1,D2,D3,D4,D5,D6")
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=HERE / "results/causal_accuracy.csv")
    options = parser.parse_args()
    polyrx = options.polyrx.resolve()
    lines = table(options.output)[1] if options.output.exists() else []
    with tempfile.TemporaryDirectory() as folder:
        for seed, data in itertools.product(range(1, options.seeds + 1), options.data.split(",")):
            if any(line[:2] == [data, str(seed)] for line in lines):
                continue
            found = compare(polyrx, pathlib.Path(folder), data, seed, options.jobs)
            lines = sorted(lines + [[data, str(seed), method, *map(str, pair)] for method, pair in found.items()],
                           key=lambda line: (line[0], int(line[1])))
            write(options.output, ["data", "seed", "method", "polyrx", "econml"], lines)
    print(f"EconML {version('econml')}, scikit-learn {version('scikit-learn')}")
    print(f"{'':12}{'seeds':>6}{'polyrx':>9}{'econml':>9}{'difference':>12}{'its SE':>9}")
    pairs = {}
    for data, _, method, *pair in lines:
        pairs.setdefault((data, method), []).append([float(each) for each in pair])
    summaries = [summary(data, method, each) for (data, method), each in pairs.items()]
    print(*(line for line, _ in summaries), sep="\n")
    passed = not any(apart for _, apart in summaries)
    print("passed" if passed else "NOT passed")
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()

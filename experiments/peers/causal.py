#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds our causal forest against EconML's on the same residuals.

Both get the features and the residuals of outcome and treatment, learn 100 trees with the same settings
(criterion "het"), and say the effects of rows that they have not seen. Two forests of different random numbers never
agree to the last bit, so five of each are compared: by the correlation of their effects, and by how far they are from
the truth of the simulated data. What forests of EconML differ by from each other is shown beside it. Exits 1 if a
correlation is at most 0.95, or our mean error more than 10 % above EconML's.

    experiments/peers/setup
    cmake --preset experiments && cmake --build --preset experiments
    experiments/peers/.venv/bin/python experiments/peers/causal.py
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import numpy as np
from econml.grf import CausalForest
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import cross_val_predict

ROOT = Path(__file__).resolve().parents[2]
ROWS = 4_000
UNSEEN = 2_000
TREES = 100
SEEDS = (1, 2, 3)  # of the data
FORESTS = 5  # of each kind, for the same data: the error of a single one varies by some per cent
LEAST_CORRELATION = 0.95
MOST_ERROR = 1.10
COLUMNS = [
    "data",
    "seed",
    "correlation",  # the least of our effects with EconML's, forest by forest
    "peer_correlation",  # the least of EconML's with EconML's of another seed
    "rmse",  # ours to the truth, mean over forests
    "peer_rmse",
    "rmse_sd",  # over forests
    "peer_rmse_sd",
    "apart",  # root mean square of ours minus EconML's
    "peer_apart",  # of EconML's minus EconML's of another seed
    "passed",
]


def simulate(name, seed):
    """Features, treatment, outcome, true effect."""
    rng = np.random.default_rng([seed, len(name)])
    x = rng.normal(size=(ROWS + UNSEEN, 8))
    propensity = np.full(len(x), 0.5)
    main = x[:, 1]
    noise = 1.0
    if name == "step":
        effect = np.where(x[:, 0] > 0, 2.0, -1.0)
    elif name == "linear":
        effect = x[:, 0] + 0.5 * x[:, 2]
    elif name == "confounded":
        effect = np.maximum(x[:, 0], 0) * 2
        propensity = 1 / (1 + np.exp(-x[:, 1]))
        main = 2 * x[:, 1] + x[:, 3]
    elif name == "rare":
        effect = 1 + np.where((x[:, 0] > 0) & (x[:, 1] > 0), 3.0, 0.0)
        propensity = np.full(len(x), 0.15)
    elif name == "coarse":  # few values: many ties, and cuts that many rows share
        x = np.round(x)
        effect = np.where(x[:, 0] > 0, 1.5, 0.0) + np.where(x[:, 2] >= 1, 1.0, 0.0)
        noise = 0.5
    else:
        raise ValueError(name)
    treatment = (rng.uniform(size=len(x)) < propensity).astype(float)
    outcome = main + treatment * effect + noise * rng.normal(size=len(x))
    return x, treatment, outcome, effect


def residuals(x, target, seed):
    forest = RandomForestRegressor(min_samples_leaf=5, random_state=seed, n_jobs=-1)
    return target - cross_val_predict(forest, x, target, cv=2)


def econml_effects(x, treatment, outcome, unseen, seed):
    forest = CausalForest(n_estimators=TREES, criterion="het", inference=False, random_state=seed)
    forest.fit(x, treatment.reshape(-1, 1), outcome)
    return forest.predict(unseen).ravel()


def our_effects(program, x, treatment, outcome, unseen, seed):
    learn = np.r_[np.ones(len(x)), np.zeros(len(unseen))]
    nothing = np.zeros(len(unseen))
    table = np.column_stack([learn, np.r_[treatment, nothing], np.r_[outcome, nothing], np.vstack([x, unseen])])
    header = ["learn", "treatment", "outcome"] + [f"x{i}" for i in range(x.shape[1])]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        np.savetxt(path, table, fmt="%.17g", delimiter=",", header=",".join(header), comments="")
        printed = subprocess.run([program, path, str(TREES), str(seed)], check=True, capture_output=True, text=True)
    return np.array(printed.stdout.split(), dtype=float)[len(x) :]


def rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


def compare(program, name, seed):
    x, treatment, outcome, effect = simulate(name, seed)
    learn, unseen = slice(None, ROWS), slice(ROWS, None)
    left = [residuals(x[learn], each[learn], seed) for each in (treatment, outcome)]
    given = (x[learn], *left, x[unseen])
    forests = range(1_000 * seed, 1_000 * seed + FORESTS)
    ours = np.array([our_effects(program, *given, each) for each in forests])
    peers = np.array([econml_effects(*given, each) for each in forests])
    others = np.roll(peers, 1, axis=0)
    errors = [rms(each - effect[unseen]) for each in ours]
    peer_errors = [rms(each - effect[unseen]) for each in peers]
    row = {
        "data": name,
        "seed": seed,
        "correlation": min(np.corrcoef(a, b)[0, 1] for a, b in zip(ours, peers)),
        "peer_correlation": min(np.corrcoef(a, b)[0, 1] for a, b in zip(peers, others)),
        "rmse": np.mean(errors),
        "peer_rmse": np.mean(peer_errors),
        "rmse_sd": np.std(errors, ddof=1),
        "peer_rmse_sd": np.std(peer_errors, ddof=1),
        "apart": rms(ours - peers),
        "peer_apart": rms(peers - others),
    }
    passed = row["correlation"] > LEAST_CORRELATION and row["rmse"] <= MOST_ERROR * row["peer_rmse"]
    return {key: value if isinstance(value, (str, int)) else round(value, 4) for key, value in row.items()} | {
        "passed": "yes" if passed else "no"
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=ROOT / "build/experiments/peer_causal_forest")
    parser.add_argument("-o", "--output", default=Path(__file__).parent / "results/causal.csv", type=Path)
    arguments = parser.parse_args()
    found = []
    arguments.output.parent.mkdir(exist_ok=True)
    print(f"EconML {version('econml')}, scikit-learn {version('scikit-learn')}", file=sys.stderr)
    print(*COLUMNS)
    for name in ("step", "linear", "confounded", "rare", "coarse"):
        for seed in SEEDS:
            found.append(compare(arguments.program, name, seed))
            print(*found[-1].values(), flush=True)
    with open(arguments.output, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    sys.exit(any(row["passed"] == "no" for row in found))


if __name__ == "__main__":
    main()

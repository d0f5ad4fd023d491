#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares polyrx's linear learners with NumPy and scikit-learn on the same rows.

    cmake --preset experiments && cmake --build --preset experiments --target peers_linear
    experiments/peers/setup
    build/experiments/peers_linear | experiments/peers/.venv/bin/python experiments/peers/linear.py

Prints the largest differences, each relative to the largest number compared, and exits 1 if one is too large.
"""

import json
import sys

import numpy
import sklearn
from sklearn.linear_model import LogisticRegression, Ridge, RidgeCV

# scikit-learn's solvers stop at a gradient, not at the optimum; with tol 1e-10 they are within this of it.
LIMITS = {"least squares": 1e-8, "ridge": 1e-8, "left-out errors": 1e-8, "probabilities": 1e-6}


def difference(ours, theirs):
    ours, theirs = numpy.asarray(ours), numpy.asarray(theirs)
    return float(numpy.max(numpy.abs(ours - theirs)) / numpy.max(numpy.abs(theirs)))


def flat(model):
    return numpy.append(model["weights"], model["intercept"])


def least_squares(x, y, w):
    """Centred, minimum-norm: numpy.linalg.lstsq of the centred rows times the roots of their weights."""
    mean, level = numpy.average(x, axis=0, weights=w), numpy.average(y, weights=w)
    root = numpy.sqrt(w)
    weights = numpy.linalg.lstsq((x - mean) * root[:, None], (y - level) * root, rcond=1e-11)[0]
    return numpy.append(weights, level - mean @ weights)


def standardised(x, w):
    mean = numpy.average(x, axis=0, weights=w)
    deviation = numpy.sqrt(numpy.average((x - mean) ** 2, axis=0, weights=w))
    return (x - mean) / deviation, mean, deviation


def ridge(x, y, w, penalty):
    z, mean, deviation = standardised(x, w)
    peer = Ridge(alpha=penalty, solver="svd").fit(z, y, sample_weight=w)
    weights = peer.coef_ / deviation
    return numpy.append(weights, peer.intercept_ - mean @ weights)


def left_out_errors(x, y, penalties):
    z, _, _ = standardised(x, numpy.ones(len(y)))
    peer = RidgeCV(alphas=penalties, store_cv_results=True).fit(z, y)
    return peer.cv_results_.mean(axis=0)


def probabilities(x, classes, w, penalty):
    z, _, _ = standardised(x, w)
    # With two classes it has one row of weights, where ours are its half and its negative half: twice the penalty on
    # ours is what one penalty is on its.
    c = 1 / penalty if len(set(classes)) > 2 else 2 / penalty
    peer = LogisticRegression(C=c, tol=1e-10, max_iter=10_000).fit(z, classes, sample_weight=w)
    return peer.predict_proba(z)


def main():
    print(f"NumPy {numpy.__version__}, scikit-learn {sklearn.__version__}")
    failed = False
    for case in json.load(sys.stdin):
        x, y, w = (numpy.array(case[key]) for key in ("inputs", "outcome", "weights"))
        cv = case["ridge_cv"]
        found = {
            "least squares": difference(flat(case["least_squares"]), least_squares(x, y, w)),
            "ridge": difference(flat(case["ridge"]), ridge(x, y, w, case["penalty"])),
            "left-out errors": difference(cv["errors"], left_out_errors(x, y, cv["penalties"])),
            "probabilities": difference(case["probabilities"], probabilities(x, case["class"], w, case["penalty"])),
        }
        for what, size in found.items():
            bad = not size <= LIMITS[what]
            failed |= bad
            print(f"{case['name']:24} {what:16} {size:8.1e}{'  TOO LARGE' if bad else ''}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

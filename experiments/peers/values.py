#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are our estimates of a policy's value those of others on the same rows, predictions and propensities?

    experiments/peers/setup
    cmake --preset experiments && cmake --build --preset experiments --target peer_values
    experiments/peers/.venv/bin/python experiments/peers/values.py build/release/polyrx

Three others: Open Bandit Pipeline (values by dm, ipw, snipw and dr), DoubleML (values, differences and standard errors
by dr and ipw) and statsmodels (the same of all that is a weighted mean, with weights and groups). Where definitions are
the same, numbers must agree to 1e-9 of the largest outcome; where they are random, to the part of a standard error that
is stated below. Writes results/values.csv, prints the largest difference of each kind, and exits 1 if one is too large.
"""

import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings
from importlib.metadata import version

import numpy as np
import statsmodels.api as sm
from doubleml import DoubleMLAPO, DoubleMLAPOS, DoubleMLData
from doubleml.utils import PSProcessorConfig
from obp import ope
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression

HERE = pathlib.Path(__file__).resolve().parent
SAME = 1e-9  # of numbers that are defined in the same way, relative to the largest outcome
# Of the ends of two bootstrap intervals, in standard errors: with 10,000 draws each, an end has a Monte Carlo error of
# 0.027, and the difference of two of 0.038. This is four times that.
SAME_INTERVAL = 0.15
DRAWS = 10_000
# Of two doubly robust values with models of the same kinds on folds of their own, in standard errors, and of the ratio
# of those errors to 1. Both see the same rows, so they share most of their error.
SAME_VALUE = 1.0
SAME_ERROR = 0.25


class Study:
    """Rows with all that estimators ask for, and some policies; the first ones are the treatments for everybody."""

    def __init__(self, name, treatments, rows, seed, sharpness=1.0, binary=False):
        rng = np.random.default_rng([seed, treatments])
        self.name = name
        self.x = rng.normal(size=(rows, 4))
        index = sharpness * self.x @ rng.normal(size=(4, treatments))
        likely = np.exp(index - index.max(axis=1, keepdims=True))
        # DoubleML raises propensities below the least one, as we do, and lowers those above 1 minus it, which we do
        # not: so none is above 0.975.
        self.e = 0.95 * likely / likely.sum(axis=1, keepdims=True) + 0.05 / treatments
        self.least = 0.02
        self.t = (rng.uniform(size=(rows, 1)) > self.e.cumsum(axis=1)).sum(axis=1).clip(0, treatments - 1)
        self.truth = self.x[:, :1] + np.sin(self.x[:, 1:2] * (1 + np.arange(treatments)))
        if binary:
            self.truth = 1 / (1 + np.exp(-self.truth))
        chosen = self.truth[np.arange(rows), self.t]
        self.y = (rng.uniform(size=rows) < chosen).astype(float) if binary else chosen + rng.normal(size=rows)
        self.m = self.truth + 0.3 * rng.normal(size=self.truth.shape)  # predictions that are not quite right
        if binary:
            self.m = self.m.clip(0.01, 0.99)
        self.weight = rng.integers(1, 5, size=rows) / 2
        self.group = rng.integers(0, rows // 8, size=rows)
        self.policies = {f"policy_all_{k}": np.full(rows, k) for k in range(min(treatments, 3))}
        self.policies["policy_best"] = self.m.argmin(axis=1)
        self.policies["policy_random"] = rng.integers(0, treatments, size=rows)

    def write(self, path):
        k = self.m.shape[1]
        header = ["treatment", "outcome", "weight", "group", *(f"x{i}" for i in range(4)), *(f"m{i}" for i in range(k)),
                  *(f"e{i}" for i in range(k)), *self.policies]
        columns = [self.t, self.y, self.weight, self.group, self.x, self.m, self.e, *self.policies.values()]
        np.savetxt(path, np.column_stack(columns), fmt="%.17g", delimiter=",", header=",".join(header), comments="")


STUDIES = [
    Study("two treatments", 2, 500, 1),
    Study("three treatments", 3, 2_000, 2),
    Study("weak overlap", 3, 2_000, 3, sharpness=4.0),
    Study("ten treatments", 10, 3_000, 4, sharpness=0.5),
    Study("events", 3, 1_500, 5, binary=True),
]


# --- others


def bandit(study, policy):
    """Values of Open Bandit Pipeline, and bootstrap intervals of those that are means of rows in both."""
    rows = np.arange(len(study.t))
    dealt = np.zeros((*study.m.shape, 1))
    dealt[rows, policy, 0] = 1
    given = {"reward": study.y, "action": study.t, "pscore": study.e[rows, study.t], "action_dist": dealt,
             "estimated_rewards_by_reg_model": study.m[:, :, None]}
    most = 1 / study.least  # the weight of a row where its propensity is the least one
    estimators = {"dm": ope.DirectMethod(), "ipw": ope.InverseProbabilityWeighting(lambda_=most),
                  "dr": ope.DoublyRobust(lambda_=most)}
    values = {name: float(each.estimate_policy_value(**given)) for name, each in estimators.items()}
    # This one takes a lambda_ too, and in version 0.5.7 does not look at it: so it gets propensities that are raised.
    raised = given | {"pscore": np.maximum(given["pscore"], study.least)}
    values["snipw"] = float(ope.SelfNormalizedInverseProbabilityWeighting().estimate_policy_value(**raised))
    intervals = {}
    for name in ("ipw", "dr"):  # its self-normalised one keeps the denominator of the sample: another interval
        said = estimators[name].estimate_interval(**given, n_bootstrap_samples=DRAWS, random_state=1)
        intervals[name] = (said["95.0% CI (lower)"], said["95.0% CI (upper)"])
    return values, intervals


def machine(study, policy, predicted, weight=None):
    """DoubleML's potential outcome of having received what the policy prescribes: the policy's value."""
    rows = np.arange(len(study.t))
    followed = (study.t == policy).astype(float)
    data = DoubleMLData.from_arrays(study.x, study.y, followed)
    model = DoubleMLAPO(data, RandomForestRegressor(), RandomForestClassifier(), treatment_level=1, n_folds=2,
                        weights=weight, ps_processor_config=PSProcessorConfig(clipping_threshold=study.least))
    external = {"ml_g_d_lvl1": predicted, "ml_g_d_lvl0": np.full(len(rows), study.y.mean()),
                "ml_m": study.e[rows, policy]}
    model.fit(external_predictions={"d": {name: each.reshape(-1, 1) for name, each in external.items()}})
    return model.framework


def told(framework, rows):
    """Value and standard error. DoubleML divides squares by n, we by n - 1."""
    return float(framework.thetas[0]), float(framework.ses[0]) * (rows / (rows - 1)) ** 0.5


def contrast(study, one, other):
    """DoubleML's difference between two treatments for everybody."""
    model = DoubleMLAPOS(DoubleMLData.from_arrays(study.x, study.y, study.t.astype(float)), RandomForestRegressor(),
                         RandomForestClassifier(), treatment_levels=[one, other], n_folds=2,
                         ps_processor_config=PSProcessorConfig(clipping_threshold=study.least))
    model.fit(external_predictions={
        k: {"ml_g_d_lvl1": study.m[:, [k]], "ml_g_d_lvl0": np.full((len(study.t), 1), study.y.mean()),
            "ml_m": study.e[:, [k]]} for k in (one, other)})
    return told(model.causal_contrast(other), len(study.t))


def mean_by_least_squares(values, weight, group=None):
    """statsmodels' regression on nothing but a constant: its robust errors are the influence function's."""
    fitted = sm.WLS(values, np.ones(len(values)), weights=weight)
    fitted = fitted.fit(cov_type="HC1") if group is None else fitted.fit(cov_type="cluster", cov_kwds={"groups": group})
    return float(fitted.params[0]), float(fitted.bse[0])


def regression(study, policy, weight, group=None):
    """Value and standard error by ipw, snipw and dr."""
    rows = np.arange(len(study.t))
    inverse = (study.t == policy) / np.maximum(study.e[rows, policy], study.least)
    predicted = study.m[rows, policy]
    scores = predicted + inverse * (study.y - predicted)
    return {"ipw": mean_by_least_squares(inverse * study.y, weight, group),
            "snipw": mean_by_least_squares(study.y, weight * inverse, group),
            "dr": mean_by_least_squares(scores, weight, group)}, scores


# --- ours


def ours(program, path, study):
    said = subprocess.run([program, path, str(study.least), str(DRAWS)], check=True, capture_output=True, text=True)
    found = {}
    for row in csv.DictReader(io.StringIO(said.stdout)):
        numbers = {key: float(row[key]) if row[key] else None for key in ("value", "standard_error", "low", "high")}
        found[row["policy"], row["against"], row["counting"], row["estimator"]] = numbers
    return found


def by_program(polyrx, path, study, policy, *options):
    """What `polyrx evaluate` says of a column of prescriptions where propensities are known."""
    known = ",".join(f"{k}=e{k}" for k in range(study.m.shape[1]))
    said = subprocess.run([polyrx, "evaluate", f"column:{policy}", path, "--treatment", "treatment", "--outcome",
                           "outcome", "--features", "x0,x1,x2,x3", "--propensities", known, "--trees", "2", "--bootstrap", "0", "--json", "-q", *options], check=True,
                          capture_output=True)
    return json.loads(said.stdout)["values"]


class Comparison:
    """Lines of the result file, and the largest difference of each kind."""

    def __init__(self):
        self.lines, self.largest = [], {}

    def add(self, study, policy, peer, what, our, their, unit, limit):
        difference = abs(our - their) / unit
        self.lines.append([study.name, policy, peer, what, f"{our:.12g}", f"{their:.12g}", f"{difference:.1e}",
                           "yes" if difference <= limit else "no"])
        worst, count, _ = self.largest.get((peer, what), (0.0, 0, limit))
        self.largest[peer, what] = (max(worst, difference), count + 1, limit)

    def same(self, study, policy, peer, what, our, their):
        self.add(study, policy, peer, what, our, their, float(np.abs(study.y).max()), SAME)

    def same_estimate(self, study, policy, peer, what, our, their):
        """`their` value and standard error."""
        self.same(study, policy, peer, f"{what}, value", our["value"], their[0])
        self.same(study, policy, peer, f"{what}, standard error", our["standard_error"], their[1])

    def passed(self):
        return all(line[-1] == "yes" for line in self.lines)


def against_bandit(study, name, our, said, found):
    values, intervals = bandit(study, study.policies[name])
    for each, value in values.items():
        mine = our[name, "", "once", each]
        found.same(study, name, "obp", f"{each}, value", mine["value"], value)
        if each in ("ipw", "snipw"):
            found.same(study, name, "obp", f"{each} by polyrx evaluate, value", said[each]["value"], value)
        for end, their_end in zip(("low", "high"), intervals.get(each, ()), strict=False):
            found.add(study, name, "obp", f"{each}, end of bootstrap interval, in s.e.", mine[end], their_end,
                      mine["standard_error"], SAME_INTERVAL)


def against_doubleml(study, name, first, our, found):
    rows, policy = len(study.t), study.policies[name]
    predicted = study.m[np.arange(rows), policy]
    framework = machine(study, policy, predicted)
    found.same_estimate(study, name, "DoubleML", "dr", our[name, "", "once", "dr"], told(framework, rows))
    weighted = machine(study, policy, predicted, study.weight / study.weight.mean())  # its weights have mean 1
    found.same_estimate(study, name, "DoubleML", "dr with weights", our[name, "", "weights", "dr"],
                        told(weighted, rows))
    if set(study.y) != {0, 1}:  # for such outcomes it refuses predictions of 0
        unaided = machine(study, policy, np.zeros(rows))
        found.same_estimate(study, name, "DoubleML", "ipw", our[name, "", "once", "ipw"], told(unaided, rows))
    if name != first:
        other = study.policies[first]
        difference = framework - machine(study, other, study.m[np.arange(rows), other])
        found.same_estimate(study, name, "DoubleML", "dr, difference", our[name, first, "once", "dr"],
                            told(difference, rows))


def against_statsmodels(study, name, first, our, said, found):
    for counting, weight, group in (("once", np.ones(len(study.t)), None), ("weights", study.weight, None),
                                    ("weights and groups", study.weight, study.group)):
        theirs, scores = regression(study, study.policies[name], weight, group)
        with_what = "" if counting == "once" else f" with {counting}"
        for each, estimate in theirs.items():
            found.same_estimate(study, name, "statsmodels", each + with_what, our[name, "", counting, each], estimate)
        if name != first:
            _, others = regression(study, study.policies[first], weight, group)
            found.same_estimate(study, name, "statsmodels", f"dr{with_what}, difference",
                                our[name, first, counting, "dr"],
                                mean_by_least_squares(scores - others, weight, group))
        if counting == "weights and groups":
            for each in ("ipw", "snipw"):
                found.same_estimate(study, name, "statsmodels", f"{each}{with_what} by polyrx evaluate", said[each],
                                    theirs[each])


def compare_same_inputs(polyrx, program, folder, found):
    for study in STUDIES:
        path = folder / "rows.csv"
        study.write(path)
        our = ours(program, path, study)
        first = next(iter(study.policies))
        for name in study.policies:
            against_bandit(study, name, our, by_program(polyrx, path, study, name), found)
            against_doubleml(study, name, first, our, found)
            grouped = by_program(polyrx, path, study, name, "--weight", "weight", "--group", "group")
            against_statsmodels(study, name, first, our, grouped, found)
        found.same_estimate(study, "policy_all_1", "DoubleML", "causal_contrast",
                            our["policy_all_1", first, "once", "dr"], contrast(study, 1, 0))


def compare_own_models(polyrx, folder, found):
    """Doubly robust values of each treatment for everybody, each with forests and logistic regression of its own."""
    for seed in range(11, 16):
        study = Study(f"own models, seed {seed}", 2, 3_000, seed)
        path = folder / "rows.csv"
        study.write(path)
        for k in range(2):
            said = subprocess.run([polyrx, "evaluate", f"always:{k}", path, "--treatment", "treatment", "--outcome",
                                   "outcome", "--features", "x0,x1,x2,x3", "--estimator", "dr", "--propensity-model",
                                   "logistic", "--seed", str(seed), "--bootstrap", "0", "--json", "-q"], check=True,
                                  capture_output=True)
            mine = json.loads(said.stdout)["values"]["dr"]
            np.random.seed(seed)  # DoubleML deals its folds with it
            model = DoubleMLAPO(
                DoubleMLData.from_arrays(study.x, study.y, study.t.astype(float)),
                RandomForestRegressor(min_samples_leaf=5, random_state=seed), LogisticRegression(), treatment_level=k,
                n_folds=5, ps_processor_config=PSProcessorConfig(clipping_threshold=study.least))
            value, error = told(model.fit().framework, len(study.t))
            found.add(study, f"policy_all_{k}", "DoubleML", "dr with own models, value, in s.e.", mine["value"], value,
                      mine["standard_error"], SAME_VALUE)
            found.add(study, f"policy_all_{k}", "DoubleML", "dr with own models, ratio of standard errors to 1",
                      mine["standard_error"] / error, 1.0, 1.0, SAME_ERROR)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("polyrx", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path, default=HERE.parents[1] / "build/experiments/peer_values")
    parser.add_argument("--quick", action="store_true", help="only what is to agree to 1e-9")
    options = parser.parse_args()
    polyrx = options.polyrx.resolve()
    warnings.filterwarnings("ignore", message="The proportion of observations with treatment level")
    warnings.filterwarnings("ignore", message="The estimated nu2")  # of DoubleML's sensitivity analysis
    print(", ".join(f"{name} {version(name)}" for name in ("obp", "DoubleML", "statsmodels", "scikit-learn")))
    found = Comparison()
    with tempfile.TemporaryDirectory() as folder:
        compare_same_inputs(polyrx, options.program.resolve(), pathlib.Path(folder), found)
        if not options.quick:
            compare_own_models(polyrx, pathlib.Path(folder), found)
    for (peer, what), (worst, count, limit) in found.largest.items():
        print(f"{peer:12} {what:68} {count:3} {worst:8.1e}{'' if worst <= limit else '  TOO LARGE'}")
    if not options.quick:
        with open(HERE / "results/values.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["study", "policy", "peer", "what", "polyrx", "theirs", "difference", "passed"])
            writer.writerows(found.lines)
    print("passed" if found.passed() else "NOT passed")
    sys.exit(not found.passed())


if __name__ == "__main__":
    main()

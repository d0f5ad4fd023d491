# SPDX-License-Identifier: Apache-2.0
"""`polyrx prune` removes what never changes, says what it did, and the new model prescribes the same."""

import json
import re

from program import refuses, rows_of, succeeds

# So little of the cohort that many neurons never change there.
NARROW = ["--domain", "age=60:70,ward=north,smoker=yes"]


def layers_of(path):
    """The network of a model file."""
    return json.loads(path.read_text())["layers"]


def widths_of(path):
    """Inputs, hidden layers, outputs."""
    layers = layers_of(path)
    return [len(layers[0]["weights"][0]), *(len(layer["bias"]) for layer in layers)]


def stable(layers, key):
    """How many neurons of all layers a summary calls on or off."""
    return sum(len(layer[key][state]) for layer in layers for state in ("off", "on"))


def outcomes_of(model, data, folder):
    table = rows_of(succeeds("prescribe", model, data, "--outcomes", cwd=folder).out)
    return [row[0] for row in table[1:]], [[float(value) for value in row[1:]] for row in table[1:]]


def north(folder):
    """The rows of the cohort that lie in the narrow domain, and some more of them."""
    rows = [["id", "age", "ward", "smoker", "treatment", "outcome"]]
    rows += [[f"p{age}", age, "north", "yes", "low", "1"] for age in range(60, 71)]
    (folder / "north.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    return "north.csv"


def test_the_pruned_model_is_smaller_and_prescribes_the_same_on_the_domain(cohort):
    data = north(cohort)
    run = succeeds("prune", "cohort.json", "--data", data, *NARROW, "-o", "new.json", cwd=cohort)
    assert run.out == ""
    before, after = widths_of(cohort / "cohort.json"), widths_of(cohort / "new.json")
    assert sum(after) < sum(before) and (after[0], after[-1]) == (before[0], before[-1])
    assert f"network {'-'.join(map(str, before))} is now {'-'.join(map(str, after))}\n" in run.err
    assert re.search(r"^11 rows of the domain: 0 prescriptions changed, outcomes by at most \S+$", run.err, re.MULTILINE)
    assert run.err.endswith("\nmodel new.json\n")
    (given, old), (now, new) = (outcomes_of(model, data, cohort) for model in ("cohort.json", "new.json"))
    assert given == now
    assert max(abs(a - b) for one, other in zip(old, new) for a, b in zip(one, other)) < 1e-12


def test_its_tree_is_proved(cohort):
    succeeds("prune", "cohort.json", *NARROW, "-o", "new.json", cwd=cohort)
    succeeds("tree", "new.json", *NARROW, "--mode", "exact", "-o", "tree.json", cwd=cohort)
    assert succeeds("verify", "new.json", "tree.json", cwd=cohort).out.startswith("proved: on every row")


def test_what_only_the_rows_say_is_listed_and_kept_unless_asked_for(cohort):
    data = north(cohort)
    prune = ["prune", "cohort.json", "--data", data, "--json", "-q"]
    kept = succeeds(*prune, "-o", "kept.json", cwd=cohort)
    assert kept.err == ""
    summary = json.loads(kept.out)
    assert stable(summary["layers"], "on_rows_only") > 0 and summary["also_on_data"] is False
    assert summary["model"] == "kept.json" and summary["widths_after"] == widths_of(cohort / "kept.json")
    removed = json.loads(succeeds(*prune, "--also-on-data", "-o", "removed.json", cwd=cohort).out)
    assert removed["layers"] == summary["layers"] and removed["also_on_data"] is True
    assert sum(removed["widths_after"]) < sum(summary["widths_after"])
    assert removed["inside"]["rows"] == 11 and removed["inside"]["prescriptions_changed"] == 0
    assert removed["inside"]["largest_outcome_difference"] < 1e-12
    assert outcomes_of("removed.json", data, cohort)[0] == outcomes_of("cohort.json", data, cohort)[0]


def test_words_say_which_neurons_only_the_rows_decide(cohort):
    data = north(cohort)
    kept = succeeds("prune", "cohort.json", "--data", data, "-o", "kept.json", cwd=cohort).err
    assert re.search(r"^kept, since only the rows say so \(--also-on-data removes them\):\n"
                     r"  layer 1: (off|on) \d+", kept, re.MULTILINE), kept
    removed = succeeds("prune", "cohort.json", "--data", data, "--also-on-data", "-o", "new.json", cwd=cohort).err
    assert "removed though only the rows say so, which is exact on these rows only:\n  layer 1: " in removed


def test_rows_outside_of_the_domain_are_compared_apart_and_teach_nothing(cohort):
    summary = json.loads(succeeds("prune", "cohort.json", "--data", "cohort.csv", *NARROW, "--json", cwd=cohort).out)
    assert summary["inside"]["rows"] + summary["outside"]["rows"] == 120 and summary["outside"]["rows"] > 100
    run = succeeds("prune", "cohort.json", "--data", "cohort.csv", *NARROW, cwd=cohort)
    assert re.search(r"^\d+ rows outside of the domain, of which nothing is claimed: \d+ prescriptions? changed$",
                     run.err, re.MULTILINE), run.err


def test_the_new_model_says_what_it_was_pruned_from_and_keeps_the_rest(cohort):
    succeeds("prune", "cohort.json", *NARROW, "-q", cwd=cohort)
    old, new = (json.loads((cohort / name).read_text()) for name in ("cohort.json", "pruned.json"))
    options = new["provenance"].pop("options")
    assert options.pop("pruned-from") == old["sha256"] and options.pop("pruned-domain") == NARROW[1]
    assert options == old["provenance"].pop("options") and new["provenance"] == old["provenance"]
    assert new["features"] == old["features"] and new["sha256"] != old["sha256"]
    succeeds("prune", "pruned.json", "-q", "-o", "again.json", cwd=cohort)
    again = json.loads((cohort / "again.json").read_text())["provenance"]["options"]
    assert again["pruned-from"] == new["sha256"] and "pruned-domain" not in again


def test_models_travel_through_pipes(cohort):
    model = (cohort / "cohort.json").read_bytes()
    succeeds("prune", "cohort.json", *NARROW, "-o", "new.json", cwd=cohort)
    piped = succeeds("prune", "-", *NARROW, "-q", "-o", "-", cwd=cohort, stdin=model)
    assert piped.out.encode() == (cohort / "new.json").read_bytes() and piped.err == ""


def test_calls_that_make_no_sense_are_refused_in_a_sentence(cohort):
    assert refuses("prune", "cohort.json", "--also-on-data", status=2, cwd=cohort) == (
        "--also-on-data removes neurons that never change on some rows: name a file with --data")
    assert refuses("prune", "-", "--data", "-", status=2, cwd=cohort) == (
        "only one of MODEL and --data can be standard input")
    assert refuses("prune", "cohort.json", "--json", "-o", "-", status=2, cwd=cohort) == (
        "--json and -o - would both write to standard output")
    assert "'nothing'" in refuses("prune", "cohort.json", "--domain", "nothing=1:2", status=2, cwd=cohort)
    assert "cohort.json" in refuses("prune", "cohort.json", "-o", "cohort.json", status=2, cwd=cohort)
    (cohort / "empty.csv").write_text("id,age,ward,smoker\n")
    assert refuses("prune", "cohort.json", "--data", "empty.csv", status=3, cwd=cohort).endswith("there are no rows")
    (cohort / "south.csv").write_text("age,ward,smoker\n60,south,yes\n")
    assert refuses("prune", "cohort.json", "--data", "south.csv", *NARROW, "--also-on-data", status=3, cwd=cohort) == (
        "south.csv: no row is in the domain, so --also-on-data has nothing to go by")
    assert not (cohort / "pruned.json").exists()

# SPDX-License-Identifier: Apache-2.0
"""`polyrx fit` does what its help says."""

import gzip
import json
import re

import pytest
from program import ROLES, TINY, patients, refuses, rows_of, succeeds, write_rows


def test_fit_says_rows_treatments_shares_loss_time_and_where_the_model_went(cohort):
    run = succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "-o", "new.json", cwd=cohort)
    assert run.out == ""
    assert "\n120 rows, 7 inputs; network 7-8-3\n3 features: age, ward, smoker\n" in run.err, run.err
    for label in ("low", "mid", "high"):
        assert re.search(rf"^{label} +\d+ +\d+\.\d % +\d+ +\d+\.\d %$", run.err, re.MULTILINE), run.err
    assert re.search(r"^loss \S+ after 2 epochs, \d+\.\d s$", run.err, re.MULTILINE)
    assert run.err.endswith("\nmodel new.json\n")


def test_fit_writes_its_summary_for_machines(cohort):
    run = succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "--json", "--quiet", cwd=cohort)
    summary = json.loads(run.out)
    assert run.err == ""
    assert summary["rows"] == 120 and summary["model"] == "model.json" and summary["epochs"] == 2
    assert {entry["label"] for entry in summary["treatments"]} == {"low", "mid", "high"}
    for share in ("given", "prescribed"):
        assert sum(entry[share] for entry in summary["treatments"]) == 120
    assert summary["loss"] > 0 and summary["seconds"] >= 0


STAGES = ["read", "encode", "train", "review", "write", "other"]


def test_timings_say_where_the_time_went_and_leave_no_gap(cohort):
    run = succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "--timings", cwd=cohort)
    assert run.out == ""
    *table, kernels = run.err[run.err.index("model model.json\n"):].splitlines()[1:]
    assert re.fullmatch(r"kernels +\S.*", kernels)
    assert len(set(map(len, table))) == 1, "the table is aligned"
    lines = [re.fullmatch(r"(\w+) +(\d+\.\d{3}) s +(\d+\.\d) %", line).groups() for line in table]
    assert [name for name, _, _ in lines] == [*STAGES, "total"]
    for column, half_digit in ((1, 0.0005), (2, 0.05)):
        *parts, total = (float(line[column]) for line in lines)
        assert sum(parts) == pytest.approx(total, abs=len(lines) * half_digit + 1e-9)
    assert lines[-1][2] == "100.0"


def test_timings_are_always_in_the_summary_for_machines(cohort):
    for options in (["--quiet"], ["--quiet", "--timings"]):
        run = succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "--json", *options, cwd=cohort)
        summary = json.loads(run.out)
        assert run.err == "" and list(summary["timings"]) == STAGES and summary["kernels"]
        assert all(seconds >= 0 for seconds in summary["timings"].values()) and summary["timings"]["train"] > 0
        assert sum(summary["timings"].values()) == pytest.approx(summary["seconds"], abs=1e-9)


def test_timings_leave_the_model_as_it_is_and_are_words_that_quiet_silences(cohort):
    fit = ["fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "--timings"]
    assert succeeds(*fit, "--quiet", cwd=cohort).err == ""
    assert (cohort / "model.json").read_bytes() == (cohort / "cohort.json").read_bytes()
    piped = succeeds(*fit, "-o", "-", cwd=cohort)
    assert piped.out.encode() == (cohort / "cohort.json").read_bytes() and "\ntotal " in piped.err


def test_quiet_says_nothing(cohort):
    assert succeeds("fit", "cohort.csv", *ROLES, *TINY, "--ignore", "id", "-q", cwd=cohort).err == ""
    assert succeeds("prescribe", "cohort.json", "cohort.csv", "-o", "p.csv", "--quiet", cwd=cohort).err == ""


def test_a_model_travels_through_pipes(cohort):
    data = (cohort / "cohort.csv").read_bytes()
    fitted = succeeds("fit", "-", *ROLES, "--ignore", "id", *TINY, "-o", "-", cwd=cohort, stdin=data)
    assert fitted.out.encode() == (cohort / "cohort.json").read_bytes(), "a file and a pipe give the same model"
    from_file = succeeds("prescribe", "cohort.json", "cohort.csv", cwd=cohort)
    assert succeeds("prescribe", "cohort.json", "-", cwd=cohort, stdin=data).out == from_file.out
    assert succeeds("prescribe", "-", "cohort.csv", cwd=cohort, stdin=fitted.out.encode()).out == from_file.out
    assert not (cohort / "-").exists()


def test_both_inputs_cannot_be_standard_input(cohort):
    for verb, first in (("prescribe", "MODEL"), ("evaluate", "POLICY")):
        sentence = refuses(verb, "-", "-", status=2, cwd=cohort)
        assert sentence == f"only one of {first} and DATA.csv can be standard input"


def test_json_and_the_model_cannot_both_go_to_stdout(cohort):
    for name in ("-", "/dev/stdout"):
        sentence = refuses("fit", "cohort.csv", *ROLES, "--json", "-o", name, status=2, cwd=cohort)
        assert sentence == f"--json and -o {name} would both write to standard output"


def test_gzip_tab_crlf_bom_and_blank_last_lines_make_the_same_model(cohort):
    text = (cohort / "cohort.csv").read_text()
    variants = {
        "a.csv.gz": gzip.compress(text.encode()),
        "b.tsv": text.replace(",", "\t").encode(),
        "c.tsv.gz": gzip.compress(text.replace(",", "\t").encode()),
        "d.csv": text.replace("\n", "\r\n").encode(),
        "e.csv": b"\xef\xbb\xbf" + text.encode(),
        "f.csv": text.encode() + b"\n\n",
        "g.csv": text.rstrip("\n").encode(),
        "gzip-without-its-name": gzip.compress(text.encode()),
    }
    for name, data in variants.items():
        (cohort / name).write_bytes(data)
        model = succeeds("fit", name, *ROLES, "--ignore", "id", *TINY, "-o", "-", cwd=cohort).out
        assert model.encode() == (cohort / "cohort.json").read_bytes(), name


def test_missing_texts_can_be_set(cohort):
    text = (cohort / "cohort.csv").read_text()
    (cohort / "dots.csv").write_text(text.replace(",NA,", ",.,").replace(",,", ",?,"))
    succeeds("fit", "dots.csv", *ROLES, "--ignore", "id", "--missing", ".,?", *TINY, "-o", "dots.json", cwd=cohort)
    ours, theirs = (json.loads((cohort / name).read_text()) for name in ("dots.json", "cohort.json"))
    assert ours["layers"] == theirs["layers"] and ours["features"] == theirs["features"]
    assert succeeds("prescribe", "dots.json", "dots.csv", cwd=cohort).out == succeeds(
        "prescribe", "cohort.json", "cohort.csv", cwd=cohort).out


def test_the_objective_max_mirrors_min_on_negated_outcomes(cohort):
    rows = patients()
    mirrored = [rows[0]] + [[*row[:-1], f"{-float(row[-1]):.4f}"] for row in rows[1:]]
    write_rows(cohort / "mirrored.csv", mirrored)
    succeeds("fit", "mirrored.csv", *ROLES, "--ignore", "id", "--objective", "max", *TINY, "-o", "max.json", cwd=cohort)
    least = rows_of(succeeds("prescribe", "cohort.json", "cohort.csv", "--outcomes", cwd=cohort).out)
    most = rows_of(succeeds("prescribe", "max.json", "mirrored.csv", "--outcomes", cwd=cohort).out)
    assert [row[0] for row in most] == [row[0] for row in least]
    for ours, theirs in zip(most[1:], least[1:]):
        assert [-float(value) for value in ours[1:]] == pytest.approx([float(value) for value in theirs[1:]])
        labels = [name.removeprefix("outcome_") for name in most[0][1:]]
        values = [float(value) for value in ours[1:]]
        assert ours[0] == labels[values.index(max(values))]


def test_a_row_of_weight_two_counts_as_two_rows_and_one_of_weight_zero_as_none(cohort):
    rows = patients()
    header, body = [*rows[0], "weight"], rows[1:]
    weighted = [header] + [[*row, i % 3] for i, row in enumerate(body)]
    repeated = [rows[0]] + [row for i, row in enumerate(body) for _ in range(i % 3)]
    write_rows(cohort / "weighted.csv", weighted)
    write_rows(cohort / "repeated.csv", repeated)
    # One batch and no hidden layer: then both runs are the same sum, and only the scaling of the inputs differs.
    whole = ["--hidden", "none", "--batch", "1000", "--epochs", "1500", "--learning-rate", "0.05",
             "--weight-decay", "0", "--mu", "0", "--features", "age", "--no-recommendation", "--json"]
    loss = [json.loads(succeeds("fit", name, *ROLES, *more, *whole, cwd=cohort).out)["loss"]
            for name, more in (("weighted.csv", ["--weight", "weight"]), ("repeated.csv", []), ("weighted.csv", []))]
    # (The loss itself is weighted, too.)
    assert loss[0] == pytest.approx(loss[1], rel=0.01)
    assert abs(loss[2] - loss[1]) > abs(loss[0] - loss[1])


def test_validation_with_patience_stops_early_and_keeps_the_best_epoch(cohort):
    run = succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", "--hidden", "30", "--epochs", "500", "--validation-fraction",
                   "0.3", "--patience", "5", "--json", cwd=cohort)
    summary = json.loads(run.out)
    assert summary["epochs"] < 500 and summary["epochs"] == summary["best_epoch"] + 5
    assert f"(best on held-out rows: epoch {summary['best_epoch']}, stopped early)" in run.err


def test_the_model_records_where_it_came_from(cohort):
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "--seed", "7", "--mu", "0.01", cwd=cohort)
    model = json.loads((cohort / "model.json").read_text())
    source = model["provenance"]
    assert source["seed"] == 7 and source["rows"] == 120 and source["program"].startswith("polyrx ")
    assert re.fullmatch(r"[0-9a-f]{64}", source["data_sha256"])
    assert source["options"]["mu"] == "0.01" and source["options"]["hidden"] == "8"
    assert (model["treatment_column"], model["outcome_column"], model["objective"]) == ("treatment", "outcome", "min")


def test_a_recipe_can_be_overridden(cohort):
    options = ["--recipe", "paper", "--hidden", "2x6,4", "--epochs", "3", "--no-recommendation"]
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *options, cwd=cohort)
    model = json.loads((cohort / "model.json").read_text())
    assert [len(layer["bias"]) for layer in model["layers"]] == [6, 6, 4, 3]
    assert model["provenance"]["options"]["learning-rate"] == "0.001"
    assert model["provenance"]["options"]["learning-rate"] == "0.001"


def test_a_schema_fixes_types_order_and_bounds(cohort):
    (cohort / "schema.json").write_text(json.dumps({
        "columns": {"age": {"type": "numeric", "unit": "years", "min": 0, "max": 120, "integer": True},
                    "ward": {"categories": ["west", "south", "north"]}},
        "treatments": ["low", "mid", "high"]}))
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", "--schema", "schema.json", *TINY, cwd=cohort)
    model = json.loads((cohort / "model.json").read_text())
    features = {feature["name"]: feature for feature in model["features"]}
    assert features["age"]["unit"] == "years" and (features["age"]["lower"], features["age"]["upper"]) == (0, 120)
    assert features["ward"]["categories"] == ["west", "south", "north"]
    assert model["treatments"] == ["low", "mid", "high"]


def test_options_beyond_reason_but_not_wrong_work(cohort):
    for options in (["--batch", "100000"], ["--threads", "1000"], ["--validation-fraction", "0.9"], ["--hidden", "none"],
                    ["--seed", str(2**64 - 1)], ["--features", " age , ward"]):
        succeeds("fit", "cohort.csv", *ROLES, *(["--ignore", "id"] if "--features" not in options else []), *TINY,
                 *options, cwd=cohort)


AUTO = ["--recipe", "auto", "--candidates", "4", "--averaged", "2", "--epochs", "2"]


def test_auto_says_what_was_tried_and_writes_it_down(cohort):
    run = succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", *AUTO, "--tuning-log", "tried.csv", "-o", "auto.json",
                   cwd=cohort)
    assert "4 settings tried; the policy is the mean of 2 networks:" in run.err
    lines = (cohort / "tried.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 5 and lines[0].startswith("candidate,folds,loss,chosen")
    options = json.loads((cohort / "auto.json").read_text(encoding="utf-8"))["provenance"]["options"]
    assert options["recipe"] == "auto" and "chosen 2" in options


def test_auto_learns_from_four_rows_and_says_that_they_are_too_few_to_choose_by(tmp_path):
    (tmp_path / "few.csv").write_text("x,t,y\n1,a,2\n2,b,3\n3,a,1\n4,b,5\n", encoding="utf-8")
    run = succeeds("fit", "few.csv", "--treatment", "t", "--outcome", "y", "-o", "few.json", cwd=tmp_path)
    assert "too few rows of a treatment to choose settings by" in run.err


def test_auto_learns_a_rare_outcome_that_folds_may_lack(tmp_path):
    rows = "".join(f"{i % 13},{'ab'[i % 2]},{int(i == 70)}\n" for i in range(200))
    (tmp_path / "rare.csv").write_text(f"x,t,y\n{rows}", encoding="utf-8")
    run = succeeds("fit", "rare.csv", "--treatment", "t", "--outcome", "y", "-o", "rare.json", cwd=tmp_path)
    assert "too few rows with another outcome to choose settings by" in run.err


def test_auto_never_looks_at_the_truth(tmp_path):
    succeeds("simulate", "clinic", "-n", "300", "--truth", "-o", "rows.csv", cwd=tmp_path)
    text = (tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()
    truth = [i for i, name in enumerate(text[0].split(",")) if name in ("y0", "y1", "y2")]
    poisoned = [text[0]]
    for number, line in enumerate(text[1:]):
        cells = line.split(",")
        for i in truth:
            cells[i] = str(number % 7)
        poisoned.append(",".join(cells))
    (tmp_path / "poisoned.csv").write_text("\n".join(poisoned) + "\n", encoding="utf-8")
    models = [succeeds("fit", name, *ROLES, *AUTO, "-q", "-o", "-", cwd=tmp_path).out
              for name in ("rows.csv", "poisoned.csv")]
    assert models[0] == models[1]


def test_what_only_auto_does_is_refused_elsewhere(cohort):
    sentence = refuses("fit", "cohort.csv", *ROLES, *TINY, "--candidates", "3", status=2, cwd=cohort)
    assert sentence == "--candidates is for --recipe auto"
    sentence = refuses("fit", "cohort.csv", *ROLES, "--method", "rc-lr", "--members", "3", status=2, cwd=cohort)
    assert sentence == "--members is for networks, not for --method rc-lr"


@pytest.mark.parametrize("option, value, wrong", [("--balance", 10, 0.5), ("--effect-share", 0.5, 1)])
def test_what_guards_against_rare_treatments_changes_the_model_and_is_in_it(cohort, option, value, wrong):
    fit = ["fit", "cohort.csv", *ROLES, "--ignore", "id", *TINY, "-q"]
    succeeds(*fit, "-o", "plain.json", cwd=cohort)
    for given in (value, 0):
        succeeds(*fit, option, given, "-o", "new.json", cwd=cohort)
        assert ((cohort / "new.json").read_bytes() == (cohort / "plain.json").read_bytes()) == (given == 0)
    assert option in refuses(*fit, option, wrong, status=2, cwd=cohort)
    assert option in refuses("fit", "cohort.csv", *ROLES, "--method", "rc-lr", option, value, status=2, cwd=cohort)


def test_sparse_networks_keep_as_many_weights_as_they_may(cohort):
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", "--hidden", "6", "--epochs", "30", "--weights-per-neuron", "1",
             "-o", "sparse.json", cwd=cohort)
    layers = json.loads((cohort / "sparse.json").read_text(encoding="utf-8"))["layers"]
    assert all(sum(weight != 0 for weight in neuron) <= 1 for neuron in layers[0]["weights"])


def tried_settings(cohort, *options):
    """The table of what auto tried, as rows of words, without what differs from run to run."""
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", "--recipe", "auto", "--candidates", "200", "--epochs", "1", "--folds", "2", "--averaged", "1",
             *options, "--tuning-log", "tried.csv", "-q", cwd=cohort)
    head, *rows = (line.split(",") for line in (cohort / "tried.csv").read_text(encoding="utf-8").splitlines())
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_settings_that_differ_in_nothing_that_counts_are_tried_once(cohort):
    rows = tried_settings(cohort, "--hidden", "3,2", "--effect-share", "0")
    assert {(row["effect_share"], row["effect_decay"]) for row in rows} == {("0", "0")}
    settings = [tuple(value for name, value in row.items() if name not in ("candidate", "folds", "loss", "chosen", "remark", "steps")) for row in rows]
    assert len(set(settings)) == len(rows)


def test_layers_that_cannot_be_parted_are_tried_in_one_block(cohort):
    rows = tried_settings(cohort, "--hidden", "1")
    assert {row["effect_share"] for row in rows} == {"0"}
    assert {row["balance"] for row in rows} == {"0", "10", "50"}


def options_of(cohort, *options):
    succeeds("fit", "cohort.csv", *ROLES, "--ignore", "id", "--epochs", "1", *options, "-q", "-o", "model.json", cwd=cohort)
    return json.loads((cohort / "model.json").read_text(encoding="utf-8"))["provenance"]["options"]


def test_fast_is_in_two_blocks_and_layers_named_alone_are_not(cohort):
    assert options_of(cohort, "--recipe", "fast")["effect-share"] == "0.5"
    assert options_of(cohort, "--recipe", "fast", "--hidden", "4,4", "--effect-decay", "2")["effect-decay"] == "2"
    assert "effect-share" not in options_of(cohort, "--hidden", "4,4")
    assert "effect-share" not in options_of(cohort, "--recipe", "fast", "--hidden", "none")
    assert options_of(cohort, "--hidden", "4,4", "--effect-share", "0.25", "--members", "2", "--weights-per-neuron", "1")["effect-share"] == "0.25"


def test_neurons_for_effects_that_cannot_be_are_refused(cohort):
    fit = ["fit", "cohort.csv", *ROLES, "--ignore", "id", "--epochs", "1", "-q"]
    for hidden in ("none", "4,1"):
        for recipe in ("auto", "fast"):
            sentence = refuses(*fit, "--recipe", recipe, "--hidden", hidden, "--effect-share", "0.5", status=2, cwd=cohort)
            assert sentence == "--effect-share needs hidden layers of two neurons or more"
    sentence = refuses(*fit, "--hidden", "4", "--effect-decay", "1", status=2, cwd=cohort)
    assert sentence == "--effect-decay is for networks with --effect-share"
    sentence = refuses(*fit, "--hidden", "4", "--shrink", "weights", status=2, cwd=cohort)
    assert sentence == "--shrink is for networks with --effect-shrinkage"

# SPDX-License-Identifier: Apache-2.0
"""The compare verb: one table of many methods, the same for everybody who asks, even after an interruption."""

import csv
import io
import json
import re
import signal
import time

import pytest
from program import ROLES, begun, content, patients, polyrx, records_of, refuses, start, succeeds, unless_slow, write_rows

TRUTH = ["--truth", "y0,y1,y2"]
SOME = ["--methods", "network-fast,constant,observed"]
pytestmark = unless_slow


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A folder with trial.csv, six hundred rows of the fifth dataset with their truth. Not to be changed."""
    folder = tmp_path_factory.mktemp("compare")
    succeeds("simulate", "5", "-n", "600", "--truth", "-o", "trial.csv", cwd=folder)
    return folder


@pytest.fixture
def trial(shared, tmp_path):
    """A folder of one's own with trial.csv."""
    (tmp_path / "trial.csv").write_bytes((shared / "trial.csv").read_bytes())
    return tmp_path


def compared(*options, cwd, **how):
    return succeeds("compare", "trial.csv", *ROLES, *options, cwd=cwd, **how)


def lines_of(table):
    """The lines of methods in a table, each by its name."""
    return {line.split()[0]: line for line in table.splitlines()[3:]}


# --- the table


def test_the_table_has_a_line_for_each_method_and_the_best_comes_first(shared):
    run = compared(*TRUTH, *SOME, "--splits", "2", cwd=shared)
    head, support, titles, *lines = run.out.splitlines()
    assert support == "All methods keep to the same support (epsilon 0.02)."
    assert head == "600 rows, 3 treatments; 2 splits with a test fraction of 0.3, held out: 181 rows each"
    assert titles.split() == ["method", "regret", "s.e.", "minus", "constant", "s.e.", "accuracy", "s.e.", "doubly", "robust,", "worst", "case",
                              "s.e.", "supported", "leaves", "terms", "fit", "prescribe"]
    assert {line.split()[0] for line in lines} == {"network-fast", "constant", "observed"}
    assert len({len(line) for line in [titles, *lines]}) == 1, "aligned"
    regrets = [float(line.split()[1]) for line in lines]
    assert regrets == sorted(regrets)
    said = run.err.splitlines()
    assert said[0] == "not used as features, because they are the true outcomes of simulated data: y0, y1, y2, best"
    assert sorted(line.split(":")[0] for line in said[1:]) == ["constant", "network-fast", "observed"]


def test_what_was_done_is_scored_as_one_would_by_hand(shared):
    [method] = json.loads(compared(*TRUTH, "--methods", "observed", "--folds", "4", "--json", cwd=shared).out)["methods"]
    rows = records_of(shared / "trial.csv")
    regrets = [float(row["y" + row["treatment"]]) - min(float(row[f"y{k}"]) for k in range(3)) for row in rows]
    assert method["accuracy"] == pytest.approx(sum(regret == 0 for regret in regrets) / 600)
    assert method["regret"] == pytest.approx(sum(regrets) / 600)


def test_json_has_every_split_and_csv_is_the_table(shared):
    whole = json.loads(compared(*TRUTH, *SOME, "--splits", "2", "--json", "-q", cwd=shared).out)
    assert (whole["rows"], whole["treatments"], whole["self_assessed"]) == (600, 3, False)
    assert whole["plan"] == {"splits": 2, "test_fraction": 0.3}
    assert [split["held_out"] for split in whole["splits"]] == [181, 181]
    table = list(csv.DictReader(io.StringIO(compared(*TRUTH, *SOME, "--splits", "2", "--csv", "-q", cwd=shared).out)))
    for method, line in zip(whole["methods"], table):
        assert method["method"] == line["method"] and float(line["accuracy"]) == method["accuracy"]
        assert float(line["regret_se"]) == method["regret_se"]
        assert method["accuracy"] == pytest.approx(sum(split["accuracy"] for split in method["splits"]) / 2)
        assert (line["fit_seconds"] == "") == (method["method"] == "observed")


def test_each_split_has_a_seed_of_its_own_for_the_fits(shared):
    splits = json.loads(compared("--methods", "observed", "--splits", "20", "--json", cwd=shared).out)["splits"]
    seeds = {split["fit_seed"] for split in splits}
    assert len(seeds) == 20 and all(0 <= seed < 2**31 for seed in seeds)


def test_without_truth_the_doubly_robust_value_ranks_and_the_table_says_so(shared):
    run = compared("--methods", "observed,constant,rc-lr", "--splits", "2", "--no-times", cwd=shared)
    assert run.out.splitlines()[2].startswith("method    doubly robust, worst case    s.e.  minus constant")
    assert "accuracy" not in run.out and "it ranks nobody" in run.out and "doubly robust value" in run.out
    lines = [line.split() for line in run.out.splitlines()[3:6]]
    values = {line[0]: float(line[1]) for line in lines}
    assert list(values.values()) == sorted(values.values())
    for line in lines:
        if line[0] != "constant":
            assert float(line[3]) == pytest.approx(values[line[0]] - values["constant"], abs=0.002)
    assert json.loads(compared("--methods", "observed", "--json", cwd=shared).out)["self_assessed"] is True


def test_truth_may_be_named_by_label_and_is_never_a_feature(trial):
    rows = records_of(trial / "trial.csv")
    names = {"y0": "cost of none", "y1": "cost of one", "y2": "cost of two"}
    header = [names.get(name, name) for name in rows[0] if name != "best"]
    write_rows(trial / "named.csv", [header, *([cell for name, cell in row.items() if name != "best"] for row in rows)])
    options = ["--methods", "network-fast", "--folds", "2", "--no-times", "-q"]
    plain = compared(*TRUTH, *options, cwd=trial).out
    truth = "2=cost of two,0=cost of none,1=cost of one"
    assert succeeds("compare", "named.csv", *ROLES, "--truth", truth, *options, cwd=trial).out == plain


def test_rows_of_weight_zero_are_as_if_they_were_not_there(trial):
    rows = records_of(trial / "trial.csv")
    header = list(rows[0])
    write_rows(trial / "kept.csv", [header, *(row.values() for i, row in enumerate(rows) if i % 3)])
    write_rows(trial / "trial.csv", [[*header, "w"], *([*row.values(), 2 * min(i % 3, 1)] for i, row in enumerate(rows))])
    options = [*TRUTH, "--methods", "observed", "--folds", "3", "--no-times", "--csv", "-q"]
    assert compared("--weight", "w", *options, cwd=trial).out == succeeds("compare", "kept.csv", *ROLES, *options,
                                                                        cwd=trial).out


def test_large_outcomes_can_be_the_good_ones(trial):
    rows = records_of(trial / "trial.csv")
    turned = [[str(-float(cell)) if name in ("outcome", "y0", "y1", "y2") else cell for name, cell in row.items()]
              for row in rows]
    write_rows(trial / "turned.csv", [list(rows[0]), *turned])
    options = [*TRUTH, "--methods", "network-fast,observed", "--folds", "2", "--no-times", "-q"]
    costs = compared(*options, cwd=trial).out
    gains = succeeds("compare", "turned.csv", *ROLES, "--objective", "max", *options, cwd=trial).out
    for cost, gain in zip(costs.splitlines(), gains.splitlines(), strict=True):
        assert gain.replace("-", " ").split() == cost.replace("-", " ").split()  # values have another sign


# --- the same for everybody


def test_without_times_the_bytes_are_the_same_for_any_threads_and_any_order(shared):
    def out(methods, threads):
        return compared(*TRUTH, "--methods", methods, "--splits", "2", "--no-times", "--json", "--threads", threads,
                        cwd=shared).out

    first = out("network-fast,constant,observed", 1)
    assert "seconds" not in first
    assert first == out("observed,network-fast,constant", 2) == out("constant,observed,network-fast", 4)


def test_another_seed_makes_other_splits(shared):
    def out(seed):
        return compared(*TRUTH, "--methods", "observed", "--no-times", "--seed", seed, cwd=shared).out

    assert out(1) == out(1) != out(2)


def test_the_table_can_go_into_a_file(trial):
    run = compared(*TRUTH, "--methods", "observed", "-o", "table.txt", "--no-times", "-q", cwd=trial)
    assert run.out == "" and (trial / "table.txt").read_text() == compared(*TRUTH, "--methods", "observed", "--no-times",
                                                                        cwd=trial).out


# --- interrupted


def test_an_interrupted_comparison_goes_on_where_it_stopped(trial):
    options = [*TRUTH, "--methods", "network-paper,network-fast,observed", "--splits", "8", "--no-times"]
    process = start("compare", "trial.csv", *ROLES, *options, "--journal", "j.jsonl", "--threads", "1", "-q", cwd=trial)
    begun(process)
    journal = trial / "j.jsonl"
    while not journal.exists() or journal.read_bytes().count(b"\n") < 2:
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130 and out == b""
    kept = journal.read_bytes()
    finished = kept.count(b"\n")
    assert finished < 24 and err.decode() == (
        f"polyrx: canceled; {finished} finished fits are in j.jsonl, and the same command goes on from there\n")

    run = compared(*options, "--journal", "j.jsonl", cwd=trial)
    assert f"{finished} finished fits in j.jsonl\n" in run.err
    assert run.out == compared(*options, cwd=trial).out
    assert journal.read_bytes().startswith(kept), "what was finished is not run again"
    pairs = [(line["method"], line["split"]) for line in map(json.loads, journal.read_text().splitlines())]
    assert len(pairs) == len(set(pairs)) == 24
    again = journal.read_bytes()
    assert compared(*options, "--journal", "j.jsonl", cwd=trial).out == run.out and journal.read_bytes() == again


def test_a_journal_that_was_torn_loses_the_torn_line_only(trial):
    options = [*TRUTH, "--methods", "network-fast,observed", "--folds", "2", "--no-times", "--journal", "j.jsonl"]
    whole = compared(*options, cwd=trial).out
    bytes_before = (trial / "j.jsonl").read_bytes()
    (trial / "j.jsonl").write_bytes(bytes_before[:-30])
    run = compared(*options, cwd=trial)
    assert run.out == whole and "3 finished fits in j.jsonl\n" in run.err
    assert (trial / "j.jsonl").read_bytes().count(b"\n") == 4


def test_a_line_of_a_journal_that_was_edited_is_not_believed(trial):
    options = [*TRUTH, "--methods", "network-fast,observed", "--folds", "2", "--no-times", "--journal", "j.jsonl"]
    whole = compared(*options, cwd=trial).out
    lines = (trial / "j.jsonl").read_text().splitlines()
    line = json.loads(lines[1])
    line["accuracy"] = 1.0
    lines[1] = json.dumps(line, separators=(",", ":"))
    (trial / "j.jsonl").write_text("\n".join([*lines, ""]))
    run = compared(*options, cwd=trial)
    assert run.out == whole and "3 finished fits in j.jsonl\n" in run.err
    assert "j.jsonl: line 2 was changed after polyrx wrote it, so it is not used\n" in run.err
    assert (trial / "j.jsonl").read_bytes().count(b"\n") == 5


def test_a_method_that_predicts_no_outcomes_has_no_value_of_its_own(shared):
    methods = json.loads(compared("--methods", "pf,pt,constant", "--folds", "2", "--json", cwd=shared).out)["methods"]
    values = {method["method"]: method["self_assessed_value"] for method in methods}
    assert values.pop("pf") is None and None not in values.values()


def test_trees_say_how_large_they_are(shared):
    methods = json.loads(compared("--methods", "pt,rc-lr,constant", "--folds", "2", "--json", cwd=shared).out)["methods"]
    sizes = {method["method"]: (method["leaves"], method["terms"]) for method in methods}
    assert sizes["pt"][0] >= 1 and sizes["rc-lr"][0] is None and sizes["rc-lr"][1] >= 60


def test_methods_can_join_a_journal(trial):
    options = [*TRUTH, "--folds", "2", "--no-times", "--journal", "j.jsonl"]
    compared(*options, "--methods", "observed", cwd=trial)
    run = compared(*options, "--methods", "network-fast,observed", cwd=trial)
    assert "2 finished fits in j.jsonl\n" in run.err and set(lines_of(run.out)) == {"network-fast", "observed"}


@pytest.mark.parametrize("other", [["--seed", "2"], ["--folds", "3"], ["--splits", "2"], ["--ignore", "x1"],
                                   ["--objective", "max"], ["--truth", "0=y1,1=y0,2=y2"]])
def test_a_journal_of_another_comparison_is_refused(other, trial):
    base = ["--folds", "2"] if other[0] not in ("--folds", "--splits") else []
    truth = TRUTH if other[0] != "--truth" else []
    compared(*TRUTH, "--folds", "2", "--methods", "observed", "--journal", "j.jsonl", cwd=trial)
    before = content(trial)
    sentence = refuses("compare", "trial.csv", *ROLES, *truth, *base, *other, "--methods", "observed", "--journal",
                       "j.jsonl", status=3, cwd=trial)
    assert sentence == ("j.jsonl is the journal of another comparison (other data, options, splits or seed); "
                        "name another file, or remove this one")
    assert content(trial) == before


def test_without_a_journal_ctrl_c_says_that_nothing_is_kept(trial):
    before = content(trial)
    process = start("compare", "trial.csv", *ROLES, "--methods", "network-paper", "--splits", "1000", "-q", cwd=trial)
    begun(process)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20) == (b"", b"polyrx: canceled; nothing is kept without --journal FILE\n")
    assert process.returncode == 130 and content(trial) == before


# --- wrong calls and bad data


@pytest.mark.parametrize("options, status, sentence", [
    (["--methods", "netwrok-fast"], 2, "'netwrok-fast' is not a method (did you mean 'network-fast'?)"),
    (["--methods", "observed,observed"], 2, "'observed' is named twice"),
    (["--methods", ""], 2, "--methods: the list is empty"),
    (["--truth", "y0,y1"], 2, "--truth names 2 columns, but the data have 3 treatments (0, 1, 2)"),
    (["--truth", "y0,y1,y1"], 2, "--truth names the column 'y1' for two treatments"),
    (["--truth", "y0,y1,outcome"], 2, "column 'outcome' cannot be both the truth and the outcome"),
    ([*TRUTH, "--features", "x1,y1"], 2, "column 'y1' cannot be both the truth and a feature"),
    (["--folds", "1"], 2, "--folds: '1' is not a whole number of 2 or more"),
    (["--folds", "601"], 2, "601 folds need at least as many rows; there are only 600"),
    (["--splits", "0"], 2, "--splits: '0' is not a whole number from 1 to 100000"),
    (["--folds", "2", "--splits", "2"], 2, "--folds and --splits are two ways to split the rows: give one of them"),
    (["--test-fraction", "0.5"], 2, "--test-fraction is about random splits: say how many with --splits N"),
    (["--splits", "2", "--test-fraction", "1"], 2, "--test-fraction: '1' is not a fraction above 0 and below 1"),
    (["--splits", "2", "--test-fraction", "0.0001"], 2, "a test fraction of 0.0001 holds out none of 600 rows"),
    (["--json", "--csv"], 2, "--json and --csv are two forms of the same: give one"),
    (["--journal", "-"], 2, "--journal needs a file that can be read back, not standard output"),
    (["--journal", "/dev/null"], 2, "/dev/null is not a plain file, so no journal can be read back from it"),
    (["--journal", "trial.csv"], 2, "the result would replace trial.csv, which is read: name another file"),
    (["--journal", "a", "-o", "./a"], 2, "--output and --journal cannot both write a"),
    (["--journal", "nowhere/j"], 1, "cannot write nowhere/j: there is no folder nowhere"),
    (["-o", "nowhere/t"], 1, "cannot write nowhere/t: there is no folder nowhere"),
    (["--outcome", "y9"], 3, None),
])
def test_a_wrong_call_is_answered_by_a_sentence_and_changes_nothing(options, status, sentence, trial):
    before = content(trial)
    said = refuses("compare", "trial.csv", *ROLES, *options, status=status, cwd=trial)
    assert sentence is None or said == sentence
    assert content(trial) == before


def test_a_truth_column_that_is_not_there_is_named(trial):
    assert refuses("compare", "trial.csv", *ROLES, "--truth", "y0,y1,y3", status=3, cwd=trial).startswith(
        "trial.csv has no column 'y3'")


def test_a_truth_that_is_no_number_is_named_with_its_line(trial):
    text = (trial / "trial.csv").read_text().splitlines()
    cells = text[5].split(",")
    cells[-2] = "unknown"
    (trial / "trial.csv").write_text("\n".join([*text[:5], ",".join(cells), *text[6:], ""]))
    sentence = refuses("compare", "trial.csv", *ROLES, *TRUTH, status=3, cwd=trial)
    assert sentence.startswith("trial.csv:6: ") and "y2" in sentence and "unknown" in sentence
    cells[-2] = "NA"
    (trial / "trial.csv").write_text("\n".join([*text[:5], ",".join(cells), *text[6:], ""]))
    assert refuses("compare", "trial.csv", *ROLES, *TRUTH, status=3, cwd=trial) == (
        "trial.csv:6: column 'y2': expected the true outcome, a finite number")


def test_a_treatment_with_too_few_rows_for_the_folds_is_named(tmp_path):
    rows = patients(60)
    for row in rows[1:]:
        row[4] = "low" if row[4] == "high" else row[4]
    rows[7][4] = rows[30][4] = "high"
    write_rows(tmp_path / "cohort.csv", rows)
    sentence = refuses("compare", "cohort.csv", *ROLES, "--ignore", "id", "--methods", "observed", "--journal", "j",
                       status=3, cwd=tmp_path)
    assert sentence == ("cohort.csv: treatment 'high' was given in 2 rows only, too few for 5 folds: "
                        "a method must learn from at least 2")
    assert not (tmp_path / "j").exists()


def test_what_one_method_cannot_do_costs_the_others_nothing(trial):
    # One row alone has values of x1 that network training refuses once it is learned from.
    rows = records_of(trial / "trial.csv")
    for i, row in enumerate(rows):
        row["x1"] = "5" if i == 0 else ""
    write_rows(trial / "trial.csv", [list(rows[0]), *(row.values() for row in rows)])
    run = polyrx("compare", "trial.csv", *ROLES, *TRUTH, "--methods", "network-fast,observed", "--folds", "2",
                 "--journal", "j", cwd=trial)
    assert run.status == 1
    lines = lines_of(run.out)
    assert lines["observed"].split()[1] != "-" and "network-fast failed in 1 of 2 splits" in run.out
    assert run.err.splitlines()[-1] == "polyrx: network-fast failed in 1 of 2 splits: column 'x1' has no values"
    assert (trial / "j").read_text().count("\n") == 3, "what failed is tried again"


def test_a_category_that_only_held_out_rows_have_is_no_trouble(tmp_path):
    rows = patients(60)
    rows[9][2] = "attic"
    write_rows(tmp_path / "cohort.csv", rows)
    run = succeeds("compare", "cohort.csv", *ROLES, "--ignore", "id", "--methods", "network-fast", "--folds", "3",
                   cwd=tmp_path)
    assert re.search(r"^network-fast +\d", run.out, re.MULTILINE)

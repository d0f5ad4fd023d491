# SPDX-License-Identifier: Apache-2.0
"""Families of designs.py keep what they declare, and verdicts.py reads targets as the README says. Neither needs the program.

python3 -m pytest experiments/support/test_designs.py
"""

import math
import pathlib
import statistics
import sys
from fractions import Fraction

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import designs  # noqa: E402
import draws  # noqa: E402
import plan  # noqa: E402
import support  # noqa: E402
import verdicts  # noqa: E402
from designs import BOTH, CHOOSE, DECLARED, FAMILIES, GOOD, HALVES, HIDDEN, RANDOM, RARE, REPORT  # noqa: E402
from laboratory import Results  # noqa: E402

ALONE = [family for family in DECLARED if family.draw and not family.source]  # the others take patients from elsewhere
ROWS = 4_000
alone = pytest.mark.parametrize("family", ALONE, ids=lambda family: family.name)


def written(folder, family, seed, rows=200):
    path = folder / f"{family.name}.csv"
    stream = designs.stream(family.name, seed, "test", "outcomes")
    designs.write(path, family, designs.drawn(family, seed, "test", rows), stream, truth=True)
    return path


def observations(family, rows):
    """Each row with what it received and what was seen."""
    stream = designs.stream(family.name, 1, "test", "outcomes")
    return [(row, *designs.observed(family, row, stream)) for row in rows]


# Standard errors that chance may take a mean away from what it should be: about one in a million.
FAR = 5


@alone
def test_the_same_seed_gives_the_same_bytes_and_another_gives_others(family, tmp_path):
    first = written(tmp_path, family, 1).read_bytes()
    assert written(tmp_path, family, 1).read_bytes() == first
    assert written(tmp_path, family, 2).read_bytes() != first


@alone
def test_outcomes_are_the_truth_of_the_received_treatment_plus_noise(family):
    seen = observations(family, designs.drawn(family, 1, "test", ROWS))
    errors = [outcome - row.means[given] for row, given, outcome in seen]
    variance = statistics.fmean(row.means[given] * (1 - row.means[given]) if family.outcome == "binary" else row.noise ** 2 for row, given, _ in seen)
    assert abs(statistics.fmean(errors)) < FAR * math.sqrt(variance / ROWS)
    assert statistics.pstdev(errors) == pytest.approx(math.sqrt(variance), rel=0.1)


@alone
def test_treatments_are_received_as_often_as_the_propensities_say(family):
    seen = observations(family, designs.drawn(family, 1, "test", ROWS))
    for k in range(len(family.treatments)):
        errors = [(given == k) - row.chances[k] for row, given, _ in seen]
        variance = statistics.fmean(row.chances[k] * (1 - row.chances[k]) for row, _, _ in seen)
        assert abs(statistics.fmean(errors)) <= FAR * math.sqrt(variance / ROWS) + 1e-9
    for row, _, _ in seen:
        assert min(row.chances) >= 0 and sum(row.chances) == pytest.approx(1)
        assert len(row.means) == len(row.chances) == len(family.treatments)


@alone
def test_practice_is_right_as_often_as_declared(family, tmp_path):
    practice = designs.Practice(written(tmp_path, family, 1, ROWS), family)
    low, high = family.right
    assert low - 0.02 <= practice.accuracy <= high + 0.02


@pytest.mark.parametrize("family", [family for family in ALONE if family.kind == GOOD], ids=lambda family: family.name)
def test_good_doctors_are_nearer_to_the_best_than_one_treatment_for_all(family, tmp_path):
    practice = designs.Practice(written(tmp_path, family, 1, ROWS), family)
    assert practice.regret < min(regret for _, regret in practice.constants)


def test_what_the_check_found_is_as_declared():
    found = Results(HERE / "results" / "designs.csv", designs.FIELDS, ["family", "seed"])
    for family in DECLARED:
        shares = found.numbers("right", family=family.name)
        assert len(shares) == len(designs.CHECK_SEEDS)
        assert all(family.right[0] <= share <= family.right[1] for share in shares), family.name
        assert family.kind != GOOD or 0.5 <= min(shares) <= max(shares) <= 0.95


def test_randomised_designs_tell_the_propensities_that_they_draw_by():
    for family in DECLARED:
        assert bool(family.design) == (family.kind in (RANDOM, RARE))
        if family.design and not family.source:
            told = dict(part.split("=") for part in family.design.split(","))
            assert tuple(told) == family.treatments
            assert designs.drawn(family, 1, "train", 1)[0].chances == pytest.approx([float(Fraction(chance)) for chance in told.values()])


def test_the_halves_are_those_that_were_committed_before_the_first_run():
    chosen = {"anaesthesia", "clinic-event", "critical-care", "job-training", "marketing", "physiotherapy", "rare-arm-stroke", "school", "thyroid",
              "trial-coarse", "trial-one-to-two", "warfarin-bleeding", "warfarin-little-noise", "warfarin-more-noise", "warfarin-random"}
    reported = {"allergy", "blood-pressure", "clinic-careful", "dosing", "glucose", "hidden-frailty", "hidden-warfarin", "marker-pairs",
                "rare-arm-helpful", "statins", "triage", "trial-segments", "trial-three-arms", "warfarin-five-doses"}
    assert {name for name, half in HALVES.items() if half == CHOOSE} == chosen
    assert {name for name, half in HALVES.items() if half == REPORT} == reported
    assert {name for name, half in HALVES.items() if half == BOTH} == {f"D{d}" for d in range(1, 7)}


@pytest.mark.parametrize("field", ["assignment", "outcome", "source", "objective", "treatments"])
def test_both_halves_have_good_doctors_of_every_kind(field):
    def kinds(half):
        values = [getattr(family, field) for family in designs.families_of(half, GOOD)]
        return {len(value) if field == "treatments" else value for value in values}
    assert kinds(CHOOSE) == kinds(REPORT)


def test_a_number_in_the_middle_is_given_the_middle_treatment_most_often():
    chances = draws.noisy_bin(1.0, (0.5, 1.5), 0.3)
    assert chances == pytest.approx([0.0478, 0.9044, 0.0478], abs=1e-4)


# --- what is run, and how it is read


def test_settings_are_chosen_on_other_families_and_seeds_than_are_reported():
    seeds = {half: {seed for _, seed, _ in plan.planned(half)} for half in (CHOOSE, REPORT)}
    assert not seeds[CHOOSE] & seeds[REPORT]
    names = {half: {family.name for family, _, _ in plan.planned(half)} for half in (CHOOSE, REPORT)}
    assert names[CHOOSE] & names[REPORT] == {f"D{d}" for d in range(1, 7)}


def test_every_reported_family_has_the_default_on_twenty_seeds_and_both_modes():
    fits = {}
    for family, seed, each in plan.planned(REPORT):
        for fit in each:
            fits.setdefault((family.name, fit), set()).add(seed)
    for family in designs.families_of(REPORT):
        assert len(fits[family.name, verdicts.DEFAULT]) == 20
        for method in ("auto", "fast", *plan.rivals_of(family)):
            for beyond in (plan.AVOID, plan.EXTRAPOLATE):
                assert len(fits[family.name, plan.Fit(method, beyond)]) >= 3


def made_up(tmp_path, accuracy, of="triage", rival=0.90):
    """Results in which practice is right for 92 %, the default has these accuracies, and a rival another."""
    results = Results(tmp_path / "support.csv", support.FIELDS, plan.CELL)
    for seed, mine in zip(plan.REPORT_SEEDS, accuracy, strict=False):
        for fit, right in ((verdicts.DEFAULT, mine), (plan.Fit("rc-lr", plan.EXTRAPOLATE), rival)):
            results.add(family=of, seed=seed, **fit._asdict(), ended="fitted", accuracy=right, regret=1 - right, practice_accuracy=0.92,
                        practice_regret=0.08, constant_accuracy=0.5, constant_regret=0.5, deviation=1, recommended="true", seconds=1)
    return results


def verdict_of(text, beginning):
    line, = [line for line in text.splitlines() if line.startswith(f"| {beginning}")]
    return line.split("|")[3].strip()


MEAN, SINGLE, RIVALS = "no mean credibly more than 0.5", "no run more than 3.0", "rivals as published: at or above every rival"


def test_targets_are_met_by_runs_that_are_as_good_as_practice(tmp_path, capsys):
    verdicts.print_tables(made_up(tmp_path, [0.92, 0.918, 0.922]))
    text = capsys.readouterr().out
    assert [verdict_of(text, target) for target in (MEAN, SINGLE, RIVALS)] == ["met", "met", "met"]


def test_a_single_bad_run_fails_its_target_and_not_that_of_the_mean(tmp_path, capsys):
    verdicts.print_tables(made_up(tmp_path, [0.92, 0.921, 0.919, 0.92, 0.88]))
    text = capsys.readouterr().out
    assert [verdict_of(text, target) for target in (MEAN, SINGLE)] == ["met", "**not met**"]


def test_a_mean_that_is_credibly_a_point_below_practice_fails(tmp_path, capsys):
    verdicts.print_tables(made_up(tmp_path, [0.91, 0.911, 0.909], rival=0.95))
    text = capsys.readouterr().out
    assert [verdict_of(text, target) for target in (MEAN, SINGLE, RIVALS)] == ["**not met**", "met", "**not met**"]


def test_hidden_knowledge_is_shown_with_the_sentence_that_nothing_can_detect_it(tmp_path, capsys):
    verdicts.print_tables(made_up(tmp_path, [0.6, 0.6], of="hidden-frailty"))
    text = capsys.readouterr().out
    assert "No program can detect this in the data" in text
    assert "Targets" not in text  # they do not look at it
    assert FAMILIES["hidden-frailty"].kind == HIDDEN


def test_what_was_not_run_says_so(tmp_path, capsys):
    verdicts.print_tables(made_up(tmp_path, []))
    assert capsys.readouterr().out == "Not run yet.\n"

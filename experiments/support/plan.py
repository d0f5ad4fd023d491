# SPDX-License-Identifier: Apache-2.0
"""What support.py fits: to choose epsilon, and to report."""

from typing import NamedTuple

from designs import BOTH, CHOOSE, FAMILIES, RANDOM, RARE, REPORT, families_of

CHOOSE_SEEDS, REPORT_SEEDS = range(1, 6), range(9001, 9021)
EPSILONS = ["0.02", "0.1", "0.2"]
AVOID, EXTRAPOLATE, NONE = "avoid", "extrapolate", "none"
RECIPES = ["auto", "fast"]
ANY_RIVALS = ["rc-lr", "rc-rf", "pt", "pf", "policytree", "s-learner", "x-learner", "r-learner", "dr-learner", "constant"]
OF_TWO = ["ct", "cf"]
OF_MORE = ["ct-1va", "ct-1v1a", "ct-1v1b", "cf-1va", "cf-1v1a", "cf-1v1b"]
SLOW_RIVALS = {"opt": ["--restarts", "5"]}  # a twentieth of polyrx's own
RIVALS = [*ANY_RIVALS, *OF_TWO, *OF_MORE, *SLOW_RIVALS]
CELL = ["family", "seed", "method", "beyond", "support", "fallback", "design"]  # fields that name a fit in the results
# Seconds of one core: of a fit of 3,000 rows, and for every further 1,000.
COSTS = {"auto": (20, 2), "fast": (3, 0.5), "rivals": (0.6, 0.25), "opt": (1, 0.6)}
FEW_SEEDS = 3  # of rivals, of fast, and of auto beyond support: defaults come first


class Fit(NamedTuple):
    """What is fitted. `support` and `fallback` are --support and --fallback, or nothing for their defaults; `design` is "known" where
    propensities are given."""
    method: str
    beyond: str
    support: str = ""
    fallback: str = ""
    design: str = ""

    def options(self, family):
        options = ["--recipe", self.method] if self.method in RECIPES else ["--method", self.method, *SLOW_RIVALS.get(self.method, [])]
        options += ["--beyond-support", self.beyond]
        if self.method not in RECIPES or self.beyond == EXTRAPOLATE:  # rivals, and what the paper does: nothing simple takes their place
            options += ["--no-recommendation"]
        if self.support:
            options += ["--support", self.support]
        if self.fallback:
            options += ["--fallback", self.fallback]
        return [*options, "--propensities", family.design] if self.design else options


def rivals_of(family):
    return [*ANY_RIVALS, *(OF_TWO if len(family.treatments) == 2 else OF_MORE), *SLOW_RIVALS]


def to_choose(recipe, seed):
    """Development: fast on all seeds, and without a fallback on two; auto on the first seed with two epsilons."""
    if recipe == "auto":
        return [Fit(recipe, AVOID, epsilon) for epsilon in ("0.02", "0.1")]
    fits = [Fit(recipe, EXTRAPOLATE), *(Fit(recipe, AVOID, epsilon) for epsilon in EPSILONS)]
    return fits + [Fit(recipe, AVOID, epsilon, NONE) for epsilon in EPSILONS[1:] if seed in CHOOSE_SEEDS[:2]]


def to_report(family, seed):
    """Defaults on every seed. Where treatment is random, which a target asks for, auto beyond support and with the design told too. The rest on
    a few seeds."""
    random = family.kind in (RANDOM, RARE)
    few = REPORT_SEEDS.index(seed) < FEW_SEEDS
    fits = [Fit("auto", AVOID)]
    fits += [Fit("auto", EXTRAPOLATE)] * (random or few)
    fits += [Fit("auto", AVOID, design="known")] * random
    if few:
        fits += [Fit("fast", AVOID), Fit("fast", EXTRAPOLATE), *([Fit("fast", AVOID, design="known")] * random)]
        fits += [Fit(rival, beyond) for rival in rivals_of(family) for beyond in (EXTRAPOLATE, AVOID)]
    return fits


def planned(half):
    """(family, seed, fits) of everything, seed by seed; to choose, fast on all seeds before auto on the first."""
    plan = []
    if half in (CHOOSE, BOTH):
        for recipe, seeds in (("fast", CHOOSE_SEEDS), ("auto", CHOOSE_SEEDS[:1])):
            plan += [(family, seed, to_choose(recipe, seed)) for seed in seeds for family in families_of(CHOOSE)]
    if half in (REPORT, BOTH):
        plan += [(family, seed, to_report(family, seed)) for seed in REPORT_SEEDS for family in families_of(REPORT)]
    return plan


QUICK = ["anaesthesia", "trial-coarse", "warfarin-bleeding"]
QUICK_ROWS = 300


def quickly():
    """Small versions of some, on a seed that is not reported."""
    return [(FAMILIES[name], CHOOSE_SEEDS[0], [Fit("fast", AVOID), Fit("fast", AVOID, EPSILONS[0]), Fit("fast", EXTRAPOLATE),
                                              *([Fit("fast", AVOID, design="known")] if FAMILIES[name].design else []),
                                              Fit("rc-lr", AVOID), Fit("rc-lr", EXTRAPOLATE)]) for name in QUICK]


def print_plan(half):
    """Fits by what is fitted, and the hours that they take."""
    counts, seconds = {}, {}
    for family, _, fits in planned(half):
        for fit in fits:
            group = fit.method if fit.method in COSTS else "rivals"
            base, more = COSTS[group]
            counts[group] = counts.get(group, 0) + 1
            seconds[group] = seconds.get(group, 0) + base + more * max(0, family.rows - 3_000) / 1_000
    print("| | fits | seconds of a core each | hours of two cores |\n|---|---|---|---|")
    for group, count in counts.items():
        print(f"| {group} | {count:,} | {seconds[group] / count:.1f} | {seconds[group] / 7200:.1f} |")
    print(f"| all | {sum(counts.values()):,} | {sum(seconds.values()) / sum(counts.values()):.1f} | {sum(seconds.values()) / 7200:.1f} |")

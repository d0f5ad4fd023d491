# SPDX-License-Identifier: Apache-2.0
"""Means with 95 % intervals, and ranges of seeds: what experiments share."""

import math
import statistics

# Student's t for 95 %, by degrees of freedom from 1.
T95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093]


def seeds_of(text):
    """"1-10" as a range."""
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def mean_and_interval(values):
    """Mean, low and high end; the ends are not numbers where one value has none."""
    middle = statistics.mean(values)
    if len(values) < 2:
        return middle, math.nan, math.nan
    factor = T95[len(values) - 2] if len(values) < len(T95) + 2 else 1.96 + 2.4 / (len(values) - 1)
    half = factor * statistics.stdev(values) / math.sqrt(len(values))
    return middle, middle - half, middle + half

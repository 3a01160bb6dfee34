"""The numbers of givens of minimal puzzles, beside figures that are known.

The null hypothesis is that digging here, as in Denis Berthier's program ("Unbiased Statistics of a
CSP", 2009), gives numbers of givens with mean 24.38 and standard deviation 1.12, his figures for a
million puzzles, which is a sample too. `spread` tests the mean by z, the variance by chi-square,
and the shape by the chi-square of the observed numbers against the normal distribution with that
mean and deviation: the skewness and kurtosis of his million are 0.08 and 0.007, so that it is
nearly normal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import erfc, sqrt
from statistics import NormalDist, fmean, stdev
from typing import Any

__all__ = ["DEVIATION", "MEAN", "POPULATION", "spread", "table"]

MEAN, DEVIATION = 24.38, 1.12
"""Of a million puzzles that Berthier's top-down generator made."""
MILLION = 1_000_000

POPULATION = {
    20: 1.32e-9,
    21: 3.4e-7,
    22: 3.48e-5,
    23: 0.00148,
    24: 0.0228,
    25: 0.1342,
    26: 0.3191,
    27: 0.3271,
    28: 0.1548,
    29: 0.03598,
    30: 0.0041,
    31: 2.41e-4,
    32: 1.02e-5,
}
"""His estimate of the shares among all minimal puzzles. Digging reaches those with few givens too
often, so a sample has to be weighted by these over its own shares."""


def spread(givens: Iterable[int]) -> dict[str, Any]:
    """Mean, deviation and tests of these numbers of givens."""
    numbers = Counter(givens)
    every = [*numbers.elements()]
    count = len(every)
    mean, deviation = fmean(every), stdev(every)
    z = (mean - MEAN) / (DEVIATION * sqrt(1 / count + 1 / MILLION))  # both are samples
    variance = (count - 1) * deviation**2 / DEVIATION**2
    z_variance = (variance - (count - 1)) / sqrt(2 * (count - 1))
    shape, freedom = _shape(numbers, count)
    return {
        "puzzles": count,
        "mean": mean,
        "deviation": deviation,
        "standard_error": deviation / sqrt(count),
        "z": z,
        "p": erfc(abs(z) / sqrt(2)),
        "variance_chi_square": variance,
        "variance_p": erfc(abs(z_variance) / sqrt(2)),
        "shape_chi_square": shape,
        "shape_freedom": freedom,
        "givens": dict(sorted(numbers.items())),
    }


def _shape(numbers: Counter[int], count: int) -> tuple[float, int]:
    """Chi-square against the normal distribution; ends with under 5 expected are joined."""
    normal = NormalDist(MEAN, DEVIATION)
    inner = [n for n in range(17, 40) if count * (normal.cdf(n + 0.5) - normal.cdf(n - 0.5)) >= 5]
    if len(inner) < 3:
        return 0.0, 0
    least, most = inner[0], inner[-1]
    seen: Counter[int] = Counter()
    for number, times in numbers.items():
        seen[min(max(number, least), most)] += times
    total = 0.0
    for number in inner:
        low = 0.0 if number == least else normal.cdf(number - 0.5)
        high = 1.0 if number == most else normal.cdf(number + 0.5)
        expected = count * (high - low)
        total += (seen[number] - expected) ** 2 / expected
    return total, len(inner) - 1


def table(found: dict[str, Any]) -> str:
    """The numbers, and the weights that make an estimate for all minimal puzzles of the sample."""
    lines = ["givens    puzzles    share   of all   weight"]
    for number, times in found["givens"].items():
        share = times / found["puzzles"]
        real = POPULATION.get(number)
        weight = f"{real:8.3%} {real / share:8.2g}" if real else "       -        -"
        lines.append(f"{number:6} {times:10,} {share:8.2%} {weight}")
    return "\n".join(lines)

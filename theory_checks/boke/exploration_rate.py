"""The rate at which density exploration fills the cube, by the constant of a bandwidth that the paper does not print.

The paper proves no rate of density exploration. The paper says that the fill distance of GP-variance exploration decays
like t^(-1/d), and that the curve of density exploration overlaps it (Figure 3). The paper gives Scott's rule, h_t = c
t^(-1/(d + 4)), to KR-UCB, BOKE and BOKE+ alone, without c. As long as h_t is well below the spacing of the points, the
least dense point is the farthest point: farthest-point sampling, within a factor of two of the best fill distance at
every t. A large c has no such rate. (As t grows every c becomes large, for the spacing shrinks faster than h_t; the
figure ends before.)
"""

import numpy as np

from theory_checks.boke.testbeds.grid_boke import distances_of, grid_of
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale, listed

CONSTANTS = (0.3, 0.1, 0.03, 0.01)
"""The constants c; all axes have one bandwidth. The standard deviation of points that fill the cube is near the
first."""
PER_SIDE = {1: 801, 2: 31}
POINTS = ByScale(60, 100, 200)
STARTS = ByScale(2, 4, 16)
MARGIN = 0.2
"""The difference of two slopes that counts as the same rate, in units of 1/d, as in boke.de_rate_here."""
FIRST_T = 10
SEED = 20263


def slope(dim: int, constant: float | None, points: int, start: int) -> float:
    """Slope of log fill distance in log t from FIRST_T points on; farthest-point sampling where `constant` is None."""
    between = distances_of(grid_of(PER_SIDE[dim], dim))
    rows, nearest, fill = [between[start]], between[start].copy(), []
    for t in range(1, points):
        if constant is None:
            chosen = int(np.argmax(nearest))
        else:
            exponent = -0.5 * (np.array(rows) / (constant * t ** (-1 / (dim + 4)))) ** 2
            largest = exponent.max(axis=0)
            chosen = int(np.argmin(largest + np.log(np.exp(exponent - largest).sum(axis=0))))
        rows.append(between[chosen])
        nearest = np.minimum(nearest, between[chosen])
        fill.append(nearest.max())
    counts = np.arange(2, points + 1)
    late = counts >= FIRST_T
    return float(np.polyfit(np.log(counts[late]), np.log(np.array(fill)[late]), 1)[0])


@claim(
    id="boke.de_rate",
    rule=f"""Density exploration on a grid of {PER_SIDE[1]} points (d = 1) and {PER_SIDE[2]}^2 (d = 2), {POINTS} points
        from {STARTS} random starts at smoke / quick / paper, for h_t = c t^(-1/(d+4)), c in {listed(CONSTANTS)}. Slope
        of log fill distance in log t for t >= {FIRST_T}, minus that of farthest-point sampling from the same start
        (which is within a factor of two of the best possible at every t, hence decays like t^(-1/d)). A constant agrees
        where every difference is within {MARGIN} / d of 0 in both dimensions, disagrees where in one dimension all lie
        beyond. Depends if one agrees and one disagrees; supported if all agree, refuted if all disagree, otherwise
        undecided.""",
    control={"factor": 0.5},
    control_statement="The fill distance decays like t^(-1/(2d)), whatever the constant.",
    origin="implied",
)
def de_rate(scale: str, *, factor: float = 1.0) -> Evidence:
    """The check exhibits both: a constant with the rate of the best designs, and a constant without it."""
    rng, points = np.random.default_rng(SEED), POINTS[scale]
    starts = {dim: rng.integers(0, PER_SIDE[dim] ** dim, STARTS[scale]).tolist() for dim in PER_SIDE}
    best = {dim: np.array([slope(dim, None, points, start) for start in starts[dim]]) for dim in starts}
    slopes, agree, disagree = {}, [], []
    for constant in CONSTANTS:
        found = {dim: np.array([slope(dim, constant, points, start) for start in starts[dim]]) for dim in starts}
        beyond = {dim: np.abs(found[dim] - factor * best[dim]) > MARGIN / dim for dim in starts}
        agree += [constant] * (not any(one.any() for one in beyond.values()))
        disagree += [constant] * any(one.all() for one in beyond.values())
        slopes[f"{constant:g}"] = {f"d{dim}": values.mean() for dim, values in found.items()}
    numbers = {
        "slopes": slopes,
        "farthest_point": {f"d{dim}": values.mean() for dim, values in best.items()},
        "agreeing": agree,
        "disagreeing": disagree,
    }
    shown = ", ".join(f"{row['d1']:.2f} / {row['d2']:.2f} (c = {name})" for name, row in slopes.items())
    summary = (
        f"The fill distance has slopes, in d = 1 / 2, of {shown}. Farthest-point sampling has {best[1].mean():.2f} / "
        f"{best[2].mean():.2f}."
    )
    if agree and disagree:
        return Evidence(Verdict.DEPENDS, summary, numbers)
    if len(disagree) == len(CONSTANTS):
        return Evidence(Verdict.REFUTED, summary, numbers)
    return Evidence(Verdict.SUPPORTED if len(agree) == len(CONSTANTS) else Verdict.UNDECIDED, summary, numbers)

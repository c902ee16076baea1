"""Two steps to Theorem 6.6: its first part, and the term T^(-1/(2d)) that its second part omits.

**Part (1) holds for any estimate.** Part (1) says that paths of the estimated kernel have P(sup |df/dx_h| > L) <= a
exp(-(L / b)^2). For a stationary kernel with second and fourth spectral moments lambda_2 and lambda_4, both finite for
the squared exponential and Matérn-5/2 at every lengthscale and variance, Rice's formula for the number of upcrossings
gives this bound on [0, 1], in each coordinate along a line, with

    a = 2 (1/2 + (lambda_4 / lambda_2)^(1/2) / (2 pi)),    b = (2 lambda_2)^(1/2),

whether the estimate converges or not. An estimate that does not converge changes a and b, and so beta_t: at l ~ 1/t, b
is of order t. As printed, for a single L, the statement is trivial (a = exp((L / b)^2)); the check reads it for every
L, as the proofs use Assumption 6.2, along a line alone.

**The dropped term is not absorbed.** Appendix B.3.2 ends with O(sqrt(2 beta_T gamma_{T/2} / T)) + O(T^(-1/(2d))); the
theorem shows the first term alone. With gamma of Proposition 6.7 the quotient of the second by the first is, but for
logarithms, T^((1 - a)/2 - 1/(2d)), where a = 0 for the squared exponential and d(d+1) / (2 nu + d(d+1)) for Matérn. For
the squared exponential the quotient grows from d = 2 on. For Matérn it does not grow if 2 nu <= d(d+1) / (d-1) for all
d >= 2, that is for nu <= 3, as for the method's Matérn-5/2.
"""

import math
from collections.abc import Mapping
from typing import Any

from scipy import stats

from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale, listed

LENGTHSCALES = ByScale(
    (1e-3, 0.2, 10.0), (1e-6, 1e-3, 0.02, 0.2, 1.0, 100.0), (1e-9, 1e-6, 1e-3, 0.02, 0.2, 1.0, 100.0)
)
VARIANCES = (1e-4, 1.0, 1e4)
LEVELS, FARTHEST = 120, 30
"""The number of values of L / b, and the largest value."""
MOMENTS = {"squared_exponential": (1.0, 3.0), "matern52": (5 / 3, 25.0)}
"""lambda_2 and lambda_4 of unit lengthscale and variance."""
SMOOTHNESS = (0.5, 1.5, 2.5, 3.0)
DIMS = range(1, 21)
HORIZONS = (100, 1000)
"""log10 of the horizons between which the quotient must grow tenfold, so large that logarithms do not decide."""
ROUNDING = 1e-12
DELTA = 0.1


def tail(stored: Mapping[str, Any]) -> tuple[float, float]:
    """(log P(|f'(0)| > L), log(a exp(-(L / b)^2)) with `shrink` times b); P(sup |f'| > L) is at least the first."""
    second, fourth = MOMENTS[str(stored["kernel"])]
    lengthscale, variance, ratio = (float(stored[name]) for name in ("lengthscale", "variance", "ratio"))
    second, fourth = second * variance / lengthscale**2, fourth * variance / lengthscale**4
    b = math.sqrt(2 * second)
    deviations = ratio * b / math.sqrt(second)
    a = 1 + math.sqrt(fourth / second) / math.pi
    return math.log(2) + float(stats.norm.logsf(deviations)), math.log(a) - (ratio / float(stored["shrink"])) ** 2


def replay_tail(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: log P(|f'(0)| > L); right: log of the bound on P(sup |f'| > L); violated where left is larger."""
    left, right = tail(stored)
    return left, right, left > right


@claim(
    id="uhe.thm6_6_paths",
    rule=f"""a and b by Rice's formula (module), which proves it; lengthscales
        {ByScale(*map(listed, LENGTHSCALES))}, variances {listed(VARIANCES)}, {LEVELS} values of L / b up to
        {FARTHEST}: refuted if P(|f'(0)| > L), exact, exceeds the bound, otherwise supported. It holds whether the
        estimate converges or not.""",
    control={"shrink": 0.98},
    control_statement="The same with b smaller by two per cent.",
    replay=replay_tail,
)
def thm6_6_paths(scale: str, *, shrink: float = 1.0) -> Evidence:
    """Compares tails of the derivative with the bound."""
    cases = [
        {"kernel": kernel, "lengthscale": l, "variance": v, "ratio": FARTHEST * (i + 1) / LEVELS, "shrink": shrink}
        for kernel in MOMENTS
        for l in LENGTHSCALES[scale]
        for v in VARIANCES
        for i in range(LEVELS)
    ]
    gaps = [left - right for left, right in map(tail, cases)]
    worst = max(range(len(cases)), key=gaps.__getitem__)
    numbers = {"cases": len(cases), "largest_ratio": math.exp(gaps[worst])}
    if gaps[worst] > 0:
        return Evidence(Verdict.REFUTED, f"{math.exp(gaps[worst]):.3g} times the bound", numbers, cases[worst])
    summary = (
        f"The left side is at most {math.exp(gaps[worst]):.2f} of the bound in {len(cases)} cases, at every "
        "lengthscale."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


def power_of_gain(smoothness: float, dim: int) -> float:
    """Exponent of T in gamma_T of Proposition 6.7; infinite smoothness is the squared exponential."""
    return dim * (dim + 1) / (2 * smoothness + dim * (dim + 1)) if math.isfinite(smoothness) else 0.0


def log_quotient(log_t: float, smoothness: float, dim: int) -> float:
    """log of T^(-1/(2d)) over sqrt(2 beta_T gamma_{T/2} / T), beta_T with r = 1, a = 2, b = 1 and delta = 0.1."""
    twice = 2 * (log_t - math.log(2))
    beta = 2 * (twice + math.log(2 * math.pi**2 / (3 * DELTA))) + 2 * dim * (
        twice + math.log(dim * math.sqrt(math.log(8 * dim / DELTA)))
    )
    half = log_t - math.log(2)
    logs = dim + 1 if not math.isfinite(smoothness) else 1
    gain = power_of_gain(smoothness, dim) * half + logs * math.log(half)
    return -log_t / (2 * dim) - 0.5 * (math.log(2 * beta) + gain - log_t)


def replay_dropped(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: log10 of the growth of the quotient of the dropped term by the kept term between the horizons; right: 1.
    The quotient grows without bound where its exponent is positive."""
    smoothness, dim = float(stored["smoothness"]), int(stored["dim"])
    first, last = (log_quotient(float(t) * math.log(10), smoothness, dim) for t in stored["horizons"])
    exponent = 0.5 * (1 - power_of_gain(smoothness, dim) - 1 / dim)
    growth = (last - first) / math.log(10)
    return growth, 1.0, exponent > ROUNDING and growth > 1


@claim(
    id="uhe.thm6_6_dropped",
    rule=f"""The quotient of the dropped term by the one that is kept, d up to {DIMS[-1]}, squared exponential and
        Matérn with nu = {listed(SMOOTHNESS)}: refuted if its exponent of T is positive in one case and it grows more
        than ten times, logarithms included, from T = 10^{HORIZONS[0]} to 10^{HORIZONS[1]}; otherwise supported.""",
    control={"smoothness": (3.5,)},
    control_statement="If gamma is of the order of Proposition 6.7, the term is absorbed for Matérn with nu = 3.5.",
    replay=replay_dropped,
    origin="implied",
    severity="step",
    positive={"smoothness": SMOOTHNESS},
    positive_statement="If gamma is of the order of Proposition 6.7, the term is absorbed for Matérn with nu <= 3.",
)
def thm6_6_dropped(scale: str, *, smoothness: tuple[float, ...] = (math.inf, *SMOOTHNESS)) -> Evidence:
    """Computes exponents and growth of the quotient."""
    rows: dict[str, dict[int, float]] = {}
    found: dict[str, Any] | None = None
    for nu in smoothness:
        exponents = {dim: 0.5 * (1 - power_of_gain(nu, dim) - 1 / dim) for dim in DIMS}
        rows["squared exponential" if math.isinf(nu) else f"Matérn, nu = {nu:g}"] = exponents
        for dim in DIMS:
            stored = {"smoothness": str(nu), "dim": dim, "horizons": list(HORIZONS)}
            if found is None and replay_dropped(stored)[2]:
                found = stored
    numbers = {"exponents": rows, "scale": scale}
    positive = {name: [dim for dim, one in row.items() if one > ROUNDING] for name, row in rows.items()}
    if found is not None:
        first = ", ".join(f"{name} from d = {dims[0]} on" for name, dims in positive.items() if dims)
        return Evidence(Verdict.REFUTED, f"The dropped term is the larger one: {first}.", numbers, found)
    return Evidence(Verdict.SUPPORTED, f"absorbed for {', '.join(rows)} in up to {DIMS[-1]} dimensions", numbers)

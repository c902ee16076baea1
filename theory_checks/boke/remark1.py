"""Remark 1: Theorem 8 where the bandwidth is small enough only from some step K on.

"The corresponding regret bound is still the same" has two senses, since Theorem 8 speaks of "a regret bound of
O~(sqrt(|X| T)), that is," A (25).

**As the number of A (25) it is false.** Two arms x and x*, gap 1, noise of parameter s. For t < K the bandwidth is such
that k(x, x) = 1 and k(x, x*) = M_Psi = 3. While all data are at x both arms have the same m_t, and W_t(x) = t < W_t(x*)
= 3 t: x is chosen, K times whatever the noise. So R_T >= K surely, and A (25) does not depend on K: with s small it is
below K.

**As the order in T it is true if Theorem 8 is.** The first K rounds cost at most K sup Delta, which does not grow with
T.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.engine.statistics import clopper_pearson
from theory_checks.boke.testbeds.bandit import play, theorem8_bonus, theorem8_bound
from theory_checks.boke.testbeds.compact_kernels import RING
from theory_checks.ledger import Evidence, Verdict, claim, level
from theory_checks.scales import ByScale

RUNS = ByScale(60, 150, 300)
REMARK_K, REMARK_HORIZON, REMARK_DELTA, REMARK_NOISE = 1000, 10_000, 0.5, 0.001
SEED = 20261


def _remark1_regret(runs: int) -> tuple[np.ndarray, float]:
    """(R_T of every run, right side of A (25)).

    For t < K h_t is wide, k(x, x) = 1 and k(x, x*) = M_Psi = 3: data at x give both arms the same m_t, and x* the
    smaller bonus. From K on h_t is so narrow that the arms share no data, as A (24) asks.
    """
    noise_scale, horizon = REMARK_NOISE, REMARK_HORIZON
    wide = RING(np.array([[0.0, 1.0], [1.0, 0.0]]) / 2)
    noise = noise_scale * np.random.default_rng(SEED + 2).standard_normal((runs, horizon))
    narrow = np.eye(2)
    plays = play(
        np.array([0.0, 1.0]), lambda t: wide if t < REMARK_K else narrow, noise, theorem8_bonus(noise_scale, RING.bound)
    )
    reached = plays.regret(np.array([1.0, 0.0]))[:, -1]
    return reached, theorem8_bound(2, 1.0, horizon, REMARK_DELTA, RING.bound, noise_scale)


def replay_remark1(stored: Mapping[str, Any]) -> tuple[float, float, bool]:
    """Left: the smallest R_T over the stored number of runs; right: the bound, A (25) and `added` K sup Delta."""
    reached, bound = _remark1_regret(int(stored["runs"]))
    right = bound + stored["added"] * REMARK_K
    return float(reached.min()), right, bool(reached.min() > right)


def _remark1(scale: str, senses: tuple[float, ...]) -> Evidence:
    """Judges A (25) with each of `senses` times K sup Delta added."""
    horizon, delta = REMARK_HORIZON, REMARK_DELTA
    reached, printed = _remark1_regret(RUNS[scale])
    bounds = {added: printed + added * REMARK_K for added in senses}
    failing = {added: int(np.sum(reached > bound)) for added, bound in bounds.items()}
    alpha = 1 - 2 * level("A")
    low = {added: float(clopper_pearson(count, len(reached), alpha).low) for added, count in failing.items()}
    false = [added for added in senses if low[added] > delta]
    numbers = {
        "T": horizon,
        "K": REMARK_K,
        "bound": {f"{added:g} K added": bound for added, bound in bounds.items()},
        "mean_regret": reached.mean(),
        "failing": {f"{added:g} K added": count for added, count in failing.items()},
        "low": {f"{added:g} K added": value for added, value in low.items()},
    }
    told = [
        f"{bound:.0f}{f' with {added:g} K sup Delta added' if added else ' as printed'}, exceeded in {failing[added]}"
        for added, bound in bounds.items()
    ]
    summary = (
        f"With h_t = 2 |x - x*| for t < K = {REMARK_K} and T = {horizon}, R_T is {reached.mean():.0f} on average. The "
        f"bound is {'; '.join(told)} of {len(reached)} runs."
    )
    stored = {"runs": len(reached), "added": false[0]} if false else None
    if not false:
        return Evidence(Verdict.SUPPORTED, summary, numbers)
    return Evidence(Verdict.REFUTED if len(false) == len(senses) else Verdict.DEPENDS, summary, numbers, stored)


_EXAMPLE = f"""Two arms, gap 1, noise of parameter {REMARK_NOISE}, delta = {REMARK_DELTA}, K = {REMARK_K}, T =
    {REMARK_HORIZON}, h_t twice the arms' distance for t < K and a quarter of it from then on, a kernel with k(x, x) = 1
    and k(x, x*) = M_Psi = {RING.bound:g} while h_t is wide, the first observation at x, {RUNS} runs. A bound is false
    if the exact binomial lower limit of the probability that it fails is above delta."""


@claim(
    id="boke.thm8_remark1",
    rule=f"""The statement has two senses. As a number the same bound is A (25). As an order in T the same bound is A
        (25) with a constant, K sup Delta, added. {_EXAMPLE} Supported if neither bound is false, refuted if both are,
        depends otherwise.""",
    control={"constant": 0.5},
    control_statement="K sup Delta / 2 is the constant.",
    tests=1,
    replay=replay_remark1,
)
def thm8_remark1(scale: str, *, constant: float = 1.0) -> Evidence:
    """The regret can be linear in t up to K, and the bound does not depend on K."""
    return _remark1(scale, (0.0, constant))


@claim(
    id="boke.thm8_remark1_repaired",
    rule=f"""{_EXAMPLE} Refuted if the bound with K sup Delta added is false, otherwise supported.""",
    control={"added": 0.9},
    control_statement="It is enough to add 0.9 K sup Delta.",
    tests=1,
    replay=replay_remark1,
    repairs="boke.thm8_remark1",
)
def thm8_remark1_repaired(scale: str, *, added: float = 1.0) -> Evidence:
    """The first K rounds cost at most K sup Delta."""
    return _remark1(scale, (added,))

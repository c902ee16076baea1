"""Remark 1: Theorem 8 where the bandwidth is small enough only from some step K on."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from experiments.engine.statistics import clopper_pearson
from theory_checks.boke.testbeds.bandit import play, theorem8_bonus, theorem8_bound
from theory_checks.boke.testbeds.compact_kernels import RING
from theory_checks.ledger import Evidence, Verdict, claim, level, variant_claim
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
    """Left: the smallest R_T over the stored number of runs; right: the bound."""
    reached, bound = _remark1_regret(int(stored["runs"]))
    right = bound + stored["added"] * REMARK_K
    return float(reached.min()), right, bool(reached.min() > right)


def _remark1(scale: str, added: float) -> Evidence:
    horizon, delta = REMARK_HORIZON, REMARK_DELTA
    reached, bound = _remark1_regret(RUNS[scale])
    bound += added * REMARK_K
    failing = int(np.sum(reached > bound))
    low = float(clopper_pearson(failing, len(reached), 1 - 2 * level("A")).low)
    numbers = {
        "T": horizon,
        "K": REMARK_K,
        "bound": bound,
        "mean_regret": reached.mean(),
        "failing": failing,
        "low": low,
    }
    if low > delta:
        summary = (
            f"With h_t = 2 |x - x*| for t < K = {REMARK_K} and T = {horizon}, R_T is {reached.mean():.0f} on average "
            "and the "
            f"bound {bound:.0f}."
        )
        return Evidence(Verdict.REFUTED, summary, numbers, {"runs": len(reached), "added": added})
    summary = (
        f"R_T is {reached.mean():.0f} on average, the bound {bound:.0f}. It fails in {failing} of {len(reached)} runs."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


_REMARK_RULE = f"""Two arms, gap 1, noise of parameter {REMARK_NOISE}, delta = {REMARK_DELTA}, K = {REMARK_K}, T =
    {REMARK_HORIZON}, h_t twice the arms' distance for t < K and a quarter of it from then on, a kernel with k(x, x) = 1
    and k(x, x*) = M_Psi = {RING.bound:g} while h_t is wide, the first observation at x, {RUNS} runs. Refuted if the
    exact binomial lower limit of P(bound fails) is above delta, otherwise supported."""


@claim(
    id="boke.thm8_remark1",
    rule=_REMARK_RULE,
    control={"added": 0.5},
    control_statement="The bound holds with K sup Delta / 2 added to it.",
    tests=1,
    replay=replay_remark1,
    severity="technical",
    positive={"added": 1.0},
    positive_statement="The bound holds with K sup Delta added to it.",
)
def thm8_remark1(scale: str, *, added: float = 0.0) -> Evidence:
    """The regret can be linear in t up to K, and the bound does not depend on K."""
    return _remark1(scale, added)


thm8_remark1_repaired = variant_claim(
    thm8_remark1,
    id="boke.thm8_remark1_repaired",
    variant={"added": 1.0},
    rule=_REMARK_RULE,
    control={"added": 0.9},
    control_statement="It is enough to add 0.9 K sup Delta.",
)

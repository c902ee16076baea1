"""Gaussian-process posteriors with duplicated points (Lemma 10, appendix B.1 of Paper A)."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import strategies as st

from core.models.gaussian_process import GaussianProcess
from core.models.kernels import squared_exponential
from theory_checks import exact
from theory_checks.ledger import Evidence, Verdict, claim
from theory_checks.scales import ByScale
from theory_checks.search import maximise_by_hypothesis

EXAMPLES = ByScale(40, 1000, 10_000)
"""Designs tried."""
CORE_DATASETS = ByScale(2, 20, 200)
"""Random datasets on which `core` is compared with itself."""
CORE_TOLERANCE = 1e-6
"""Largest difference of `core`'s two posteriors: it adds 1e-10 to the noise and rounds in double precision."""
COPIES = 4
"""Largest number of distinct points, and of copies of each."""
SEED = 1010

Design = dict[str, Any]


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """A factor of an integer covariance of (f(x), f(x_1), ...), copies of each point, values, noise variance > 0."""
    distinct = draw(st.integers(1, COPIES))
    rank = draw(st.integers(1, distinct + 1))
    entries = st.lists(st.integers(-3, 3), min_size=rank, max_size=rank)
    return {
        "factor": draw(st.lists(entries, min_size=distinct + 1, max_size=distinct + 1)),
        "copies": draw(st.lists(st.integers(1, COPIES), min_size=distinct, max_size=distinct)),
        "values": draw(st.lists(st.integers(-9, 9), min_size=distinct * COPIES, max_size=distinct * COPIES)),
        "noise": draw(st.sampled_from(("1/1000000000000", "1/7", "1", "1000000"))),
    }


def both_posteriors(design: Design, divided: bool) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
    """(mean, variance) by A (A1), (A2) on all data, and by A (B1), (B2) on the reduced data, in rational arithmetic."""
    factor, noise = design["factor"], Fraction(design["noise"])
    covariance = [[Fraction(sum(a * b for a, b in zip(r, s, strict=True))) for s in factor] for r in factor]
    owner = [1 + index for index, copies in enumerate(design["copies"]) for _ in range(copies)]
    values = [Fraction(design["values"][index]) for index in range(len(owner))]
    cross, prior = covariance[0], covariance[0][0]
    gram = [[covariance[i][j] for j in owner] for i in owner]
    full = exact.posterior(prior, [cross[i] for i in owner], gram, [noise] * len(owner), values)
    groups = [[y for i, y in zip(owner, values, strict=True) if i == index + 1] for index in range(len(factor) - 1)]
    reduced = exact.posterior(
        prior,
        cross[1:],
        [row[1:] for row in covariance[1:]],
        [noise / len(group) if divided else noise for group in groups],
        [sum(group, Fraction(0)) / len(group) for group in groups],
    )
    return full, reduced


def replay_lemma10(stored: Mapping[str, Any]) -> tuple[list[str], list[str], bool]:
    """Left: mean and variance on all data; right: on the reduced data; both as exact fractions."""
    full, reduced = both_posteriors(dict(stored), bool(stored["divided"]))
    return [str(item) for item in full], [str(item) for item in reduced], full != reduced


@claim(
    id="boke.lemma10",
    rule=f"""Refuted if on one of {EXAMPLES} designs at smoke / quick / paper (Hypothesis with target: integer positive
        semi-definite covariances of every rank, up to {COPIES} points with up to {COPIES} copies, sigma^2 from 1e-12 to
        1e6) mean or variance differ in exact rational arithmetic: there is no tolerance. Undecided if core's
        posteriors of the two datasets differ by more than {CORE_TOLERANCE:g}. Otherwise supported.""",
    control={"divided": False},
    control_statement="The means keep the noise variance sigma^2 instead of sigma^2 / n.",
    replay=replay_lemma10,
)
def lemma10(scale: str, *, divided: bool = True) -> Evidence:
    """Copies of a point count as their mean with noise variance sigma^2 / n, exactly."""
    failures: list[Design] = []

    def violation(design: Design) -> float:
        full, reduced = both_posteriors(design, divided)
        if full != reduced:
            failures.append(design)
        return max(abs(float(a - b)) for a, b in zip(full, reduced, strict=True))

    tried = maximise_by_hypothesis(designs(), violation, examples=EXAMPLES[scale], seed=SEED)
    core_difference = max(_core_lemma10(seed) for seed in range(CORE_DATASETS[scale]))
    numbers = {"designs": tried.evaluations, "largest_difference": tried.value, "core_difference": core_difference}
    if failures:
        simplest = min(failures, key=lambda design: (sum(design["copies"]), len(design["factor"][0])))
        summary = f"The reduced posterior differs on {len(failures)} of {tried.evaluations} designs."
        return Evidence(Verdict.REFUTED, summary, numbers, {**simplest, "divided": divided})
    if core_difference > CORE_TOLERANCE:
        return Evidence(Verdict.UNDECIDED, f"core's two posteriors differ by {core_difference:.1e}", numbers)
    summary = (
        f"Both posteriors are identical in rational arithmetic on {tried.evaluations} designs. core agrees to "
        f"{core_difference:.1e}."
    )
    return Evidence(Verdict.SUPPORTED, summary, numbers)


@cache
def _core_posterior() -> Callable[..., tuple[jax.Array, jax.Array]]:
    def posterior(x: jax.Array, data: jax.Array, y: jax.Array, noise: jax.Array, mask: jax.Array) -> Any:
        fitted = GaussianProcess.fit(data, y, squared_exponential, jnp.full(2, 0.4), 1.0, noise, mask)
        return fitted.mean_and_variance(x)

    return jax.jit(posterior)


def _core_lemma10(seed: int) -> float:
    """Largest difference between `core`'s posteriors of a random dataset with duplicates and of its reduction."""
    random = np.random.default_rng(seed)
    points, copies = random.uniform(size=(4, 2)), random.integers(1, 4, 4)
    owner = np.repeat(np.arange(4), copies)
    y, noise, size = random.normal(size=len(owner)), 10.0 ** random.uniform(-2, 1), 12
    padded = np.zeros((size, 2)), np.zeros(size), np.full(size, noise)
    padded[0][: len(owner)], padded[1][: len(owner)] = points[owner], y
    x = random.uniform(size=2)
    full = _core_posterior()(x, *padded, np.arange(size) < len(owner))
    means, noises, data = np.zeros(size), np.ones(size), np.zeros((size, 2))
    means[:4], noises[:4], data[:4] = [y[owner == i].mean() for i in range(4)], noise / copies, points
    reduced = _core_posterior()(x, data, means, noises, np.arange(size) < 4)
    return max(abs(float(a) - float(b)) for a, b in zip(full, reduced, strict=True))

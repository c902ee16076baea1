"""The staged search: a coarse objective decides where to look, the fine one what is found."""

import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.search.maximize import Maximum, candidate_lattice
from core.search.staged_search import StagedEffort, maximize_in_stages

EFFORT = StagedEffort(finalists=6, polished=2)
LATTICE = candidate_lattice(128, 2)
BEST = np.array([0.71, 0.32])


def peaks(x: jax.Array, tilt: float = 0.0) -> jax.Array:
    """Highest, 2 at tilt 0, at (0.71, 0.32); lower peaks at (0.2, 0.8) and (0.1, 0.1), the last raised by the tilt."""
    centres = jnp.asarray([BEST, [0.2, 0.8], [0.1, 0.1]])
    heights = jnp.asarray([2.0, 1.7, 1.5 + tilt])
    return jnp.max(heights - 30.0 * jnp.sum((x[None] - centres) ** 2, axis=1))


class Shape(NamedTuple):
    """The peaks, changed: all cases of a kind are searched by one program."""

    tilt: float = 0.0
    shift: float = 0.0
    scale: float = 1.0
    undefined_below: float = -1.0  # of the first coordinate

    def __call__(self, x: jax.Array) -> jax.Array:
        value = self.scale * peaks(x + self.shift, self.tilt) + 3.0 * (1.0 - self.scale)
        return jnp.where(x[0] < self.undefined_below, jnp.nan, value)


FLAT, HALF, NOWHERE = Shape(scale=0.0), Shape(undefined_below=0.5), Shape(undefined_below=2.0)
CASES: dict[str, tuple[Shape, Shape]] = {
    "tilted": (Shape(tilt=0.8), Shape()),  # the coarse objective prefers another peak
    "shifted": (Shape(shift=0.02), Shape()),
    "nan": (HALF, HALF),
    "all nan": (NOWHERE, NOWHERE),
    "flat": (FLAT, FLAT),
}
"""Coarse and fine objective, where they are not the peaks themselves."""


@functools.partial(jax.jit, static_argnames="kind")
def compiled(coarse: Shape, fine: Shape, kind: str, wrong: bool) -> Maximum:
    """One program a kind: with a refinement near the best, with approximations, one or two, and with neither."""
    near: Callable | None = None
    closer: tuple[Callable, ...] = ()
    if kind == "near":
        near = lambda start: lambda x: jnp.where(wrong, jnp.sum(x), 2.0 - jnp.sum((x - BEST) ** 2))  # noqa: E731, ARG005
    elif kind.startswith("closer"):
        closer = (lambda x: jnp.where(wrong, jnp.sum(x), peaks(x + 1e-4)),)
    if kind == "closer twice":
        closer = (lambda x: jnp.where(wrong, jnp.sum(x), peaks(x + 2e-2)), *closer)
    return maximize_in_stages(coarse, fine, LATTICE, 8, EFFORT, near, closer, halving=bool(closer))


@functools.lru_cache
def search(case: str) -> Maximum:
    """The search of a case."""
    kind = case.removeprefix("wrong ") if case.endswith(("near", "closer", "closer twice")) else ""
    return compiled(*CASES.get(case, (Shape(), Shape())), kind=kind, wrong=case.startswith("wrong"))


@pytest.mark.parametrize("case", ["same", "tilted", "shifted", "nan", "near", "closer", "closer twice"])
def test_finds_the_highest_peak(case: str) -> None:
    found = search(case)
    np.testing.assert_allclose(found.x, BEST, atol=1e-3)
    assert float(found.value) == pytest.approx(2.0, abs=1e-5)
    assert float(found.value) == pytest.approx(float(peaks(found.x)), rel=1e-12)
    assert float(found.raw_value) <= float(found.value)


def test_a_refinement_that_misleads_loses_nothing() -> None:
    found = search("wrong near")
    assert float(found.value) == pytest.approx(2.0, abs=1e-2)  # the coarse stage's peak, scored by the fine objective
    assert float(found.value) == pytest.approx(float(peaks(found.x)), rel=1e-12)


@pytest.mark.parametrize("case", ["wrong closer", "wrong closer twice"])
def test_wrong_approximations_cost_no_more_than_the_refinement(case: str) -> None:
    """Where they are found to be off, the value is not below that where the coarse stage ended."""
    found = search(case)
    assert float(found.value) == pytest.approx(float(peaks(found.x)), rel=1e-12)
    assert float(found.value) >= float(found.raw_value) == pytest.approx(2.0, abs=1e-2)
    best_raw = float(jnp.max(jax.jit(jax.vmap(peaks))(LATTICE)))
    assert float(found.value) > best_raw


def test_the_last_approximation_decides_where_the_search_ends() -> None:
    """The coarse objective and the first approximation have their peak 0.02 aside, the second 1e-4.

    Where the last one is found to be off it is tilted by the slope that it lacks. A peak of the same shape is then met
    exactly; of one three times as steep, a third of the way is gone.
    """

    def aside(x: jax.Array) -> jax.Array:
        return peaks(x + 2e-2)

    def steep(x: jax.Array) -> jax.Array:
        return 3.0 * aside(x) - 4.0

    def search_with(*closer: Callable) -> Maximum:
        return maximize_in_stages(aside, peaks, LATTICE, 8, EFFORT, closer=closer)

    once, steeper, twice = jax.jit(
        lambda: (search_with(aside), search_with(steep), search_with(aside, lambda x: peaks(x + 1e-4)))
    )()
    np.testing.assert_allclose(once.x, BEST, atol=1e-5)
    np.testing.assert_allclose(steeper.x, BEST - 2e-2 * 2 / 3, atol=1e-5)
    np.testing.assert_allclose(twice.x, BEST - 1e-4, atol=1e-5)  # off by 6e-7: close enough
    for found in (once, steeper):
        assert float(found.value) == pytest.approx(float(peaks(found.x)), rel=1e-12)
    assert float(once.raw_value) == pytest.approx(float(peaks(BEST - 2e-2)), abs=1e-3)  # off by 0.024: looked at
    assert float(twice.raw_value) == -np.inf  # off by 6e-7: not needed


def test_points_that_are_given_are_looked_at() -> None:
    """The coarse objective has a hole where the fine one is highest; a point in the hole, not its peak, is given."""

    def hole(x: jax.Array) -> jax.Array:
        return jnp.where(jnp.max(jnp.abs(x - BEST)) < 0.2, -1.0, peaks(x))

    def search_with(anchors: jax.Array | None) -> Maximum:
        return maximize_in_stages(hole, peaks, LATTICE, 8, EFFORT, closer=(peaks, peaks), anchors=anchors)

    without, given = jax.jit(lambda: (search_with(None), search_with(jnp.asarray([[0.4, 0.9], BEST + 0.03]))))()
    np.testing.assert_allclose(given.x, BEST, atol=1e-5)
    assert float(without.value) < 1.8 < float(given.value)


def test_what_is_polished_lies_apart() -> None:
    """All starts end in three peaks; the lowest on the first approximation is the highest on the last.

    It comes fourth, after the best raw candidate, however often the others were reached.
    """

    def raised(x: jax.Array) -> jax.Array:
        return peaks(x, tilt=0.8)

    def search_with(polished: int) -> Maximum:
        effort = StagedEffort(coarse_steps=60, finalists=6, polished=polished)
        return maximize_in_stages(peaks, raised, LATTICE, 128, effort, closer=(peaks, raised))

    three, four = jax.jit(lambda: (search_with(3), search_with(4)))()
    np.testing.assert_allclose(four.x, [0.1, 0.1], atol=1e-5)
    assert float(three.value) == pytest.approx(2.0, abs=1e-5)


def test_flat_and_undefined_objectives() -> None:
    assert float(search("flat").value) == 3.0
    for case in ("flat", "all nan"):
        assert bool(jnp.all((search(case).x >= 0) & (search(case).x <= 1)))
    assert float(search("all nan").value) == -np.inf


def test_more_starts_and_finalists_than_candidates() -> None:
    few = jnp.asarray([[0.6, 0.4], [0.3, 0.3]])
    found = jax.jit(lambda: maximize_in_stages(peaks, peaks, few, 50, StagedEffort()))()
    np.testing.assert_allclose(found.x, BEST, atol=1e-3)

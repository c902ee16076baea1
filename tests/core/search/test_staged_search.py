"""The staged search: cheap versions of an objective choose the regions, and the fine objective chooses the point."""

import functools
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.search.maximize import Maximum, candidate_lattice
from core.search.staged_search import StagedEffort, maximize_in_stages

EFFORT = StagedEffort(polished=2)
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
    "same": (Shape(), Shape()),
    "tilted": (Shape(tilt=0.8), Shape()),  # the cheap versions prefer another peak
    "shifted": (Shape(shift=0.02), Shape()),
    "nan": (HALF, HALF),
    "all nan": (NOWHERE, NOWHERE),
    "flat": (FLAT, FLAT),
}
"""Coarse objective and model, and fine objective."""
NONE = LATTICE[:1]


def tangent(cheap: Callable, fine: Callable) -> Callable:
    """The cheap version, made exact to first order at a point."""

    def near(start: jax.Array) -> Callable:
        gap = fine(start) - cheap(start)
        slope = jax.grad(fine)(start) - jax.grad(cheap)(start)
        return lambda x: cheap(x) + gap + slope @ (x - start)

    return near


@jax.jit
def compiled(cheap: Shape, fine: Shape) -> Maximum:
    return maximize_in_stages(cheap, cheap, tangent(cheap, fine), fine, LATTICE, 8, EFFORT, NONE)


@functools.lru_cache
def search(case: str) -> Maximum:
    """The search of a case."""
    return compiled(*CASES[case])


@pytest.mark.parametrize("case", ["same", "tilted", "shifted", "nan"])
def test_finds_the_highest_peak(case: str) -> None:
    found = search(case)
    np.testing.assert_allclose(found.x, BEST, atol=1e-5)
    assert float(found.value) == pytest.approx(2.0, abs=1e-9)
    assert float(found.value) == pytest.approx(float(peaks(found.x)), rel=1e-12)
    assert float(found.raw_value) <= float(found.value)


def test_approximations_that_mislead_lose_nothing() -> None:
    """The result is at least the largest value of the fine objective found before the stages."""

    def misleading(start: jax.Array) -> Callable:
        return lambda x: 2.5 + jnp.sum((x - start) ** 2)

    found = jax.jit(lambda: maximize_in_stages(peaks, peaks, misleading, peaks, LATTICE, 8, EFFORT, NONE))()
    assert float(found.value) == float(found.raw_value) == pytest.approx(2.0, abs=1e-6)
    assert float(found.value) == pytest.approx(float(peaks(found.x)), rel=1e-12)


@pytest.mark.parametrize(("steepness", "corrections"), [(1.0, 1), (3.0, 6)])
def test_corrections_converge_to_the_maximum_of_the_fine_objective(steepness: float, corrections: int) -> None:
    """The cheap versions have their peak 0.02 aside. Of a peak as steep the first correction is exact; of one three
    times as steep a third of the way is gone each time.
    """

    def aside(x: jax.Array) -> jax.Array:
        return steepness * peaks(x + 2e-2)

    def search_with(count: int) -> Maximum:
        effort = StagedEffort(polished=2, corrections=count)
        return maximize_in_stages(aside, aside, tangent(aside, peaks), peaks, LATTICE, 8, effort, NONE)

    first, last = jax.jit(lambda: (search_with(1), search_with(corrections)))()
    np.testing.assert_allclose(first.x, BEST - 2e-2 * (1 - 1 / steepness), atol=1e-5)
    np.testing.assert_allclose(last.x, BEST, atol=1e-5 + 2e-2 * (1 - 1 / steepness) ** corrections)
    assert float(last.value) == pytest.approx(float(peaks(last.x)), rel=1e-12)


def test_points_that_are_given_are_looked_at() -> None:
    """The coarse objective has a hole where the others are highest; a point in the hole, not its peak, is given."""

    def hole(x: jax.Array) -> jax.Array:
        return jnp.where(jnp.max(jnp.abs(x - BEST)) < 0.2, -1.0, peaks(x))

    def search_with(anchors: jax.Array) -> Maximum:
        return maximize_in_stages(hole, peaks, lambda _: peaks, peaks, LATTICE, 8, EFFORT, anchors)

    without, given = jax.jit(lambda: (search_with(NONE), search_with(jnp.asarray([[0.4, 0.9], BEST + 0.03]))))()
    np.testing.assert_allclose(given.x, BEST, atol=1e-5)
    assert float(without.value) < 1.8 < float(given.value)


def test_a_corner_that_is_given_is_kept_where_starts_inside_lose_it() -> None:
    """A peak narrower than the margin that starts keep from the faces."""

    def spike(x: jax.Array) -> jax.Array:
        return peaks(x) + jnp.where(jnp.max(jnp.abs(x - jnp.asarray([1.0, 0.0]))) < 1e-4, 30.0, 0.0)

    corner = jnp.asarray([[1.0, 0.0]])
    found = jax.jit(lambda: maximize_in_stages(spike, spike, lambda _: spike, spike, LATTICE, 8, EFFORT, corner))()
    np.testing.assert_array_equal(found.x, corner[0])


def test_what_is_polished_lies_apart() -> None:
    """All starts end in three peaks; the lowest on the coarse objective is the highest on the fine one.

    It comes third, after the best raw candidate and another peak, however often the others were reached.
    """

    def raised(x: jax.Array) -> jax.Array:
        return peaks(x, tilt=0.8)

    def search_with(compared: int) -> Maximum:
        effort = StagedEffort(coarse_steps=60, polished=4, compared=compared)
        return maximize_in_stages(peaks, peaks, lambda _: raised, raised, LATTICE, 128, effort, NONE)

    two, three = jax.jit(lambda: (search_with(2), search_with(3)))()
    np.testing.assert_allclose(three.x, [0.1, 0.1], atol=1e-5)
    assert float(two.value) == pytest.approx(2.0, abs=1e-9)


def test_flat_and_undefined_objectives() -> None:
    assert float(search("flat").value) == 3.0
    for case in ("flat", "all nan"):
        assert bool(jnp.all((search(case).x >= 0) & (search(case).x <= 1)))
    assert float(search("all nan").value) == -np.inf


def test_more_starts_and_finalists_than_candidates() -> None:
    few = jnp.asarray([[0.6, 0.4], [0.3, 0.3]])
    found = jax.jit(lambda: maximize_in_stages(peaks, peaks, lambda _: peaks, peaks, few, 50, StagedEffort(), few))()
    np.testing.assert_allclose(found.x, BEST, atol=1e-5)

"""The maximiser is never below its raw candidates; infinities, faces, corners, flat and broken acquisitions."""

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.acquisition.boke import ikr_ucb
from core.models.density import fill_distance, nearest_distance
from core.models.kernels import EPANECHNIKOV
from core.numerics import deferred_gradient
from core.search.bfgs import MANY, TOGETHER
from core.search.maximize import Maximum, bounded_bfgs, candidate_lattice, maximize, shift_lattice
from tests.core.helpers import OPTIMISED

LATTICE = {dim: candidate_lattice(64, dim) for dim in (1, 2, 3)}
UNIT_LATTICE = LATTICE[2]


def run(acquisition: Callable, starts: int = 4) -> Maximum:
    return jax.jit(lambda candidates: maximize(acquisition, candidates, starts=starts))(UNIT_LATTICE)


def test_lattices_are_sobol_points_and_shifts_stay_in_the_cube() -> None:
    lattice = candidate_lattice(16, 3)
    for column in np.asarray(lattice).T:
        assert sorted(np.floor(16 * column)) == list(range(16))
    assert candidate_lattice(10, 3).shape == (10, 3)
    shifted = np.asarray(shift_lattice(jax.random.key(1), lattice))
    assert np.all((shifted >= 0) & (shifted < 1))
    difference = (shifted - np.asarray(lattice)) % 1.0
    np.testing.assert_allclose(difference, np.broadcast_to(difference[0], difference.shape), atol=1e-12)


@pytest.mark.parametrize("peak", [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.3, 1.0), (0.0, 0.71), (0.37, 0.52)])
@pytest.mark.parametrize("shape", ["quadratic", "cone"])
def test_optima_on_corners_faces_and_inside(peak: tuple[float, float], shape: str) -> None:
    centre = jnp.asarray(peak)
    # On a face or a corner the slope does not vanish there: the true peak of this function lies outside the box.
    outside = jnp.where(centre == 0.0, -0.3, jnp.where(centre == 1.0, 1.2, centre))
    found = compiled_peak(shape)(outside)
    np.testing.assert_allclose(found.x, peak, atol=1e-7 if shape == "quadratic" else 1e-5)
    assert bool(jnp.all((found.x >= 0) & (found.x <= 1)))


@functools.lru_cache
def compiled_peak(shape: str) -> Callable:
    formula = {
        "quadratic": lambda u: -jnp.sum(u**2 * jnp.array([1.0, 7.0])),
        "cone": lambda u: -jnp.sqrt(jnp.sum(u**2) + 1e-12),
    }[shape]
    return jax.jit(lambda peak: maximize(lambda x: formula(x - peak), UNIT_LATTICE, starts=4))


@given(
    lower=st.tuples(st.floats(-50, 50, width=32), st.floats(-50, 50, width=32)),
    width=st.tuples(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3)),
    where=st.tuples(st.floats(-0.2, 1.2), st.floats(-0.2, 1.2)),
)
@settings(max_examples=20)
def test_any_box(lower: tuple[float, float], width: tuple[float, float], where: tuple[float, float]) -> None:
    low, size = np.array(lower), np.array(width)
    peak = low + np.array(where) * size
    found = _in_box(low, low + size, peak)
    assert np.all((found.x >= low) & (found.x <= low + size))
    np.testing.assert_allclose(found.x, np.clip(peak, low, low + size), atol=1e-6 * size.max())


@jax.jit
def _in_box(lower: jax.Array, upper: jax.Array, peak: jax.Array) -> Maximum:
    size = upper - lower
    return maximize(
        lambda x: -jnp.sum(((x - peak) / size) ** 2), lower[None] + size[None] * UNIT_LATTICE, lower=lower, upper=upper
    )


@functools.lru_cache
def compiled_waves(starts: int) -> Callable:
    @jax.jit
    def search(frequencies: jax.Array, phases: jax.Array, candidates: jax.Array) -> tuple[Maximum, jax.Array]:
        def acquisition(x: jax.Array) -> jax.Array:
            value = jnp.sum(jnp.sin(frequencies @ x + phases)) + jnp.abs(x[0] - 0.4)
            return jnp.where(jnp.cos(5.0 * phases[0] + 9.0 * x[1]) > 0.8, jnp.nan, value)

        return maximize(acquisition, candidates, starts=starts), jax.vmap(acquisition)(candidates)

    return search


@pytest.mark.parametrize("starts", [0, 3, 100])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_never_below_the_best_raw_candidate(starts: int, seed: int) -> None:
    keys = jax.random.split(jax.random.key(seed), 3)
    frequencies = 20.0 * jax.random.normal(keys[0], (4, 2))
    phases = 6.0 * jax.random.uniform(keys[1], (4,))
    found, values = compiled_waves(starts)(frequencies, phases, shift_lattice(keys[2], UNIT_LATTICE))
    best = float(jnp.nanmax(values))
    assert float(found.raw_value) == pytest.approx(best, rel=1e-14)
    assert float(found.value) >= float(found.raw_value)
    assert bool(jnp.all((found.x >= 0) & (found.x <= 1)))
    assert bool(jnp.isfinite(found.value))


def test_values_belong_to_the_points() -> None:
    def acquisition(x: jax.Array) -> jax.Array:
        return jnp.sin(11.0 * x[0]) * jnp.cos(7.0 * x[1])

    found = run(acquisition)
    assert float(found.value) == pytest.approx(float(acquisition(found.x)), rel=1e-14)


def test_flat_acquisitions_return_their_first_candidate() -> None:
    found = run(lambda x: jnp.full((), 3.0))
    np.testing.assert_array_equal(found.x, UNIT_LATTICE[0])
    assert float(found.value) == 3.0


@pytest.mark.parametrize("value", [-jnp.inf, jnp.nan])
def test_nothing_finite_returns_a_candidate_with_minus_infinity(value: float) -> None:
    found = run(lambda x: value + 0.0 * x[0])
    np.testing.assert_array_equal(found.x, UNIT_LATTICE[0])
    assert float(found.value) == -np.inf
    assert float(found.raw_value) == -np.inf


def test_regions_of_nan_and_minus_infinity_are_walked_around() -> None:
    def acquisition(x: jax.Array) -> jax.Array:
        wall = jnp.where(x[0] > 0.9, jnp.nan, jnp.where(x[1] > 0.9, -jnp.inf, 0.0))
        return wall - jnp.sum((x - jnp.array([0.6, 0.7])) ** 2)

    np.testing.assert_allclose(run(acquisition).x, [0.6, 0.7], atol=1e-6)


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1e12, 1e200])
@pytest.mark.parametrize("offset", [0.0, 1.0, -1e6])
def test_acquisitions_of_any_size(scale: float, offset: float) -> None:
    found = _scaled(scale, offset)
    # A large offset hides differences below its rounding error.
    np.testing.assert_allclose(found.x, [0.3, 1.0], atol=max(1e-6, 3.0 * np.sqrt(abs(offset) * 2.3e-16)))


@functools.partial(jax.jit, **OPTIMISED)
def _scaled(scale: jax.Array, offset: jax.Array) -> Maximum:
    peak = jnp.array([0.3, 1.0])
    return maximize(lambda x: scale * (offset - jnp.sum((x - peak) ** 2)), UNIT_LATTICE, starts=4)


def test_exponential_towers_do_not_stop_the_search() -> None:
    found = run(lambda x: jnp.exp(300.0 * (1.0 - jnp.sum((x - jnp.array([0.21, 0.84])) ** 2))))
    np.testing.assert_allclose(found.x, [0.21, 0.84], atol=1e-6)


# --- plus infinity: unexplored regions --------------------------------------------------------------------------------


@functools.lru_cache
def compiled_explorer(dim: int, candidates: int = 1024) -> Callable:
    lattice = candidate_lattice(candidates, dim)

    @jax.jit
    @jax.vmap
    def explore(key: jax.Array, data: jax.Array, bandwidth: jax.Array) -> Maximum:
        values = jnp.sum(data, axis=1)
        return maximize(
            lambda x: ikr_ucb(x, data, values, bandwidth, 1.0, EPANECHNIKOV),
            shift_lattice(key, lattice),
            distance=lambda x: nearest_distance(x, data),
        )

    return explore


def test_unexplored_intervals_are_entered_in_the_middle_of_the_widest_gap() -> None:
    rng = np.random.default_rng(0)
    data = 0.1 + 0.9 * rng.uniform(0.0, 1.0, (40, 9, 1))
    found = compiled_explorer(1)(jax.random.split(jax.random.key(0), 40), jnp.asarray(data), jnp.full(40, 1e-3))
    assert bool(jnp.all(jnp.isposinf(found.value)))
    for run_data, x in zip(data[:, :, 0], np.asarray(found.x)[:, 0], strict=True):
        ordered = np.sort(run_data)
        middles = np.concatenate([[0.0, 1.0], (ordered[1:] + ordered[:-1]) / 2])
        reached = np.abs(ordered[None] - middles[:, None]).min(axis=1)
        assert np.abs(run_data - x).min() >= reached.max() * (1 - 1e-6)


def test_unexplored_squares_are_entered_at_the_fill_distance() -> None:
    rng = np.random.default_rng(1)
    data = rng.beta(1.5, 2.5, (40, 12, 2))
    found = compiled_explorer(2)(jax.random.split(jax.random.key(1), 40), jnp.asarray(data), jnp.full(40, 1e-3))
    side = np.linspace(0.0, 1.0, 401)
    grid = jnp.asarray(np.stack(np.meshgrid(side, side), -1).reshape(-1, 2))
    farthest = jax.jit(fill_distance)
    for run_data, x in zip(jnp.asarray(data), found.x, strict=True):
        assert float(nearest_distance(x, run_data)) >= 0.99 * float(farthest(grid, run_data))


def test_small_gaps_that_no_candidate_hits_are_found_or_left_without_nan() -> None:
    data = jnp.linspace(0.0, 1.0, 6)[:, None]
    for bandwidth in (0.0999, 0.09999999, 0.1, 0.1000001):
        found = compiled_explorer(1, 16)(jax.random.split(jax.random.key(2), 1), data[None], jnp.asarray([bandwidth]))
        assert float(found.value[0]) >= float(found.raw_value[0])
        assert not bool(jnp.isnan(found.x).any())


def test_infinity_without_a_distance_returns_an_infinite_candidate() -> None:
    found = run(lambda x: jnp.where(x[0] > 0.7, jnp.inf, x[1]))
    assert float(found.x[0]) > 0.7
    assert float(found.value) == np.inf


# --- transformations --------------------------------------------------------------------------------------------------


def test_jit_equals_eager_and_vmap_equals_a_loop() -> None:
    centres = jnp.asarray(np.random.default_rng(3).uniform(-0.1, 1.1, (5, 2)))

    def search(centre: jax.Array) -> Maximum:
        return maximize(
            lambda x: -jnp.sum(jnp.abs(x - centre) ** 1.5) + 0.1 * jnp.sin(9 * x[0]), UNIT_LATTICE, starts=1
        )

    compiled = jax.jit(search)
    loop = [compiled(centre) for centre in centres]
    batched = jax.jit(jax.vmap(search))(centres)
    for index, single in enumerate(loop):
        np.testing.assert_allclose(batched.x[index], single.x, atol=1e-6)
        np.testing.assert_allclose(batched.value[index], single.value, atol=1e-10)
    eager = search(centres[0])
    np.testing.assert_allclose(eager.x, loop[0].x, atol=1e-6)
    np.testing.assert_allclose(eager.value, loop[0].value, atol=1e-10)


def test_bounded_bfgs_reports_minus_infinity_for_nan() -> None:
    def broken(x: jax.Array) -> jax.Array:
        return jnp.where(x[0] > 0.5, jnp.nan, 0.0)

    _, values = bounded_bfgs(broken, jnp.array([[0.2], [0.9]]), jnp.zeros(1), jnp.ones(1), max_steps=5)
    np.testing.assert_array_equal(values, [0.0, -jnp.inf])


def banana(x: jax.Array) -> jax.Array:
    """Minus Rosenbrock's function on [-2, 2]^2, scaled: from most of the box a long way along a curved ridge."""
    a, b = 4.0 * x[0] - 2.0, 4.0 * x[1] - 2.0
    return -((1.0 - a) ** 2 + 100.0 * (b - a**2) ** 2) / 100.0


def test_many_starts_end_where_each_ends_by_itself() -> None:
    """The last of many starts end by themselves; a limit below or beyond the first part is kept."""
    starts = candidate_lattice(64, 2)[5 : 5 + MANY]
    corner = (jnp.zeros(2), jnp.ones(2))
    for steps in (TOGETHER - 4, TOGETHER, TOGETHER + 6, 200):
        search = jax.jit(functools.partial(bounded_bfgs, banana, max_steps=steps))
        points, values = search(starts, *corner)
        singles = [search(start[None], *corner) for start in starts]
        np.testing.assert_allclose(points, [single[0][0] for single in singles], atol=1e-6)
        np.testing.assert_allclose(values, [single[1][0] for single in singles], atol=1e-9)
        few = jax.jit(functools.partial(bounded_bfgs, banana, max_steps=TOGETHER))(starts, *corner)[1]
        gain = float(jnp.max(values - few))
        assert gain > 1e-3 if steps > TOGETHER else gain <= 1e-9  # some do go on


def test_no_gradient_is_computed_where_a_line_search_rejects_a_point() -> None:
    """Counted on the host; the function itself is evaluated at every step, and the path is that without deferring."""
    calls = {"value": 0, "gradient": 0}

    def count(name: str) -> None:
        calls[name] += 1

    def evaluate(x: jax.Array) -> tuple[jax.Array, None]:
        jax.debug.callback(functools.partial(count, "value"))
        return banana(x), None

    def gradient(x: jax.Array, _: None) -> jax.Array:
        jax.debug.callback(functools.partial(count, "gradient"))
        return jax.grad(banana)(x)

    start = jnp.array([[0.2, 0.8]])
    found = bounded_bfgs(deferred_gradient(evaluate, gradient), start, jnp.zeros(2), jnp.ones(2))
    jax.effects_barrier()
    plain = bounded_bfgs(banana, start, jnp.zeros(2), jnp.ones(2))
    np.testing.assert_allclose(found[0], plain[0], atol=1e-9)
    assert 5 < calls["gradient"] < calls["value"] - 5

"""The search near the best observations finds a narrow peak, and the rest of the search loses nothing."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.policies import SearchEffort, make
from core.policies.improvement import CorrectedEi
from core.policies.near import NearEffort, candidates_near, looking_near
from core.search.maximize import maximize

CENTRES = jnp.array([[0.31, 0.72, 0.05, 0.5], [0.9, 0.12, 0.44, 1.0]])
PEAK = CENTRES[0] + jnp.array([0.004, -0.003, 0.002, 0.005])


def needle(x: jax.Array) -> jax.Array:
    """A peak of width .004 by the first centre, on a broad and lower hill elsewhere."""
    hill = jnp.exp(-jnp.sum((x - 0.75) ** 2) / 0.1)
    return hill + 5.0 * jnp.exp(-0.5 * jnp.sum((x - PEAK) ** 2) / 0.004**2)


def test_a_narrow_peak_by_a_centre_is_found() -> None:
    """The peak is found in ten of ten shifts, and in none without the centres: its share of the cube is some 1e-8."""
    near, plain = NearEffort.of(4), SearchEffort.of(4)
    keys = jax.random.split(jax.random.key(5), 10)
    found = jax.jit(jax.vmap(lambda key: near.maximize(key, needle, around=CENTRES).x))(keys)
    np.testing.assert_allclose(found, np.broadcast_to(PEAK, (10, 4)), atol=1e-4)
    missed = jax.jit(jax.vmap(lambda key: plain.maximize(key, needle, around=CENTRES).x))(keys)
    np.testing.assert_allclose(missed, np.full((10, 4), 0.75), atol=1e-3)


def test_the_rest_of_the_cube_is_searched_as_well() -> None:
    """Half of the starts are not near the centres, even where all candidates there are better than elsewhere."""
    ridge = jnp.array([0.1, 0.9])

    def two_peaks(x: jax.Array) -> jax.Array:
        plateau = jnp.exp(-jnp.sum((x - 0.3) ** 2) / 0.5)
        return plateau + 2.0 * jnp.exp(-0.5 * jnp.sum((x - ridge) ** 2) / 0.12**2)

    near = jnp.full((2, 2), 0.3) + 1e-4 * jax.random.normal(jax.random.key(0), (2, 2))
    everywhere = jnp.array([[0.05, 0.05], [0.3, 0.99], [0.95, 0.9], [0.9, 0.1]])
    found = maximize(two_peaks, everywhere, starts=4, near=near)
    assert float(jnp.linalg.norm(found.x - ridge)) < 0.05
    assert float(two_peaks(near[0])) > float(jnp.max(jax.vmap(two_peaks)(everywhere)))


def test_candidates_lie_in_the_cube_around_the_centres_at_all_scales() -> None:
    found = np.asarray(candidates_near(jax.random.key(1), CENTRES, 4000))
    assert np.all((found >= 0.0) & (found <= 1.0))
    steps = found - np.resize(np.asarray(CENTRES), found.shape)
    inside = steps[:, [0]]  # the coordinate of the first centre, .31, and of the second, .9
    moved = np.abs(inside[inside != 0.0])
    # log10 of |10^-u z|: u uniform on (.5, 3), and log10|z| with mean -.2758 and variance .2326 (z standard normal)
    error = np.sqrt((2.5**2 / 12 + 0.2326) / len(moved))
    assert np.mean(np.log10(moved)) == pytest.approx(-1.75 - 0.2758, abs=4 * error + 0.02)  # .02: clipped at the faces
    still = np.mean(steps[1::2] == 0.0, axis=0)[1:3]  # odd rows: each coordinate stays with probability one half
    np.testing.assert_allclose(still, 0.5, atol=4 * 0.5 / np.sqrt(2000))
    assert not np.any(steps[::2, 1] == 0.0)


def test_who_looks_near() -> None:
    """Policies that improve on an incumbent, in an optimizer's runs; made by name they search as in the papers."""
    assert type(make("corrected_ei", 3).effort) is SearchEffort
    changed = looking_near(CorrectedEi(3, kernel="squared_exponential"))
    assert isinstance(changed.effort, NearEffort)
    assert changed.kernel.name == "squared_exponential"
    other = make("gp_ucb_refit", 3)
    assert looking_near(other) is other

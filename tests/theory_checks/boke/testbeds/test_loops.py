"""Loops with the bonus of Theorem 9 against `core`, and the repaired bonus."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from core.acquisition.boke import beta_continuum, ikr_ucb
from core.models.kernels import EPANECHNIKOV
from theory_checks.boke.testbeds import loops, sub_gaussian
from theory_checks.boke.testbeds.grid_boke import grid_of


def test_loops_choose_maximisers_of_ikr_ucb():
    loop = loops.LOOPS[0]
    plays = loop.plays("printed", 1, 40, np.random.default_rng(2))
    noise = sub_gaussian.draw(np.random.default_rng(2), loop.noise, (1, 40), loop.atom)
    grid = jnp.asarray(grid_of(loop.per_side, loop.dim))
    arms = plays.arm[0]
    x, y = grid[arms], jnp.asarray(loop.values[arms] + noise[0])

    @jax.jit
    def score(t, bandwidth, beta):
        """The score at every point of the grid, from the first t observations."""
        return jax.vmap(lambda at: ikr_ucb(at, x, y, bandwidth, beta, EPANECHNIKOV, jnp.arange(40) < t))(grid)

    for t in (1, 7, 39):
        scores = np.asarray(score(t, loop.bandwidth(t), beta_continuum(t, 1.0, loops.DELTA)))
        assert scores[arms[t]] >= scores.max() - 1e-9


def test_repaired_radius_bounds_stopped_sums():
    """W = n observations of one arm, |X| = 1, t fixed: the exact crossing probability at any n stays below delta_t."""
    t, steps = 3, 400
    allowed = 6 * loops.DELTA / (math.pi**2 * t**2)
    crossed = sub_gaussian.crossing_probability(
        lambda n: n * loops.repaired_radius(t, n.astype(float), 1.0, 0.0), steps
    )
    assert crossed[-1] <= allowed

"""The bandwidth rule as an option of the policies; the rule without the data's spread repeats its former runs."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.designs import seed_keys
from core.models.bandwidth import RULES
from core.policies import SearchEffort, make
from core.simulate import simulate
from core.types import Observations
from tests.core.helpers import sample_data
from tests.core.test_simulate import Hill

EFFORT = SearchEffort.of(2, raw_candidates=64, starts=2, max_steps=30)
CONSTANTS = {
    "boke": {"noise_scale": 0.03, "delta": 0.1},
    "boke_plus": {"noise_scale": 0.03, "delta": 0.1, "exploration_probability": 0.5},
    "kr_ucb": {"exploration": 0.3, "widening": 0.95, "threshold": 0.5},
    "density_exploration": {},
}
STORED = {
    "boke": [
        [0.0, 0.0],
        [1.0, 1.0],
        [0.810477657, 0.663799614],
        [0.0, 0.414152803],
        [0.363376847, 0.167574262],
    ],
    "boke_plus": [
        [0.0, 0.0],
        [1.0, 0.624516194],
        [1.0, 0.924240403],
        [0.35980748, 0.171786472],
        [1.0, 0.587980822],
    ],
    "kr_ucb": [
        [0.917042812, 0.322137258],
        [0.988235306, 0.423081661],
        [1.0, 0.54289618],
        [0.896111049, 0.496403315],
        [1.0, 0.309756407],
    ],
    "density_exploration": [
        [0.0, 0.0],
        [1.0, 1.0],
        [0.0, 0.415307268],
        [0.361644228, 0.158703407],
        [0.790679462, 0.683249711],
    ],
}
"""Five proposals after five points, c = 0.1, from the code that had no other rule; it was compared bit by bit then, and
to the tolerance of BFGS here, as other processors round otherwise."""


@pytest.mark.parametrize("name", STORED)
def test_the_rule_without_deviations_repeats_the_stored_run(name: str) -> None:
    method = make(name, 2, bandwidth=0.1, rule="scott_box", effort=EFFORT, **CONSTANTS[name])
    run = simulate(method, Hill(), seed_keys((0,)), 10, initial_size=5)
    np.testing.assert_allclose(run.x[0, 5:], STORED[name], atol=1e-5)


@pytest.mark.parametrize("name", ["boke", "kr_ucb"])
def test_every_rule_is_a_choice(name: str) -> None:
    x, y = sample_data(8, 2, 17)
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=9)
    for rule in RULES:
        policy = make(name, 2, rule=rule, bandwidth=0.4)
        h = policy.current_bandwidth(observations)
        assert h.shape == ((2,) if rule in ("scott", "silverman") else ())
        np.testing.assert_allclose(h, RULES[rule](jnp.asarray(x), 0.4), rtol=1e-12)


def test_a_collapsed_axis_is_explored_first() -> None:
    """All data on one line: the next point leaves it, and the query stays finite and in the cube."""
    x, y = sample_data(8, 2, 17)
    x[:, 1] = 0.25
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=9)
    policy = make("boke", 2, effort=EFFORT)
    query, _, info = eqx.filter_jit(policy.propose)(jax.random.key(0), (), observations)
    assert float(query[1]) == pytest.approx(1.0, abs=1e-4)  # the search ends near the face
    assert 0.0 <= float(query[0]) <= 1.0
    assert bool(jnp.isfinite(info["bandwidth"]))

"""KR-UCB's scores against A (A4), written out."""

import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from core.acquisition.kr_ucb import distinct_points, kr_ucb_scores
from core.models.kernels import GAUSSIAN
from tests.core.helpers import regression, sample_data, weights

X, Y = sample_data(10, 2, 14)
SCORES = jax.jit(lambda x, y, h, c, mask: kr_ucb_scores(x, y, h, c, GAUSSIAN, mask))
DISTINCT = jax.jit(distinct_points)


def oracle(x: np.ndarray, y: np.ndarray, h: float, exploration: float) -> np.ndarray:
    density = np.array([float(weights("gaussian", point, x, h).sum()) for point in x])
    mean = np.array([regression("gaussian", point, x, y, h) for point in x])
    return mean + exploration * np.sqrt(np.log(density.sum()) / density)


@given(h=st.floats(1e-12, 5.0), c=st.floats(0.0, 5.0), rows=st.integers(1, 10))
@settings(max_examples=30)
def test_equation_a4(h: float, c: float, rows: int) -> None:
    mask = np.arange(10) < rows
    scores = np.asarray(SCORES(X, Y, h, c, mask))
    np.testing.assert_allclose(scores[:rows], oracle(X[:rows], Y[:rows], h, c), rtol=1e-9)
    assert np.all(np.isneginf(scores[rows:]))


def test_every_row_is_used_without_a_mask() -> None:
    ours = kr_ucb_scores(jnp.asarray(X), jnp.asarray(Y), 0.3, 1.0)
    np.testing.assert_allclose(ours, oracle(X, Y, 0.3, 1.0), rtol=1e-9)


@given(
    st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.3]), st.sampled_from([-0.0, 0.0, 1e-9])), min_size=10, max_size=10)
)
@settings(max_examples=30)
def test_distinct_points(rows: list[tuple[float, float]]) -> None:
    x = np.array(rows)
    for used in (10, 4, 0):
        assert int(DISTINCT(x, np.arange(10) < used)) == len(np.unique(x[:used], axis=0))


def test_distinct_points_ignores_what_unused_rows_hold() -> None:
    x = jnp.array([[0.0, 0.0], [0.5, 0.5], [0.0, 0.0]])
    assert int(distinct_points(x, jnp.array([False, True, True]))) == 2
    assert int(distinct_points(x, jnp.array([True, True, True]))) == 2
    assert int(distinct_points(x, jnp.array([True, False, True]))) == 1

"""The protocol of the public code: its fit, its units and its search, against SciPy."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize
from scipy.spatial.distance import cdist

from core.models.gaussian_process import constant_mean
from core.types import Observations
from experiments import problems
from experiments.cei import fig3_public, fig7_public, fig8_public, loose_search
from experiments.cei.public_code import ACQUISITIONS, PublicCode, log_posterior, scaled

CENTRES = np.array([[0.2, 0.7, 0.4], [0.75, 0.3, 0.6], [0.5, 0.5, 1.1]])


def bumps(x):
    """About as high and as wide as an expected improvement on standardised outputs."""
    return 0.3 * jnp.sum(jnp.exp(-jnp.sum((x[None, :] - CENTRES) ** 2, axis=1) / 0.08) * jnp.asarray([1.0, 0.6, 0.8]))


def test_few_iterations_get_as_far_as_five_of_lbfgsb():
    """Summed over four starts, 60 times, within the box [0, 1]^3, one of whose maxima lies outside."""
    rng, low, high = np.random.default_rng(1), jnp.zeros(3), jnp.ones(3)
    total = jax.jit(jax.value_and_grad(lambda z: -jnp.sum(jax.vmap(bumps)(z.reshape(4, 3)))))
    few = jax.jit(lambda starts: loose_search.few_iterations(bumps, starts, low, high))
    ours, theirs, apart = [], [], []
    for _ in range(60):
        starts = rng.random((4, 3))
        found = minimize(total, starts.ravel(), jac=True, bounds=[(0, 1)] * 12, options={"maxiter": 5})
        reached = np.asarray(few(jnp.asarray(starts)))
        assert np.all((reached >= 0) & (reached <= 1))
        ours.append(-float(total(reached.ravel())[0]))
        theirs.append(-found.fun)
        apart.append(np.max(np.abs(reached.ravel() - found.x)))
    difference = np.array(ours) - theirs
    assert abs(np.median(difference)) < 0.02 * np.median(theirs)
    assert abs(difference.mean()) < 0.02 * np.mean(theirs) + 3 * stats.sem(difference)
    assert np.median(apart) < 0.1


def test_a_tiny_acquisition_leaves_the_starts_where_they_are():
    starts = jnp.asarray(np.random.default_rng(2).random((4, 3)))
    reached = loose_search.few_iterations(lambda x: 1e-6 * bumps(x), starts, jnp.zeros(3), jnp.ones(3))
    np.testing.assert_array_equal(reached, starts)


@pytest.mark.parametrize("nonnegative", [True, False])
def test_starts_are_the_best_and_others_by_their_weights(nonnegative):
    scores = np.r_[np.zeros(5), 0.3, 0.6, 0.9, 1.0]
    keys = jax.random.split(jax.random.key(0), 4000)
    rows = np.asarray(jax.vmap(lambda key: loose_search.choose_starts(key, jnp.asarray(scores), nonnegative))(keys))
    assert rows.shape == (4000, 4)
    assert np.all(rows[:, 0] == 8)
    assert all(len(set(row)) == 4 for row in rows)
    others = scores[:8]
    weight = np.exp(others - 1.0) * (others > 0) if nonnegative else np.exp(others / scores.std(ddof=1))
    share, expected = np.mean(rows[:, 1][:, None] == np.arange(8), axis=0), weight / weight.sum()
    assert np.all(np.abs(share - expected) < 5 * np.sqrt(expected * (1 - expected) / 4000) + 1e-9)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(4)
    x, noise = 0.1 + 0.7 * rng.random((14, 3)), 0.4 * rng.standard_normal(14)
    noise[3] = 1e-7
    y = 5.0 + 3.0 * np.sin(4 * x[:, 0]) - 2.0 * x[:, 1] + noise
    rows = (jnp.asarray(each) for each in (x, y))
    return x, y, noise, Observations.of(*rows, noise_variance=jnp.asarray(noise**2), capacity=17)


def test_units_are_the_span_of_all_coordinates_and_the_sample_deviation(data):
    x, y, noise, observations = data
    found, first, span = scaled(observations)
    assert (float(first), float(span)) == pytest.approx((x.min(), x.max() - x.min()))
    np.testing.assert_allclose(found.x[:14], (x - x.min()) / (x.max() - x.min()), rtol=1e-12)
    np.testing.assert_allclose(found.y[:14], (y - y.mean()) / y.std(ddof=1), rtol=1e-10)
    expected = np.maximum((noise / y.std(ddof=1)) ** 2, 1e-6)
    np.testing.assert_allclose(found.noise_variance[:14, 0], expected, rtol=1e-10)


def by_hand(theta, mean, x, y, variance):
    """Log density of y and the two Gamma priors, by SciPy."""
    root5 = np.sqrt(5.0) * cdist(x / theta[:3], x / theta[:3])
    covariance = theta[3] * (1 + root5 + root5**2 / 3) * np.exp(-root5) + np.diag(variance)
    prior = stats.gamma(3.0, scale=1 / 6.0).logpdf(theta[:3]).sum() + stats.gamma(2.0, scale=1 / 0.15).logpdf(theta[3])
    return stats.multivariate_normal(np.full(len(y), mean), covariance).logpdf(y) + prior


def test_the_fit_is_the_maximum_a_posteriori_with_a_constant_mean(data):
    """A joint search over lengthscales, variance and mean by SciPy, from log 2 and 0, as theirs."""
    inputs = scaled(data[3])[0]
    x, y, variance = (np.asarray(each)[:14] for each in (inputs.x, inputs.y, inputs.noise_variance[:, 0]))
    one, other = np.array([0.5, 0.8, 1.2, 2.0]), np.array([0.3, 2.0, 0.4, 0.7])
    density = jax.jit(lambda data, log_theta: log_posterior(data)(log_theta))
    log_ratio = float(density(inputs, jnp.log(one)) - density(inputs, jnp.log(other)))
    best = [max(by_hand(theta, m, x, y, variance) for m in np.linspace(-3, 3, 601)) for theta in (one, other)]
    assert log_ratio == pytest.approx(best[0] - best[1], abs=1e-3)
    loss = lambda v: -by_hand(np.exp(v[:4]), v[4], x, y, variance)  # noqa: E731
    found = minimize(loss, np.r_[np.full(4, np.log(np.log(2.0))), 0.0], method="L-BFGS-B", options={"ftol": 1e-13})
    policy = PublicCode(3, acquisition="ei")
    theta = eqx.filter_jit(policy.fit)(inputs)
    np.testing.assert_allclose(theta, np.exp(found.x[:4]), rtol=0.01)
    assert float(density(inputs, jnp.log(theta))) >= float(density(inputs, jnp.asarray(found.x[:4]))) - 1e-4
    process = eqx.filter_jit(policy.process)(inputs, theta)
    mean = y[0] - np.asarray(process.factor @ process.whitened)[0]
    assert mean == pytest.approx(found.x[4], abs=0.01)
    assert float(constant_mean(process.factor, inputs.y, inputs.mask)) == pytest.approx(mean, abs=1e-6)


@pytest.mark.parametrize("name", fig3_public.PROBLEMS["paper"])
def test_range_of_the_diagonal(name):
    """The search starts from the best of the points 0.01 apart on the box's diagonal, as in the public code."""
    problem = problems.get(name)
    low, high = np.asarray(problem.bounds).T
    value = jax.jit(lambda z: -problem.value((z - low) / (high - low)))
    diagonal = np.arange(low[0], high[0], 0.01)[:, None] * np.ones((1, problem.dim))
    scores = np.asarray(jax.vmap(value)(jnp.asarray(diagonal)))
    box = list(zip(low, high, strict=True))

    def least(sign, start):
        return minimize(lambda z: sign * float(value(z)), start, method="L-BFGS-B", bounds=box).fun

    found = -least(-1, diagonal[scores.argmax()]) - least(1, diagonal[scores.argmin()])
    expected = fig3_public.DIAGONAL_RANGE.get(name, float(problem.range))
    assert found == pytest.approx(expected, rel=1e-6)


def test_noise_of_figures_7_and_8_is_relative_to_the_diagonal():
    powell = next(cell for cell in fig7_public.STUDY.cells("paper") if cell.problem == "powell5")
    assert powell.options["noise_fraction"] == pytest.approx(1.5 * fig3_public.noise_fraction("powell5"))
    cells = fig8_public.STUDY.cells("paper")
    assert {cell.options["noise_fraction"] for cell in cells} == {0.1, 0.15, 0.2}
    assert {cell.policy for cell in cells} == {"corrected_ei", "ei"}


@eqx.filter_jit
def propose(policy, key, observations):
    return policy.propose(key, (), observations)


def test_acquisitions_are_told_apart_and_queries_lie_in_the_box(data):
    queries = {}
    for name in ACQUISITIONS:
        query, _, info = propose(PublicCode(3, acquisition=name), jax.random.key(5), data[3])
        assert np.all((np.asarray(query) >= 0) & (np.asarray(query) <= 1))
        assert float(info["acquisition"]) >= 0
        queries[name] = np.asarray(query)
    assert not np.allclose(queries["ei"], queries["corrected_ei"])
    with pytest.raises(ValueError, match="acquisition"):
        PublicCode(3, acquisition="ucb")

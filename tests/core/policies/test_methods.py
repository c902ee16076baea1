"""Each policy's query against brute force over a dense grid, with the formulas written out in numpy."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.spatial import cKDTree
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, Matern

from core.models.gaussian_process import JITTER
from core.models.hyperparameters import Hyperparameters
from core.policies import FINITE_SET, SearchEffort, make
from core.types import Observations
from tests.helpers import sample_data

EFFORT = SearchEffort.of(2, raw_candidates=256, starts=6)
SIDE = np.linspace(0.0, 1.0, 301)
GRID = np.stack(np.meshgrid(SIDE, SIDE), -1).reshape(-1, 2)
X, Y = sample_data(9, 2, 31)
Z = (Y - Y.mean()) / Y.std()
OBSERVATIONS = Observations.of(jnp.asarray(X), jnp.asarray(Y), capacity=12)
SCOTT = 2**0.5 * 9 ** (-1 / 6)
STEP = eqx.filter_jit(lambda policy, data: policy.propose(jax.random.key(0), (), data))  # for memoryless policies


def propose(name: str, observations: Observations = OBSERVATIONS, seed: int = 0, **options: object) -> tuple:
    """Query and diagnostics of one compiled step."""
    policy = make(name, 2, effort=EFFORT, **options)

    @jax.jit
    def step(key: jax.Array, data: Observations) -> tuple:
        return policy.propose(key, policy.init(key), data)

    query, _, info = step(jax.random.key(seed), observations)
    return np.asarray(query), {name: float(value) for name, value in info.items()}


def gaussian_weights(points: np.ndarray, h: float) -> np.ndarray:
    squared = ((points[:, None] - X[None]) ** 2).sum(-1)
    return np.exp(-squared / (2 * h**2))


def ikr(points: np.ndarray, h: float, beta: float) -> np.ndarray:
    w = gaussian_weights(points, h)
    return w @ Z / w.sum(1) + np.sqrt(beta) / np.sqrt(w.sum(1))


@pytest.mark.parametrize("rule", ["scott", "silverman", "fixed"])
def test_boke_maximises_equation_fourteen_with_theorem_nines_beta(rule: str) -> None:
    query, info = propose("boke", bandwidth=0.25, noise_scale=0.3, delta=0.2, rule=rule)
    h = {"scott": 0.25 * SCOTT, "silverman": 0.25 * SCOTT, "fixed": 0.25}[rule]  # the rules agree in two dimensions
    beta = 2 * 0.3**2 * np.log(2 * np.pi**2 * 81 / (3 * 0.2))
    assert info["bandwidth"] == pytest.approx(h)
    assert info["beta"] == pytest.approx(beta)
    reached = ikr(query[None], h, beta)[0]
    assert reached >= ikr(GRID, h, beta).max() - 1e-9
    assert info["acquisition"] == pytest.approx(reached, rel=1e-9)


def test_boke_with_a_compact_kernel_goes_farthest_from_the_data_while_something_is_unseen() -> None:
    query, info = propose("boke", bandwidth=0.05, kernel="epanechnikov")
    assert info["acquisition"] == np.inf
    tree = cKDTree(X)
    assert tree.query(query)[0] >= 0.995 * tree.query(GRID)[0].max()


def test_boke_does_the_same_where_a_gaussian_density_leaves_the_doubles() -> None:
    query, info = propose("boke", bandwidth=0.004, rule="fixed")
    assert info["acquisition"] == np.inf
    tree = cKDTree(X)
    assert tree.query(query)[0] >= 0.995 * tree.query(GRID)[0].max()


def test_boke_plus_with_probability_one_is_boke() -> None:
    policy, peer = make("boke_plus", 2, effort=EFFORT, exploration_probability=1.0), make("boke", 2, effort=EFFORT)
    for seed in range(3):
        key = jax.random.key(seed)
        query, _, info = eqx.filter_jit(policy.propose)(key, (), OBSERVATIONS)
        search_key = jax.random.split(key)[1]
        expected, _, _ = eqx.filter_jit(peer.propose)(search_key, (), OBSERVATIONS)
        np.testing.assert_array_equal(query, expected)
        assert float(info["explore"]) == 1.0


@pytest.mark.parametrize(("kernel", "bandwidth"), [("gaussian", 0.3), ("gaussian", 0.004), ("epanechnikov", 0.05)])
def test_boke_plus_exploits_the_regression_alone_also_where_nothing_was_seen(kernel: str, bandwidth: float) -> None:
    query, info = propose("boke_plus", exploration_probability=1e-9, kernel=kernel, bandwidth=bandwidth, rule="fixed")
    assert info["explore"] == 0.0
    if bandwidth < 0.1:  # the nearest neighbour's value: the maximum is the largest observed one
        assert info["acquisition"] == pytest.approx(Z.max(), rel=1e-9)
        assert int(cKDTree(X).query(query)[1]) == int(np.argmax(Z))
    else:
        assert ikr(query[None], 0.3, 0.0)[0] >= ikr(GRID, 0.3, 0.0).max() - 1e-9


def test_boke_plus_explores_with_its_probability() -> None:
    policy = make("boke_plus", 2, effort=SearchEffort.of(2, 4, 0), exploration_probability=0.3)
    explore = jax.jit(jax.vmap(lambda key: policy.propose(key, (), OBSERVATIONS)[2]["explore"]))
    share = float(explore(jax.random.split(jax.random.key(1), 4000)).mean())
    assert share == pytest.approx(0.3, abs=4 * np.sqrt(0.21 / 4000))


def test_density_exploration_minimises_the_density_and_ignores_the_values() -> None:
    query, _ = propose("density_exploration", bandwidth=0.25)
    density = gaussian_weights(GRID, 0.25 * SCOTT).sum(1)
    assert gaussian_weights(query[None], 0.25 * SCOTT).sum() <= density.min() * (1 + 1e-9)
    blind = Observations.of(jnp.asarray(X), jnp.asarray(-7.0 * Y**2), capacity=12)
    np.testing.assert_array_equal(propose("density_exploration", blind, bandwidth=0.25)[0], query)


def test_gp_exploration_maximises_the_posterior_variance() -> None:
    query, info = propose("gp_exploration", lengthscale=0.4)
    oracle = GaussianProcessRegressor(Matern(0.4, nu=2.5), alpha=JITTER, optimizer=None).fit(X, 0 * Y)
    deviation = oracle.predict(np.concatenate([GRID, query[None]]), return_std=True)[1]
    assert deviation[-1] >= deviation.max() - 1e-7
    assert info["acquisition"] == pytest.approx(deviation[-1], rel=1e-5)


def test_gp_ucb_maximises_equation_a3() -> None:
    query, info = propose("gp_ucb", lengthscale=0.3, noise_scale=0.2, beta=2.5)
    oracle = GaussianProcessRegressor(RBF(0.3), alpha=0.04 + JITTER, optimizer=None).fit(X, Z)
    mean, deviation = oracle.predict(np.concatenate([GRID, query[None]]), return_std=True)
    score = mean + np.sqrt(2.5) * deviation
    assert score[-1] >= score.max() - 1e-9
    assert info["acquisition"] == pytest.approx(score[-1], rel=1e-7)


def test_gp_ucb_takes_known_noise_in_the_unit_of_y() -> None:
    noise = np.linspace(0.05, 2.0, 9)
    observations = Observations.of(jnp.asarray(X), jnp.asarray(Y), noise_variance=jnp.asarray(noise), capacity=12)
    oracle = GaussianProcessRegressor(RBF(0.3), alpha=noise / Y.var() + JITTER, optimizer=None).fit(X, Z)
    policy = make("gp_ucb", 2, effort=EFFORT, lengthscale=0.3)
    surrogate = policy.surrogate((), observations)
    np.testing.assert_allclose(surrogate[:9], Y.mean() + Y.std() * oracle.predict(X), rtol=1e-8)
    refit = make("gp_ucb_refit", 2, effort=EFFORT)
    theta = Hyperparameters(jnp.full(2, 0.3), jnp.asarray(1.0), jnp.asarray(0.2))
    both = GaussianProcessRegressor(RBF(0.3), alpha=noise / Y.var() + 0.2 + JITTER, optimizer=None).fit(X, Z)
    np.testing.assert_allclose(
        refit.surrogate(theta, observations)[:9], Y.mean() + Y.std() * both.predict(X), rtol=1e-8
    )


def test_gp_ucb_refit_uses_its_state() -> None:
    policy = make("gp_ucb_refit", 2, effort=EFFORT, beta=2.5)
    state = eqx.filter_jit(policy.update)(policy.init(jax.random.key(0)), OBSERVATIONS)
    query, _, info = eqx.filter_jit(policy.propose)(jax.random.key(0), state, OBSERVATIONS)
    kernel = float(state.variance) * RBF(np.asarray(state.lengthscale))
    alpha = float(state.noise_variance) + JITTER * float(state.variance)
    oracle = GaussianProcessRegressor(kernel, alpha=alpha, optimizer=None).fit(X, Z)
    mean, deviation = oracle.predict(np.concatenate([GRID, np.asarray(query)[None]]), return_std=True)
    score = mean + np.sqrt(2.5) * deviation
    assert score[-1] >= score.max() - 1e-7
    assert float(info["variance"]) == float(state.variance)


def test_random_search_is_uniform() -> None:
    policy = make("random_search", 2)
    draw = jax.vmap(lambda key: policy.propose(key, (), OBSERVATIONS)[0])
    points = np.asarray(draw(jax.random.split(jax.random.key(0), 4000)))
    np.testing.assert_allclose(points.mean(0), 0.5, atol=4 / np.sqrt(12 * 4000))
    np.testing.assert_allclose(points.var(0), 1 / 12, atol=0.006)


# --- KR-UCB ------------------------------------------------------------


def kr_scores(h: float, exploration: float) -> np.ndarray:
    w = gaussian_weights(X, h)
    return w @ Z / w.sum(1) + exploration * np.sqrt(np.log(w.sum()) / w.sum(1))


@pytest.mark.parametrize("threshold", [0.3, 0.9])
def test_kr_ucb_widens_to_the_least_dense_point_of_the_ball(threshold: float) -> None:
    # alpha close to one: 9^alpha is below the 9 distinct points, so one of them is repeated to widen.
    x = np.concatenate([X, X[:1]])
    y = np.concatenate([Y, Y[:1]])
    observations = Observations.of(jnp.asarray(x), jnp.asarray(y), capacity=12)
    query, info = propose("kr_ucb", observations, bandwidth=0.3, exploration=0.5, threshold=threshold, widening=0.99)
    assert info["widen"] == 1.0
    h = 0.3 * 2**0.5 * 10 ** (-1 / 6)
    z = (y - y.mean()) / y.std()
    w = np.exp(-((x[:, None] - x[None]) ** 2).sum(-1) / (2 * h**2))
    scores = w @ z / w.sum(1) + 0.5 * np.sqrt(np.log(w.sum()) / w.sum(1))
    centre = x[np.argmax(scores)]
    rho = h * np.sqrt(2 * np.log(1 / threshold))
    assert np.linalg.norm(query - centre) < rho
    around = centre + rho * (1 - 1e-9) * (2 * GRID - 1)
    inside = (np.linalg.norm(around - centre, axis=1) < rho) & np.all((around >= 0) & (around <= 1), axis=1)
    angle = np.linspace(0, 2 * np.pi, 2000)
    edge = np.clip(centre + rho * (1 - 1e-9) * np.stack([np.cos(angle), np.sin(angle)], 1), 0, 1)
    candidates = np.concatenate([around[inside], edge])

    def density(points: np.ndarray) -> np.ndarray:
        return np.exp(-((points[:, None] - x[None]) ** 2).sum(-1) / (2 * h**2)).sum(1)

    assert density(query[None])[0] <= density(candidates).min() * (1 + 1e-5)


def test_kr_ucb_repeats_its_best_point_while_there_are_many() -> None:
    query, info = propose("kr_ucb", bandwidth=0.3, exploration=0.7, widening=0.5)
    assert info["widen"] == 0.0
    scores = kr_scores(0.3 * SCOTT, 0.7)
    np.testing.assert_array_equal(query, X[np.argmax(scores)])
    assert info["acquisition"] == pytest.approx(scores.max(), rel=1e-9)


@pytest.mark.parametrize(("copies", "widening"), [(0, 0.5), (3, 0.5), (3, 0.8), (0, 0.99), (3, 0.95), (1, 0.95)])
def test_kr_ucb_branches_as_algorithm_five(copies: int, widening: float) -> None:
    x = np.concatenate([X, np.repeat(X[:1], copies, axis=0)])
    observations = Observations.of(jnp.asarray(x), jnp.asarray(np.resize(Y, len(x))), capacity=12)
    policy = make("kr_ucb", 2, effort=SearchEffort.of(2, 16, 0), widening=widening)
    _, _, info = STEP(policy, observations)
    repeat = len(x) ** widening < 9  # (A4) if t^alpha < number of distinct observed points
    assert float(info["widen"]) == float(not repeat)


# --- finite sets ------------------------------------------------------------

ARMS = np.array([[0.0, 0.1], [0.3, 0.1], [0.9, 0.8], [0.5, 0.6]])


def history(pulls: list[int], seed: int) -> Observations:
    y = np.random.default_rng(seed).normal(size=len(pulls)) + np.array([0.0, 0.4, 0.2, 1.0])[pulls]
    return Observations.of(jnp.asarray(ARMS[pulls]), jnp.asarray(y), capacity=16)


PULLS = [0, 1, 2, 3, 1, 1, 3, 2, 0, 1, 3]


@pytest.mark.parametrize("kernel", ["epanechnikov", "gaussian", "uniform"])
def test_ucb1_is_the_small_bandwidth_limit_of_finite_boke(kernel: str) -> None:
    for seed in range(4):
        for pulls in ([0], [2, 2], PULLS[:5], PULLS):
            data = history(pulls, seed)
            boke = FINITE_SET["finite_boke"](jnp.asarray(ARMS), bandwidth=0.004, noise_scale=0.6, kernel=kernel)
            ucb = FINITE_SET["ucb1"](jnp.asarray(ARMS), exploration=4 * 0.6**2)
            (first, _, info), (second, _, peer) = (STEP(method, data) for method in (boke, ucb))
            np.testing.assert_array_equal(first, second)
            assert float(info["acquisition"]) == pytest.approx(float(peer["acquisition"]), rel=1e-12)


def test_ucb1_and_finite_boke_are_their_formulas() -> None:
    for seed in range(4):
        data = history(PULLS, seed)
        y, pulls, t = np.asarray(data.y[:11]), np.array(PULLS), len(PULLS)
        ucb = [y[pulls == a].mean() + np.sqrt(2 * np.log(t) / (pulls == a).sum()) for a in range(4)]
        _, _, info = STEP(FINITE_SET["ucb1"](jnp.asarray(ARMS)), data)
        assert (int(info["arm"]), float(info["acquisition"])) == (int(np.argmax(ucb)), pytest.approx(max(ucb)))
        w = np.maximum(1 - ((ARMS[:, None] - ARMS[pulls][None]) ** 2).sum(-1) / 0.5**2, 0)
        scores = w @ y / w.sum(1) + np.sqrt(4 * 0.3**2 * np.log(t) / w.sum(1))
        boke = FINITE_SET["finite_boke"](jnp.asarray(ARMS), bandwidth=0.5, noise_scale=0.3)
        _, _, info = STEP(boke, data)
        assert (int(info["arm"]), float(info["acquisition"])) == (int(np.argmax(scores)), pytest.approx(max(scores)))


@pytest.mark.parametrize("name", ["ucb1", "finite_boke"])
def test_untried_arms_come_first_in_order(name: str) -> None:
    options = {"bandwidth": 0.01, "noise_scale": 0.1} if name == "finite_boke" else {}
    policy = FINITE_SET[name](jnp.asarray(ARMS), **options)
    for pulls, expected in (([3], 0), ([3, 0], 1), ([0, 1, 3], 2)):
        _, _, info = STEP(policy, history(pulls, 0))
        assert int(info["arm"]) == expected
        assert float(info["acquisition"]) == np.inf


# --- recommendations ------------------------------------------------------------


def test_the_recommended_point_has_the_largest_surrogate_value() -> None:
    w = gaussian_weights(X, 0.3 * SCOTT)
    regression = w @ Y / w.sum(1)
    policy = make("boke", 2, bandwidth=0.3)
    np.testing.assert_allclose(policy.surrogate((), OBSERVATIONS)[:9], regression, rtol=1e-12)
    np.testing.assert_array_equal(policy.recommend((), OBSERVATIONS), X[np.argmax(regression)])
    np.testing.assert_array_equal(make("random_search", 2).recommend((), OBSERVATIONS), X[np.argmax(Y)])
    gp = GaussianProcessRegressor(RBF(0.2), alpha=0.01 + JITTER, optimizer=None).fit(X, Z)
    smooth = make("gp_ucb", 2, lengthscale=0.2, noise_scale=0.1)
    np.testing.assert_array_equal(smooth.recommend((), OBSERVATIONS), X[np.argmax(gp.predict(X))])

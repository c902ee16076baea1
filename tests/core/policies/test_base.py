"""The point that a policy recommends has the largest surrogate value."""

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from core.models.gaussian_process import JITTER
from core.policies import make
from tests.core.policies.dense_grid import OBSERVATIONS, SCOTT, X, Y, Z, gaussian_weights


def test_the_recommended_point_has_the_largest_surrogate_value() -> None:
    w = gaussian_weights(X, 0.3 * SCOTT)
    regression = w @ Y / w.sum(1)
    policy = make("boke", 2, bandwidth=0.3, rule="scott_box")
    np.testing.assert_allclose(policy.surrogate((), OBSERVATIONS)[:9], regression, rtol=1e-12)
    np.testing.assert_array_equal(policy.recommend((), OBSERVATIONS), X[np.argmax(regression)])
    np.testing.assert_array_equal(make("random_search", 2).recommend((), OBSERVATIONS), X[np.argmax(Y)])
    gp = GaussianProcessRegressor(RBF(0.2), alpha=0.01 + JITTER, optimizer=None).fit(X, Z)
    smooth = make("gp_ucb", 2, lengthscale=0.2, noise_scale=0.1)
    np.testing.assert_array_equal(smooth.recommend((), OBSERVATIONS), X[np.argmax(gp.predict(X))])

"""The posteriors of the checks agree with each other and with `core`."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from core.acquisition.corrected_ei import corrected_standard_deviation, log_corrected_expected_improvement
from core.models.gaussian_process import JITTER, GaussianProcess
from core.models.kernels import STATIONARY as CORE_KERNELS
from theory_checks.cei.testbeds import normal, posteriors

DATA = [0.0, 0.7, -0.9], [0.4, -1.0, 0.3], [0.04, 0.25, 0.01]


@jax.jit
def _core_values(x):
    data, y, noise = (jnp.asarray(values) for values in DATA)
    process = GaussianProcess.fit(data[:, None], y, CORE_KERNELS["matern52"], jnp.asarray([0.8]), 1.0, noise)
    both = x, process, jnp.asarray([0.7])
    return process.mean(x), corrected_standard_deviation(*both), log_corrected_expected_improvement(*both)


@pytest.mark.parametrize("kernel", sorted(posteriors.STATIONARY))
def test_posteriors_agree_with_each_other_and_with_core(kernel):
    data, y, noise, x = *DATA, 0.31
    points = np.array([*data, x])[:, None]
    finite = posteriors.condition(posteriors.gram(kernel, points, points, 0.8), [0, 1, 2], y, np.add(noise, JITTER))
    pair = posteriors.decimal_pair(kernel, 0.8, x, 0.7, data, y, np.add(noise, JITTER))
    assert float(pair.mean[0]) == pytest.approx(finite.mean[3], rel=1e-12)
    assert float(pair.variance[0]) == pytest.approx(finite.covariance[3, 3], rel=1e-11)
    assert float(pair.covariance) == pytest.approx(finite.covariance[3, 1], rel=1e-10)
    deviation = float(pair.difference[1])
    assert deviation == pytest.approx(finite.difference_deviation(1)[3], rel=1e-10)
    if kernel == "matern52":
        mean, core_deviation, core_logarithm = (float(value) for value in _core_values(jnp.asarray([x])))
        logarithm = float(normal.log_corrected_ei(float(pair.difference[0]), deviation))
        assert (mean, core_deviation) == pytest.approx((float(pair.mean[0]), deviation), rel=1e-10)
        assert core_logarithm == pytest.approx(logarithm, rel=1e-9)

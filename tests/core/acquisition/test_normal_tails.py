"""τ, Φ and their logarithms against quadrature, scipy and identities, far into the tail."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, special

from core.acquisition.normal_tails import log_ndtr, log_tau, ndtr, tau

POINTS = np.concatenate([-np.logspace(-3, 8, 60), [-12.0, -11.999999, -40.0, 0.0], np.logspace(-3, 2, 20)])


@functools.lru_cache
def compiled() -> dict[str, tuple]:
    functions = {"tau": tau, "log_tau": log_tau, "ndtr": ndtr, "log_ndtr": log_ndtr}
    return {
        name: (
            jax.jit(jax.vmap(function)),
            jax.jit(jax.vmap(jax.grad(function))),
            jax.jit(jax.grad(jax.grad(function))),
        )
        for name, function in functions.items()
    }


def scaled_moment(z: float, power: int) -> float:
    """``t^(power+1) int_0^inf s^power exp(-s^2/2 - s t) ds`` with ``t = -z``, as an integral over ``u = s t``."""
    value, error = integrate.quad(lambda u: u**power * np.exp(-u - 0.5 * (u / z) ** 2), 0, 60, epsabs=0, epsrel=1e-13)
    assert error < 1e-12 * value
    return float(value)


def oracle(z: float) -> tuple[float, float]:
    """``log Phi(z)`` and ``log tau(z) = log E max(Z + z, 0)`` by quadrature."""
    if z >= -1:
        probability = special.ndtr(z)
        value = sum(
            integrate.quad(lambda s: s * np.exp(-0.5 * (s - z) ** 2) / np.sqrt(2 * np.pi), *part, epsrel=1e-13)[0]
            for part in ((0, max(z, 1)), (max(z, 1), max(z, 1) + 12))
        )
        return float(np.log(probability)), float(np.log(value))
    log_density = -0.5 * z**2 - 0.5 * np.log(2 * np.pi)
    t = -z
    return (
        log_density + np.log(scaled_moment(z, 0)) - np.log(t),
        log_density + np.log(scaled_moment(z, 1)) - 2 * np.log(t),
    )


def test_values_against_quadrature() -> None:
    log_probability, log_improvement = np.array([oracle(z) for z in POINTS]).T
    functions = compiled()
    np.testing.assert_allclose(functions["log_ndtr"][0](POINTS), log_probability, rtol=1e-12, atol=1e-11)
    np.testing.assert_allclose(functions["log_tau"][0](POINTS), log_improvement, rtol=1e-12, atol=1e-10)
    np.testing.assert_allclose(functions["ndtr"][0](POINTS), np.exp(log_probability), rtol=1e-10)
    np.testing.assert_allclose(functions["tau"][0](POINTS), np.exp(log_improvement), rtol=1e-10)


def test_slopes_against_quadrature() -> None:
    # (log tau)' = Phi / tau and (log Phi)' = phi / Phi, the ratios taken between the scaled integrals.
    for z in POINTS[POINTS < -1]:
        zeroth, first = scaled_moment(z, 0), scaled_moment(z, 1)
        improvement, probability = (float(compiled()[name][1](jnp.array([z]))[0]) for name in ("log_tau", "log_ndtr"))
        assert improvement == pytest.approx(-z * zeroth / first, rel=1e-10)
        assert probability == pytest.approx(-z / zeroth, rel=1e-11)
    above = POINTS[POINTS >= -1]
    density = np.exp(-0.5 * above**2) / np.sqrt(2 * np.pi)
    probability = special.ndtr(above)
    expected = {
        "tau": probability,
        "log_tau": probability / (above * probability + density),
        "ndtr": density,
        "log_ndtr": density / probability,
    }
    for name, slope in expected.items():
        np.testing.assert_allclose(compiled()[name][1](above), slope, rtol=1e-10)


@pytest.mark.parametrize("name", ["log_tau", "log_ndtr", "tau", "ndtr"])
def test_second_derivatives_match_differences_of_the_slopes(name: str) -> None:
    _, slope, curvature = compiled()[name]
    for z in (-39.0, -13.0, -11.0, -3.0, -0.4, 0.6, 2.5):
        step = 1e-4 * max(1.0, abs(z))
        low, high = slope(jnp.array([z - step, z + step]))
        assert float(curvature(z)) == pytest.approx(float(high - low) / (2 * step), rel=1e-4, abs=1e-9)


@given(z=st.floats(-1e6, 1e6))
def test_identities(z: float) -> None:
    functions = compiled()
    values = np.asarray(functions["tau"][0](jnp.array([z, -z])))
    assert values[0] - values[1] == pytest.approx(z, abs=1e-9 * max(1.0, abs(z)))  # z = tau(z) - tau(-z)
    total = np.asarray(functions["ndtr"][0](jnp.array([z, -z]))).sum()
    assert total == pytest.approx(1.0, abs=1e-14)
    finite = [float(functions[name][part](jnp.array([z]))[0]) for name in ("log_tau", "log_ndtr") for part in (0, 1)]
    assert np.isfinite(finite).all()
    assert finite[1] > 0  # log tau grows strictly, everywhere

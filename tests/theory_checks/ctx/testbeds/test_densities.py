"""Errors of density estimates against simulation and quadrature."""

import math

import jax.numpy as jnp
import numpy as np
import pytest
from scipy import integrate
from scipy.special import ndtr
from scipy.stats import norm

from core.models import context_density
from theory_checks.ctx.testbeds import densities


@pytest.mark.parametrize("dim", [1, 2])
def test_exact_error_of_a_mixture_matches_simulation_and_obeys_its_bound(dim):
    mixture, h, rng = densities.BIMODAL[dim], np.full(dim, 0.4), np.random.default_rng(0)
    errors = [mixture.integrated_squared_error(mixture.sample(rng, 40), h) for _ in range(400)]
    exact = mixture.mise(40, h)
    assert abs(np.mean(errors) - exact) < 4 * np.std(errors) / math.sqrt(400)
    assert exact <= mixture.lemma1(40, h)


def test_squared_error_and_curvature_match_quadrature():
    mixture = densities.NormalMixture(np.array([0.3, 0.7]), np.array([[-0.5], [0.8]]), np.array([[0.4], [0.6]]))
    contexts, h = np.array([[-0.2], [0.1], [1.3]]), np.array([0.35])
    grid = np.linspace(-6, 6, 12001)
    p = sum(w * norm.pdf(grid, m[0], s[0]) for w, m, s in zip(*vars(mixture).values(), strict=True))
    estimate = norm.pdf(grid[:, None], contexts[:, 0], h[0]).mean(1)
    assert mixture.integrated_squared_error(contexts, h) == pytest.approx(np.trapezoid((estimate - p) ** 2, grid))
    second = np.gradient(np.gradient(p, grid), grid)
    expected = 1 / (2 * math.sqrt(math.pi) * 0.35 * 50) + 0.35**4 / 4 * np.trapezoid(second**2, grid)
    assert mixture.lemma1(50, h) == pytest.approx(expected, rel=1e-4)


def test_error_of_uniform_contexts_matches_adaptive_quadrature():
    h, count = 0.07, 30.0

    def integrand(c):
        mean = ndtr((1 - c) / h) - ndtr(-c / h)
        root2 = math.sqrt(2)
        square = (ndtr(root2 * (1 - c) / h) - ndtr(-root2 * c / h)) / (2 * math.sqrt(math.pi) * h)
        return (mean - 1) ** 2 + (square - mean**2) / count

    assert densities.UNIFORM.mise(count, h) == pytest.approx(integrate.quad(integrand, 0, 1, points=[0.1, 0.9])[0])
    assert densities.UNIFORM.lost_mass(h) == pytest.approx(densities.uniform_lost_mass(h), rel=1e-10)


def test_burr_density_integrates_to_one():
    assert integrate.quad(lambda c: float(densities.BURR.value(np.asarray(c))), 0, 1)[0] == pytest.approx(1)


def test_rule_of_thumb_is_that_of_core():
    contexts = np.random.default_rng(1).normal(size=(17, 3)) * [1, 2, 3]
    assert np.allclose(densities.rule_of_thumb(contexts), context_density.rule_of_thumb(jnp.asarray(contexts)))

"""EI and corrected EI with a white noise kernel, by the general posterior."""

import numpy as np
import pytest
from scipy import stats

from theory_checks.cei import white_noise
from theory_checks.cei.testbeds.normal import corrected_ei
from theory_checks.cei.testbeds.posteriors import FinitePosterior
from theory_checks.ledger import Evidence, Verdict


@pytest.mark.parametrize("corrected", [False, True])
def test_acquisitions_are_those_of_the_posterior(corrected):
    y, noise = [0.3, 2.0, 1.4], [0.5, 1.0, 0.2]
    posterior = FinitePosterior.prior(np.eye(4))
    for i, (value, deviation) in enumerate(zip(y, noise, strict=True)):
        posterior.observe(i, value, deviation**2)
    best = int(np.argmax(posterior.mean[:3]))
    assert best == 2
    spread = posterior.difference_deviation(best) if corrected else np.sqrt(posterior.variance())
    expected = corrected_ei(posterior.mean - posterior.mean[best], spread)
    observed, elsewhere = white_noise.acquisitions({"y": y, "noise": noise, "corrected": corrected})
    np.testing.assert_allclose([*observed, elsewhere], expected, atol=1e-12)


def test_one_good_observation_is_repeated_by_ei():
    observed, elsewhere = white_noise.acquisitions({"y": [3.0], "noise": [1.0], "corrected": False})
    assert observed[0] == pytest.approx(stats.norm.pdf(0) / 2**0.5)
    assert elsewhere == pytest.approx(stats.norm.pdf(1.5) - 1.5 * stats.norm.sf(1.5))
    assert observed[0] > 9 * elsewhere


@pytest.mark.parametrize(
    ("without", "with_noise", "verdict"),
    [
        ("supported", "refuted", "depends"),
        ("refuted", "refuted", "refuted"),
        ("supported", "supported", "supported"),
    ],
)
def test_a_verdict_needs_designs_without_and_with_noise(monkeypatch, without, with_noise, verdict):
    def found(scale, largest_noise):
        return Evidence(Verdict(with_noise if largest_noise else without), "It is so.")

    monkeypatch.setattr(white_noise, "attack", found)
    assert white_noise.white_noise_kernel("smoke").verdict == verdict

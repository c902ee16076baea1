"""The estimate on pseudo-data, and its sample paths."""

import math

import numpy as np
import pytest

from experiments.uhe import consistency as study
from theory_checks import study_results
from theory_checks.ledger import load
from theory_checks.uhe import (
    pseudo_estimate,
)


@pytest.mark.parametrize(
    ("pseudo", "iid", "verdict"), [(3.0, 0.1, "refuted"), (0.1, 0.1, "undecided"), (3.0, 3.0, "undecided")]
)
def test_pseudo_data_estimate_is_judged_by_how_often_it_is_off(monkeypatch, pseudo, iid, verdict):
    def errors(count, seed):
        return {
            which: {"noise": size, "lengthscale": -size, "microergodic": 5 * size}
            for which, size in (("pseudo", pseudo), ("iid", iid))
        }

    monkeypatch.setattr(pseudo_estimate, "log_errors", errors)
    monkeypatch.setattr(study_results, "results", lambda study, scale: [])
    assert load()["uhe.prop6_4_2"]("smoke").verdict == verdict


def test_sampled_paths_have_the_covariance():
    x = np.array([0.1, 0.25, 0.6])
    rng = np.random.default_rng(8)
    paths = np.stack([pseudo_estimate.sample_path(rng, x) for _ in range(3000)])
    expected = study.PROFILES["matern52"]((x[:, None] - x) ** 2 / 0.04)[0]
    assert np.abs(paths.T @ paths / 3000 - expected).max() < 4 * math.sqrt(2 / 3000)

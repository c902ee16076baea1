"""The crossed settings: the runs, the stored arrays, and seeds that the default does not share."""

import jax.numpy as jnp
import numpy as np
import pytest

from core import policies
from core.designs import seed_keys
from core.simulate import simulate
from experiments import problems
from experiments.boke import settings
from experiments.boke.regret_constants import CALIBRATED
from experiments.engine.registry import STUDIES
from experiments.engine.scale import SCALES
from experiments.engine.study import Cell


def test_the_calibrated_setting_comes_first():
    assert settings.CONTENDERS[0] == CALIBRATED


@pytest.mark.parametrize("scale", SCALES)
def test_no_other_study_of_the_papers_methods_has_the_seeds(scale):
    ours = {seed for cell in settings.STUDY.cells(scale) for seed in cell.seeds}
    others = {
        seed
        for name, study in STUDIES.items()
        if name.startswith("boke.") and name != settings.STUDY.id
        for every in SCALES
        for cell in study.cells(every)
        for seed in cell.seeds
    }
    assert not ours & others
    assert not set(settings.SEEDS["quick"]) & set(settings.SEEDS["paper"])


def test_what_is_stored():
    chosen = [{"rule": "scott", "bandwidth": 0.5}, {"initial_size": "5 d", "candidates": 8}]
    options = {"problem": "forrester", "noisy": False, "noise_fraction": 0.0, "budget": 9, "settings": chosen}
    arrays = settings.run(Cell("forrester", "boke", (4, 7), options))
    assert arrays["setting"].tolist() == ["rule = scott, bandwidth = 0.5", "initial_size = 5 d, candidates = 8"]
    assert {key: value.shape for key, value in arrays.items() if key != "setting"} == dict.fromkeys(
        ("final_regret", "half_regret", "mean_log10_regret", "objective", "spread"), (2, 2)
    )
    problem = problems.get("forrester").with_relative_noise(jnp.asarray(0.0))
    policy = policies.make("boke", 1, rule="scott", bandwidth=0.5)
    value = np.asarray(simulate(policy, problem, seed_keys((4, 7)), 9, initial_size=5).value)
    regret = (problem.optimum - np.maximum.accumulate(value, axis=1)) / problem.range
    np.testing.assert_allclose(arrays["final_regret"][0], regret[:, -1], rtol=1e-12)
    np.testing.assert_allclose(arrays["half_regret"][0], regret[:, 6], rtol=1e-12)  # 5 + 2 of 5 + 4
    least = float(problem.optimum - problem.range)
    np.testing.assert_allclose(arrays["objective"][0], (value[:, 5:].mean(axis=1) - least) / problem.range, rtol=1e-9)

"""Made-up results of the studies beyond the papers."""

import numpy as np

from experiments.common.policies import POLICIES
from paper_figures.load import StudyResults
from tests.paper_figures.made_up import Studies, made_up, regret_curves, results_of


def all_policies() -> StudyResults:
    """Every method on two problems, exact and noisy, in two blocks of seeds; later methods are a little worse."""
    rng = np.random.default_rng(5)
    results = []
    for size, problem in ((5, "branin"), (9, "rosenbrock4")):
        for seeds in ((0, 1, 2), (3, 4, 5)):
            start = 10.0 * size * rng.uniform(0.5, 1.5, size=(len(seeds), 1, size))
            start = np.minimum.accumulate(start, axis=-1)
            for rank, policy in enumerate(POLICIES["paper"]):
                left = np.stack([regret_curves(rng, len(seeds), 12, 0.5 / (1 + rank / 4)) for _ in range(2)], axis=1)
                regret = np.concatenate([start.repeat(2, axis=1), start[..., -1:] * np.minimum(left, 1.0)], axis=-1)
                arrays = {
                    "simple_regret": regret.astype(np.float32), "noise_fraction": [0.0, 0.05], "initial_size": size,
                    "seconds_per_proposal": [1e-3 * (1 + rank)], "range": 300.0,
                    "step": np.full((len(seeds), 2), [0.1 * (1 + rank), 0.01 * (1 + rank)]),
                }  # fmt: skip
                results.append(made_up("common.policies", problem, policy, seeds, {}, **arrays))
    return results_of("common.policies", results)


STUDIES: Studies = {"common.policies": all_policies}

"""Runs of UHE-BO and its peers with numbers that follow by hand."""

import numpy as np

from experiments.engine.result_file import Result
from theory_checks.readings.uhe import runs

FIRST, STEPS = 5, 12
ALL = (runs.OURS, *runs.PEERS)


def result(problem, policy, final, study=runs.FIGURE, arm="rate", seeds=range(20), mse=0.2, start=0.4, half=None):
    """Regrets 40 of a range of 100 after the initial data, `final` of it after all, `half` after half; 1 % of noise."""
    noise = np.exp(0.01 * np.random.default_rng(sum(map(ord, problem + policy))).standard_normal((len(seeds), 1)))
    regret = np.full((len(seeds), FIRST + STEPS), start)
    regret[:, FIRST:] = final if half is None else half
    regret[:, -1] = final
    arrays = {
        "simple_regret": 100.0 * regret * noise, "range": np.asarray(100.0), "initial_size": np.asarray(FIRST),
        "mse": 3.0 * mse * noise * np.ones(4), "truth_variance": np.asarray(3.0),
        "info_random_probability": np.full((len(seeds), STEPS), 0.5) * noise,
    }  # fmt: skip
    config = {"study": study, "problem": problem, "policy": policy, "seeds": list(seeds), "options": {"arm": arm}}
    return Result(config, arrays, {})


def figure(problems=runs.PROBLEMS, methods=ALL, study=runs.FIGURE, **finals):
    return [result(p, m, finals.get(m, 0.2), study) for p in problems for m in methods]

"""The paragraph of docs/policy_evidence.md follows from the results, and is absent without results."""

from pathlib import Path

import numpy as np

from experiments.common.policies import POLICIES
from experiments.engine.result_file import Result, encode
from paper_figures.common.practice import paragraph
from paper_figures.load import StudyResults


def put(root: Path, results: StudyResults) -> None:
    """The results as files of the reference."""
    folder = root / "reference" / results.study / "quick"
    folder.mkdir(parents=True)
    for index, result in enumerate(results.results):
        (folder / f"{index}.npz").write_bytes(encode(result.config, result.arrays, result.metadata))


def test_no_results_yet(tmp_path: Path):
    assert paragraph(tmp_path).endswith("no results yet.")


def test_the_paragraph_follows_the_results(tmp_path: Path, study_results):
    """PI made perfect: it leads at both noise levels, told apart from all others."""
    data = study_results("common.policies")

    def perfect(result: Result) -> Result:
        if result.config["policy"] != "pi":
            return result
        regret = np.array(result.arrays["simple_regret"])
        regret[..., int(result.arrays["initial_size"]) :] *= 1e-9
        return Result(result.config, {**result.arrays, "simple_regret": regret}, result.metadata)

    put(tmp_path, StudyResults("common.policies", "quick", "quick", "reference", tuple(map(perfect, data.results))))
    text = paragraph(tmp_path)
    assert "\n- With exact observations PI leaves least (" in text
    assert "\n- Under noise of 5 % of the range PI leaves least (" in text
    assert text.count("told apart from all others at 95 %") == 2
    assert "6 seeds and 12 proposals a run" in text
    assert "scale quick" in text
    assert "1 ms (BOKE) to" in text


def test_who_is_behind_random_search_is_named(tmp_path: Path, study_results):
    """EI made useless under noise: it stays at twice the regret of its initial design, and nobody else is named."""
    data = study_results("common.policies")

    def useless(result: Result) -> Result:
        regret = np.array(result.arrays["simple_regret"])
        initial = int(result.arrays["initial_size"])
        if result.config["policy"] == "ei":
            regret[:, 1, initial:] = 2.0 * regret[:, 1, initial - 1 : initial]
        elif result.config["policy"] != "random_search":
            regret[..., initial:] = 1e-3 * regret[..., initial - 1 : initial]
        return Result(result.config, {**result.arrays, "simple_regret": regret}, result.metadata)

    put(tmp_path, StudyResults("common.policies", "quick", "quick", "reference", tuple(map(useless, data.results))))
    exact, noisy = (line for line in paragraph(tmp_path).splitlines() if "leaves least" in line)
    assert "Behind random search" not in exact
    assert "Behind random search at 95 %: EI (" in noisy
    assert noisy.count("(", noisy.index("Behind")) == 1
    ranks = {name: 0.01 * (1 + POLICIES["paper"].index(name)) for name in ("ei", "random_search")}
    assert f"distance of their proposals from their best observation is {ranks['ei']:.2g}, " in noisy
    assert noisy.endswith(f"random search has {ranks['random_search']:.2g}.")

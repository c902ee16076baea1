"""Made-up results of `uhe.consistency`, with the arrays that it promises."""

import numpy as np

from experiments.engine.store import Result
from experiments.uhe.consistency import cells, truth
from paper_figures.load import StudyResults


def results(made_up, results_of) -> StudyResults:  # type: ignore[no-untyped-def]
    """One estimate closes on the truth with n, the other leaves it."""
    rng, found = np.random.default_rng(12), list[Result]()
    for cell in cells("quick"):
        count, dim = cell.options["n"], cell.options["dim"]
        noise = rng.standard_normal((len(cell.seeds), dim + 2))
        found.append(
            made_up(
                cell.study, cell.problem, "", cell.seeds, dict(cell.options), truth=truth(dim),
                iid=truth(dim) * np.exp(noise * 3 / np.sqrt(count)),
                pseudo=truth(dim) * np.exp(0.3 * noise) * (count / 25) ** -0.5,
            )
        )  # fmt: skip
    return results_of("uhe.consistency", found)

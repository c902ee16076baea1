"""Results of every study for the tests of figures: made up, or else the committed results."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from experiments.engine import registry
from experiments.engine.slim import Kept, slimmed, widened
from paper_figures.load import StudyResults, load
from tests.paper_figures import boke_results, cei_results, common_results, ctx_results, tuning_results, uhe_results
from tests.paper_figures.made_up import Studies

STUDIES: Studies = {
    **boke_results.STUDIES,
    **cei_results.STUDIES,
    **ctx_results.STUDIES,
    **uhe_results.STUDIES,
    **tuning_results.STUDIES,
    **common_results.STUDIES,
}


def _keep(study: str) -> Kept:
    return registry.STUDIES[study].keep if study in registry.STUDIES else Kept()


def _as_kept(whole: StudyResults) -> StudyResults:
    return replace(whole, results=tuple(widened(slimmed(one, _keep(whole.study))) for one in whole.results))


@pytest.fixture(scope="session")
def study_results() -> Callable[[str], StudyResults]:
    """`study_results("boke.fig6")`: a study's made-up results as `keep` leaves and `load` reads them, made once; the
    committed results of a study without made-up ones."""
    made: dict[str, StudyResults] = {}

    def get(study: str) -> StudyResults:
        if study not in made:
            made[study] = _as_kept(STUDIES[study]()) if study in STUDIES else load(study, local=False)
        return made[study]

    return get


@pytest.fixture(scope="session")
def unexplored_results() -> StudyResults:
    """Figure 4 where part of the line has no data in reach of the kernel."""
    return boke_results.picture_study("boke.fig4", ("boke",), 1, unexplored=True)

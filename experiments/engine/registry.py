"""Every study of every paper, and every study beyond the papers, found by a search of the packages.

A module `experiments/<paper>/<name>.py` that defines a `STUDY` is registered by its presence.
"""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from experiments.engine.names import split_names, unknown
from experiments.engine.protocol import planned, read
from experiments.engine.study import Study
from experiments.groups import GROUPS
from experiments.papers import BY_LETTER

PACKAGES = tuple(f"experiments.{paper.key}" for paper in GROUPS)


def discover(packages: Sequence[str] = PACKAGES) -> dict[str, Study]:
    """The studies in the modules of `packages`, by id, in the order of the packages and, within one, of the ids.

    Modules without a `STUDY` of their own are helpers and are passed over.
    """
    studies: dict[str, Study] = {}
    for package in packages:
        found = []
        for info in pkgutil.iter_modules(importlib.import_module(package).__path__):
            name = f"{package}.{info.name}"
            study = getattr(importlib.import_module(name), "STUDY", None)
            if isinstance(study, Study) and study.module == name:
                found.append(study)
        for study in sorted(found, key=lambda study: study.id):
            if study.id in studies:
                raise ValueError(f"two studies are called {study.id!r}: {studies[study.id].module} and {study.module}")
            studies[study.id] = study
    return studies


class _Discovered(Mapping[str, Study]):
    """The studies of all papers, found at first use: their modules load JAX, which the store does not need.

    At scale paper they have the cells of the protocol.
    """

    @cached_property
    def _studies(self) -> dict[str, Study]:
        return {name: planned(study, read()) for name, study in discover().items()}

    def __getitem__(self, key: str) -> Study:
        return self._studies[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._studies)

    def __len__(self) -> int:
        return len(self._studies)


STUDIES: Mapping[str, Study] = _Discovered()


def select(only: str | None = None, studies: Mapping[str, Study] | None = None) -> list[Study]:
    """The studies that `only` names: "boke.fig6" one, "fig6" every paper's, "boke" or "A" all of a paper, "" all.

    Studies that are not `default` are chosen by their own names only. Commas separate several names. Raises KeyError,
    naming the near ones, when a name matches nothing.
    """
    studies = STUDIES if studies is None else studies
    names = split_names(only)
    if not names:
        return [study for study in studies.values() if study.default]
    for name in names:
        if not any(matches(study, name) for study in studies.values()):
            raise KeyError(unknown("study", name, aliases(studies)))
    return [study for study in studies.values() if any(matches(study, name) for name in names)]


def aliases(studies: Mapping[str, Study]) -> set[str]:
    """Every name by which `select` knows a study."""
    return {alias for study in studies.values() for alias in (study.id, study.name, study.paper)} | set(BY_LETTER)


def matches(study: Study, name: str) -> bool:
    """True for a name of a study: its id, its name within the paper, or, for a default study, the paper."""
    of_paper = name == study.paper or (name in BY_LETTER and BY_LETTER[name].key == study.paper)
    return name in (study.id, study.name) or (study.default and of_paper)

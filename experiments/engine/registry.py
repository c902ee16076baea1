"""Every study of every paper, found by looking.

A module `experiments/<paper>/<name>.py` that defines a `STUDY` is registered by being there.
"""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from experiments.engine.names import unknown
from experiments.engine.study import Study

PAPERS = (
    "experiments.boke",
    "experiments.cei",
    "experiments.ctx",
    "experiments.uhe",
)  # one package a paper; a new paper is one entry more


def discover(packages: Sequence[str] = PAPERS) -> dict[str, Study]:
    """The studies in the modules of `packages`, by id, in the order of the packages and, within one, of the ids.

    Modules without a `STUDY` are helpers and are passed over.
    """
    studies: dict[str, Study] = {}
    for package in packages:
        found = []
        for info in pkgutil.iter_modules(importlib.import_module(package).__path__):
            name = f"{package}.{info.name}"
            study = getattr(importlib.import_module(name), "STUDY", None)
            if isinstance(study, Study):
                found.append(replace(study, module=name))
        for study in sorted(found, key=lambda study: study.id):
            if study.id in studies:
                raise ValueError(f"two studies are called {study.id!r}: {studies[study.id].module} and {study.module}")
            studies[study.id] = study
    return studies


class _Discovered(Mapping[str, Study]):
    """The studies of all papers, looked for when first asked (their modules load JAX, the store alone need not)."""

    @cached_property
    def _studies(self) -> dict[str, Study]:
        return discover()

    def __getitem__(self, key: str) -> Study:
        return self._studies[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._studies)

    def __len__(self) -> int:
        return len(self._studies)


STUDIES: Mapping[str, Study] = _Discovered()


def select(only: str | None = None, studies: Mapping[str, Study] | None = None) -> list[Study]:
    """The studies that `only` names: "boke.fig6" one, "fig6" every paper's, "boke" all of a paper, none or "" all.

    Studies that are not `default` are chosen by their own names only. Several names may be given, with commas. Raises
    KeyError, naming the near ones, when a name matches nothing.
    """
    studies = STUDIES if studies is None else studies
    names = [name.strip() for name in (only or "").split(",") if name.strip()]
    if not names:
        return [study for study in studies.values() if study.default]
    for name in names:
        if not any(_matches(study, name) for study in studies.values()):
            known = {alias for study in studies.values() for alias in (study.id, study.paper, _short(study))}
            raise KeyError(unknown("study", name, known))
    return [study for study in studies.values() if any(_matches(study, name) for name in names)]


def _short(study: Study) -> str:
    return study.id.split(".", 1)[-1]


def _matches(study: Study, name: str) -> bool:
    return name in (study.id, _short(study)) or (study.default and name == study.paper)

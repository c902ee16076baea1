"""Stored results for a figure: local ones where they are complete, the committed reference otherwise.

A figure drawn at scale S shows, in this order of preference (cells that it does not draw do not count),

1. the local results of scale S, when every cell of the study is there;
2. the reference results of the largest scale above S of which every cell is there, or another block of its seeds, so
   that no curve is missing;
3. the reference results of scale S;
4. the reference results of the largest scale stored.

The footer of the figure names the results shown.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.data import skipped
from experiments.engine.protocol import SCALE, read
from experiments.engine.registry import STUDIES
from experiments.engine.scale import SCALES
from experiments.engine.slim import widened
from experiments.engine.standing import OLDER, in_words, of_result
from experiments.engine.store import ROOT, Result, Store, local_of
from experiments.engine.study import Cell, Study
from paper_figures.style import method_label, method_order


class MissingResults(LookupError):
    """There are no complete results of a study, neither local nor reference."""


@dataclass(frozen=True)
class StudyResults:
    """All results of one study at one scale, from one place ("local" or "reference")."""

    study: str
    scale: str
    requested: str
    source: str
    results: tuple[Result, ...]
    missing: int = 0
    """The number of cells that the study lists now and the figure shows, and that these results lack."""
    standing: str = ""
    """The relation of the results to today's code; see `experiments.engine.standing`."""

    def problems(self) -> list[str]:
        """Problems present, in stored order."""
        return list(dict.fromkeys(result.config["problem"] for result in self.results))

    def policies(self, problem: str | None = None) -> list[str]:
        """Policies present (for one problem), in stored order."""
        return list(dict.fromkeys(result.config["policy"] for result in self.select(problem=problem)))

    def select(self, **match: Any) -> list[Result]:
        """The results whose configuration, or options, hold the given values; None matches anything.

        Blocks of seeds of one cell come in the order of their seeds.
        """
        chosen = [result for result in self.results if _matches(result.config, match)]
        return sorted(chosen, key=lambda result: (result.config["problem"], tuple(result.config["seeds"])))

    def array(self, name: str, **match: Any) -> np.ndarray:
        """Array `name` of the matching results, with seed blocks stacked along axis 0. Raises KeyError where there is
        none."""
        return self.made(lambda arrays: arrays[name], **match)

    def made(self, make: Callable[[Mapping[str, np.ndarray]], np.ndarray], **match: Any) -> np.ndarray:
        """The values of `make` on the arrays of each matching result, stacked as by :meth:`array`."""
        chosen = self.select(**match)
        if not chosen:
            raise KeyError(f"{self.study}: no results for {match}")
        blocks = [np.asarray(make(result.arrays)) for result in chosen]
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks, axis=0)

    def common(self, name: str, **match: Any) -> np.ndarray:
        """Array `name` that all matching results share (a grid, the size of the initial design)."""
        chosen = self.select(**match)
        if not chosen:
            raise KeyError(f"{self.study}: no results for {match}")
        first = np.asarray(chosen[0].arrays[name])
        if any(not np.array_equal(first, np.asarray(result.arrays[name]), equal_nan=True) for result in chosen[1:]):
            raise ValueError(f"{self.study}: {name} differs between the results for {match}")
        return first

    def seed_count(self) -> int:
        """Number of distinct seeds."""
        return len(self._seeds())

    def commits(self) -> list[str]:
        """Distinct git commits (short) of the results, in stored order."""
        return list(dict.fromkeys(short_commit(result.metadata.get("commit")) for result in self.results))

    def seeds(self, first: bool = False, **match: Any) -> str:
        """The number of seeds of the matching results: "10 seeds", or "8–30 seeds" where the numbers differ.

        With `first`, for pictures of one run: "first of 10 seeds".
        """
        number = _seed_range(self.select(**match))
        if first and number not in ("0", "1"):
            return f"first of {number} seeds"
        return f"{number} seed{'s' * (number != '1')}"

    def unequal_seeds(self, **match: Any) -> str:
        """The methods by their number of seeds, "Seeds: 280 (EI), 15–30 (PI; NEI)"; "" where all have the same
        number."""
        by_method: dict[str, list[Result]] = {}
        for result in self.select(**match):
            by_method.setdefault(result.config["policy"], []).append(result)
        groups: dict[str, list[str]] = {}
        for method in method_order(by_method):
            groups.setdefault(_seed_range(by_method[method]), []).append(method_label(method))
        if len(groups) < 2:
            return ""
        return "Seeds: " + ", ".join(f"{count} ({'; '.join(names)})" for count, names in groups.items())

    @property
    def lacking(self) -> str:
        """ "fresh seeds await runs" where results of earlier seeds stand for those of the protocol; "3 cells missing";
        "" where nothing is missing."""
        piece = read().piece(self.study) if self.scale == SCALE else None
        if piece and min(self._seeds(), default=0) < read().first_of(piece):
            return "fresh seeds await runs"
        return f"{self.missing} cell{'s' * (self.missing != 1)} missing" if self.missing else ""

    def _seeds(self) -> set[int]:
        return {seed for result in self.results for seed in result.config["seeds"]}

    def provenance(self, first: bool = False, **match: Any) -> str:
        """Footer line: "scale quick · 10 seeds · commit abc1234 · reference · this program".

        `first` and `match` as in `seeds`.
        """
        commits = self.commits()
        commit = commits[0] if len(commits) == 1 else f"{commits[0]} and {len(commits) - 1} more"
        earlier = read().earlier(self.study, self._seeds()) if OLDER.words in self.standing else ""
        parts = [f"scale {self.scale}", self.seeds(first, **match), f"commit {commit}", self.source]
        return " · ".join([*parts, *filter(None, (self.standing, earlier, self.lacking))])


def _seed_range(results: Sequence[Result]) -> str:
    """The number of seeds of the results' cells: "30", or "8–30" where the numbers differ."""
    blocks: dict[str, set[int]] = {}
    for result in results:
        blocks.setdefault(_series(result.config), set()).update(result.config["seeds"])
    counts = sorted({len(seeds) for seeds in blocks.values()}) or [0]
    return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,}–{counts[-1]:,}"


def _matches(config: Mapping[str, Any], match: Mapping[str, Any]) -> bool:
    """True where a configuration, or its options, hold the given values; None matches anything."""
    values = {**config.get("options", {}), **config}
    return all(values.get(name) == value for name, value in match.items() if value is not None)


def short_commit(commit: str | None) -> str:
    """The first seven characters of a commit, marked where files had been changed; "unknown" where there is no
    commit."""
    if not commit:
        return "unknown"
    return commit.removesuffix("-dirty")[:7] + (" with changes" if commit.endswith("-dirty") else "")


def load(
    study: str,
    scale: str = "quick",
    root: Path = ROOT,
    studies: Mapping[str, Study] = STUDIES,
    local: bool = True,
    shows: Mapping[str, Any] | None = None,
) -> StudyResults:
    """Results of `study` (an id such as "boke.fig6") to show at `scale`, chosen as this module's docstring says.

    With `local` false only committed results count. `shows` holds the values of configurations or options of the cells
    that the figure draws; all cells by default.

    Raises `MissingResults` where there is nothing complete to draw.
    """
    here = Store(local_of(root), studies=studies)
    wanted = studies[study].cells(scale)
    if local and not here.missing(study, scale):
        results = here.results(study, scale)
        if len(results) == len(wanted):
            return StudyResults(
                study, scale, scale, "local", tuple(map(widened, results)), standing=_standing(results, studies)
            )
    reference = Store(root / "reference", studies=studies, any_code=True)
    others = [other for other in reversed(SCALES) if other != scale]
    above = [other for other in others if SCALES.index(other) > SCALES.index(scale)]
    undrawn: list[StudyResults] = []  # with results of the study, but without the results that the figure draws
    for candidate, whole in (*((other, True) for other in above), *((other, False) for other in (scale, *others))):
        results = reference.results(study, candidate)
        if results:
            cells, partial = studies[study].cells(candidate), bool(skipped(studies[study], candidate))
            shown, absent = _listed(results, cells, partial, shows or {})
            drawn = any(_matches(result.config, shows or {}) for result in shown)
            begun = {_series(result.config) for result in shown}
            found = StudyResults(
                study, candidate, scale, "reference", tuple(map(widened, shown)), len(absent), _standing(shown, studies)
            )
            if drawn and not (whole and any(_series(config) not in begun for config in absent)):
                return found
            undrawn += [] if drawn else [found]
    if undrawn:
        return undrawn[0]
    raise MissingResults(f"no results of {study}: run `make experiments SCALE={scale} ONLY={study}`")


def _standing(results: Sequence[Result], studies: Mapping[str, Study]) -> str:
    return in_words(of_result(result.config, result.metadata, studies) for result in results)


def _listed(
    results: Sequence[Result], cells: Sequence[Cell], partial: bool, shows: Mapping[str, Any]
) -> tuple[list[Result], list[dict[str, Any]]]:
    """The results that the study lists now, and the configurations shown that have no result; all results where no
    result is listed.

    Where the list is `partial`, because data are not on this machine, results on problems that it lacks are shown too,
    and none counts as missing where it names other problems only (stand-ins).
    A configuration stored more than once (by several versions of the code) counts once, the last file winning.
    Results that the study does not list come in its order of problems.
    """
    problems = {cell.problem: place for place, cell in reversed(list(enumerate(cells)))}
    by_problem = sorted(results, key=lambda result: problems.get(result.config["problem"], len(cells)))
    by_config = {_key(result.config): result for result in by_problem}
    configs = [cell.config() for cell in cells]
    listed = [by_config[key] for config in configs if (key := _key(config)) in by_config]
    absent = [config for config in configs if _matches(config, shows) and _key(config) not in by_config]
    if partial and listed:
        others = [result for result in by_config.values() if result.config["problem"] not in problems]
        return [*listed, *others], absent
    if partial and not listed:
        return list(by_config.values()), []
    return (listed or list(by_config.values())), absent


def _key(config: Mapping[str, Any]) -> str:
    return json.dumps(config, sort_keys=True)


def _series(config: Mapping[str, Any]) -> str:
    """The common part of the seed blocks of one cell."""
    return _key({name: value for name, value in config.items() if name != "seeds"})

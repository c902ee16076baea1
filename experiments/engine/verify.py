"""This machine's results against the reference, statistic by statistic, by the rules of `equivalence.py` beside it.

Results are matched by study, problem, method and options, and within them by seed, however the seeds are put into
blocks. Arrays that a reference leaves out by design (`slim.py` beside it) are not missed. Evidence on claims is
compared by its verdict, exactly, where it is on theory.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from experiments.engine import evidence
from experiments.engine.carry import only_cells
from experiments.engine.command_line import in_words
from experiments.engine.equivalence import Judgement, Word, judged, same_precision, statistics_of
from experiments.engine.result_file import UNREADABLE, Result
from experiments.engine.slim import slimmed
from experiments.engine.store import Store
from experiments.engine.study import Study

__all__ = ["Finding", "Verification", "sampled", "verify", "verify_claims"]

Key = tuple[str, str, str]
"""Problem, method and options of runs: the common part of their configurations except for the seeds."""


@dataclass(frozen=True)
class Finding:
    """One statistic of the runs of one problem and method: its name and its outcome."""

    study: str
    statistic: str
    kind: str
    runs: str
    judgement: Judgement


@dataclass(frozen=True)
class Verification:
    """All findings, and sentences on results without a counterpart."""

    findings: tuple[Finding, ...]
    alone: tuple[str, ...]

    def count(self, word: Word) -> int:
        """The number of statistics with this outcome."""
        return sum(finding.judgement.word == word for finding in self.findings)

    @property
    def status(self) -> int:
        """0: every judged statistic is reproduced; 1: a statistic deviates or is undecided; 2: there was nothing to
        judge."""
        return 2 if not self.findings else int(bool(self.count("deviates") + self.count("undecided")))

    def __add__(self, other: "Verification") -> "Verification":
        return Verification(self.findings + other.findings, self.alone + other.alone)


def verify(
    studies: Sequence[Study], scale: str, local: Store, reference: Store, cells: Collection[str] | None = None
) -> Verification:
    """Compares the results of studies at a scale.

    Args:
        studies: the compared studies.
        scale: the compared scale.
        local: results by the present code; unusable files are reported by the store and passed over.
        reference: the results on the other side, by any code.
        cells: digests of the cells to compare (all by default).
    """
    findings: list[Finding] = []
    alone: list[str] = []
    for study in studies:
        digests = {json.dumps(cell.config(), sort_keys=True): cell.digest for cell in study.cells(scale)}

        def chosen(results: Iterable[Result], digests: Mapping[str, str] = digests) -> list[Result]:
            return [one for one in results if cells is None or digests.get(_config(one)) in cells]

        ours, theirs = (_by_run(chosen(store.results(study, scale))) for store in (local, reference))
        for key in dict.fromkeys([*theirs, *ours]):
            name = " ".join(part for part in (key[0], key[1], "" if key[2] == "{}" else key[2]) if part)
            if key not in ours or key not in theirs:
                alone.append(f"{study.id} {name}: only {'here' if key in ours else 'in the reference'}")
                continue
            found, missing = _compare(study, name, ours[key], theirs[key])
            findings += found
            alone += missing
    return Verification(tuple(findings), tuple(alone))


def sampled(studies: Sequence[Study], scale: str, reference: Store, count: int, seed: int) -> list[Study]:
    """The studies with no more cells than a random sample: `count` of all cells that the reference holds."""
    held = [
        (study, cell)
        for study in studies
        for stored in [{_config(result) for result in reference.results(study, scale)}]
        for cell in study.cells(scale)
        if json.dumps(cell.config(), sort_keys=True) in stored
    ]
    places = np.random.default_rng(seed).permutation(len(held))[:count]
    chosen = [held[place] for place in sorted(places)]
    return only_cells(studies, [cell for _, cell in chosen])


def verify_claims(scale: str, local: Path, reference: Path, claims: Collection[str] | None = None) -> Verification:
    """Compares the verdicts on claims (the named ones, or all). Verdicts on experiments are reported, not judged."""
    findings, alone = [], []
    ours, theirs = ({*evidence.claims(root, scale)} for root in (local, reference))
    for claim in sorted(ours | theirs if claims is None else (ours | theirs).intersection(claims)):
        if claim not in ours or claim not in theirs:
            alone.append(f"claim {claim}: only {'here' if claim in ours else 'in the reference'}")
            continue
        (here, experiment), (there, _) = (_verdict(claim, scale, root) for root in (local, reference))
        word: Word = "reported" if experiment else "reproduced" if here == there else "deviates"
        judgement = Judgement(word, float(here != there), f"{here} for {there}")
        findings.append(Finding("claims", "verdict", "exact", claim, judgement))
    return Verification(tuple(findings), tuple(alone))


def _verdict(claim: str, scale: str, root: Path) -> tuple[str, bool]:
    """The verdict, and True for a claim on an experiment, whose verdict follows from results that are compared
    themselves."""
    try:
        entry = evidence.raw(claim, scale, root)
        return str(entry["verdict"]), entry.get("kind") == "experiment"
    except (OSError, ValueError, KeyError, TypeError) as error:
        return f"no evidence ({in_words(error)})", False


def _config(result: Result) -> str:
    return json.dumps(result.config, sort_keys=True)


def _by_run(results: Iterable[Result]) -> dict[Key, list[Result]]:
    found: dict[Key, list[Result]] = {}
    for result in results:
        options = json.dumps(result.config.get("options", {}), sort_keys=True)
        found.setdefault((result.config["problem"], result.config["policy"], options), []).append(result)
    return found


def _compare(
    each: Study, name: str, ours: Sequence[Result], theirs: Sequence[Result]
) -> tuple[list[Finding], list[str]]:
    """The findings on the runs of one problem and method, and sentences on seeds and arrays of one side alone."""
    study = each.id
    try:
        there, reference = _rows(theirs)
        here, local = _rows([_as_precise(one, theirs[0]) for one in ours])
        kept = _rows([slimmed(one, each.keep) for one in ours])[1]
        local = {**{name: of for name, of in kept.items() if name in reference}, **local}
    except UNREADABLE as error:
        return [], [f"{study} {name}: cannot be compared ({in_words(error)})"]
    alone = [
        f"{study} {name}: {what} {', '.join(map(str, only))} only {where}"
        for what, one, other in (("seeds", here, there), ("arrays", local, reference))
        for where, only in (
            ("here", [name for name in one if name not in other and (one is here or name in kept)]),
            ("in the reference", [name for name in other if name not in one]),
        )
        if only
    ]
    seeds = [seed for seed in there if seed in here]
    findings = []
    for statistic in [statistic for statistic in reference if statistic in local]:
        kind, mine = local[statistic]
        _, other = reference[statistic]
        if kind in ("design", "outcome"):
            mine, other = (values[[rows[seed] for seed in seeds]] for values, rows in ((mine, here), (other, there)))
        if seeds:
            findings.append(Finding(study, statistic, kind, name, judged(kind, mine, other)))
    return findings, alone


def _as_precise(ours: Result, theirs: Result) -> Result:
    """Our result, with its arrays in single precision where the other side's are, so that statistics use
    equal numbers."""
    arrays = {
        name: same_precision(array, theirs.arrays[name])[0] if name in theirs.arrays else array
        for name, array in ours.arrays.items()
    }
    return replace(ours, arrays=arrays)


def _rows(results: Sequence[Result]) -> tuple[dict[int, int], dict[str, tuple[Any, np.ndarray]]]:
    """The row of each seed in the stacked blocks, and the stacked statistics.

    Raises ValueError where blocks hold different arrays.
    """
    seeds: dict[int, int] = {}
    parts: dict[str, list[np.ndarray]] = {}
    kinds: dict[str, Any] = {}
    count = 0
    for result in results:
        block = [int(seed) for seed in result.config["seeds"]]
        seeds |= {seed: count + row for row, seed in enumerate(block)}
        count += len(block)
        for statistic in statistics_of(result.arrays, len(block)):
            kinds[statistic.name] = statistic.kind
            parts.setdefault(statistic.name, []).append(statistic.values)
    if any(len(blocks) != len(results) for blocks in parts.values()):
        raise ValueError("its blocks of seeds hold different arrays")
    return seeds, {name: (kinds[name], _joined(kinds[name], blocks)) for name, blocks in parts.items()}


def _joined(kind: str, blocks: Sequence[np.ndarray]) -> np.ndarray:
    return blocks[0] if kind == "given" else np.concatenate(list(blocks), axis=0)

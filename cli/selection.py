"""The meaning of ONLY: one name resolved against papers, studies, claims and figures together.

Every command takes its own part of a selection, so that `make reproduce ONLY=...` does one thing from end to end:

* a paper ("boke" or "A"): all of it;
* a study ("boke.fig6", "fig6"): the study, the claims that read it, its figures;
* a claim ("boke.prop1", "prop1"): the claim, and the studies that it reads;
* a figure ("boke.fig6_median"): the figure and its study.

A name that stands for several of these stands for all of them. Studies that do not run by default (their results are
kept) are chosen by their own names only. `python -m cli.selection NAMES` prints the meaning of names.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass

from experiments.engine.names import split_names, unknown
from experiments.engine.registry import STUDIES, aliases, matches
from experiments.engine.study import Study
from experiments.papers import BY_LETTER
from paper_figures.figure import FigureSpec, figures
from theory_checks.ledger import Claim
from theory_checks.ledger import load as load_claims

__all__ = ["Selection", "select"]


@dataclass(frozen=True)
class Selection:
    """The studies to run, the claims to check and the figures to draw, each in the order of its registry."""

    studies: list[Study]
    claims: list[Claim]
    figures: list[FigureSpec]


def select(only: str | None = None) -> Selection:
    """The selection of `only`, which holds names with commas; everything that runs by default where `only` is empty.

    Raises KeyError, naming the near ones, where a name stands for nothing, and where there are separators alone.
    """
    studies: list[Study] = list(STUDIES.values())
    claims: list[Claim] = list(load_claims().values())
    specs: list[FigureSpec] = list(figures().values())
    names = split_names(only)
    if not names:
        return Selection([study for study in studies if study.default], claims, specs)
    chosen: set[str] = set()  # ids are marked by kind, because a claim and a study may share an id
    for name in names:
        found = _named(name, studies, claims, specs)
        if not found:
            identifiers = [claim.id for claim in claims] + [spec.id for spec in specs]
            known = aliases(STUDIES).union(*map(_aliases, identifiers))
            raise KeyError(unknown("study, claim, figure or paper", name, known))
        chosen |= found
    return Selection(
        [study for study in studies if f"study {study.id}" in chosen],
        [claim for claim in claims if f"claim {claim.id}" in chosen],
        [spec for spec in specs if f"figure {spec.id}" in chosen],
    )


def _named(name: str, studies: Iterable[Study], claims: Iterable[Claim], specs: Iterable[FigureSpec]) -> set[str]:
    """The meanings of one name, as "study boke.fig6", "claim boke.prop1", "figure boke.fig6_median"."""
    paper = BY_LETTER[name].key if name in BY_LETTER else name
    found = [study for study in studies if matches(study, name)]
    by_default = {study.id for study in studies if study.default}
    chosen = {f"study {study.id}" for study in found}
    read = {study.id for study in found if paper != study.paper}  # a paper's claims and figures are found by its key
    for claim in claims:
        if name in _aliases(claim.id):
            chosen |= {f"claim {claim.id}"} | {f"study {need}" for need in claim.needs if need in by_default}
        elif claim.id.startswith(f"{paper}.") or read.intersection(claim.needs):
            chosen.add(f"claim {claim.id}")
    for spec in specs:
        if name in _aliases(spec.id):
            chosen |= {f"figure {spec.id}", f"study {spec.study}"}
        elif spec.id.startswith(f"{paper}.") or spec.study in read:
            chosen.add(f"figure {spec.id}")
    return chosen


def _aliases(identifier: str) -> set[str]:
    """An id, and its part after the paper."""
    return {identifier, identifier.split(".", 1)[-1]}


def main(only: str) -> int:
    """Prints the meaning of names; exit status 2 where a name stands for nothing."""
    try:
        chosen = select(only)
    except KeyError as error:
        print(f"ONLY: {error.args[0]}", file=sys.stderr)
        return 2
    print(f"ONLY={only} stands for")
    print(f"  studies: {', '.join(study.id for study in chosen.studies) or 'none'}")
    print(f"  claims: {', '.join(claim.id for claim in chosen.claims) or 'none'}")
    print(f"  figures: {', '.join(spec.id for spec in chosen.figures) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))

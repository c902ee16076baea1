"""The output of `python -m experiments verify`: a row a statistic of a study, results without a counterpart, and the
sum."""

from collections.abc import Iterable, Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

from experiments.engine.bar import say
from experiments.engine.equivalence import DIFFERENT, EQUIVALENT, MARGIN, ROUNDING, SEVERITY, Judgement
from experiments.engine.verify import Finding, Verification

__all__ = ["print_deviations", "print_verification"]

RULES = {
    "design": "bitwise",
    "given": f"whole numbers bitwise, others within {ROUNDING:g}",
    "outcome": f"mean paired difference within {MARGIN:g} sd: its {EQUIVALENT:.0%} interval inside reproduces, its "
    f"{DIFFERENT:.1%} interval outside deviates",
    "seconds": "reported, not judged",
    "exact": "the same verdict",
}
MOST = 20
"""The number of printed sentences on results without a counterpart; further ones are counted."""


def print_verification(found: Verification, console: Console) -> None:
    """Prints the table, every deviation by itself, and the sum."""
    table = Table("study", "statistic", "rule", "reproduced", "deviates", "undecided", "largest deviation")
    for group in _by_statistic(found.findings):
        first = group[0]
        counts = [sum(one.judgement.word == word for one in group) for word in ("reproduced", "deviates", "undecided")]
        shown = ["" if first.kind == "seconds" else str(count) for count in counts]
        table.add_row(first.study, first.statistic, first.kind, *shown, _largest(group))
    console.print(table)
    for kind in dict.fromkeys(finding.kind for finding in found.findings):
        say(console, f"{kind}: {RULES[kind]}")
    for finding in found.findings:
        if finding.judgement.word in ("deviates", "undecided"):
            what = f"{finding.study} {finding.runs}: {finding.statistic}"
            say(console, f"{finding.judgement.word}: {what}, by {_size(finding.judgement)}")
    for sentence in found.alone[:MOST]:
        say(console, f"no counterpart: {sentence}")
    if len(found.alone) > MOST:
        say(console, f"no counterpart: {len(found.alone) - MOST} more")
    judged = len(found.findings) - found.count("reported")
    say(
        console,
        f"verify: {found.count('reproduced')} of {judged} statistics reproduced, {found.count('deviates')} deviate, "
        f"{found.count('undecided')} undecided (too few seeds); {len(found.alone)} without counterpart",
    )


def print_deviations(found: Verification, scale: str, console: Console) -> int:
    """Prints the deviations and the sum; the exit status is 1 where a statistic deviates. The machine is not at fault
    for a statistic with too few seeds, or without a counterpart."""
    for finding in found.findings:
        if finding.judgement.word == "deviates":
            say(
                console, f"deviates: {finding.study} {finding.runs}: {finding.statistic}, by {_size(finding.judgement)}"
            )
    judged = len(found.findings) - found.count("reported")
    if judged:
        say(
            console,
            f"Compared with the committed results: {found.count('reproduced')} of {judged} statistics reproduced, "
            f"{found.count('deviates')} deviate, {found.count('undecided')} undecided (too few seeds)",
        )
    else:
        say(console, f"Compared with the committed results: none are committed at scale {scale}")
    return int(found.count("deviates") > 0)


def _by_statistic(findings: Iterable[Finding]) -> list[list[Finding]]:
    groups: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.study, finding.statistic, finding.kind), []).append(finding)
    return list(groups.values())


def _largest(group: Sequence[Finding]) -> str:
    """The worst deviation and its place; for times the median of the ratios."""
    judgements = [finding.judgement for finding in group]
    if group[0].kind == "seconds":
        ratios = [one.size for one in judgements if np.isfinite(one.size)]
        return f"{np.median(ratios):.2g} times theirs" if ratios else "n/a"
    worst = max(group, key=lambda one: (SEVERITY.index(one.judgement.word), abs(one.judgement.size)))
    if worst.judgement.word in ("reported", "reproduced") and worst.judgement.size == 0.0:
        return "none"
    return f"{_size(worst.judgement)} ({worst.runs})"


def _size(judgement: Judgement) -> str:
    if not np.isfinite(judgement.size) or judgement.size == 0.0:
        return judgement.unit
    return f"{judgement.size:+.3g} {judgement.unit}".strip()

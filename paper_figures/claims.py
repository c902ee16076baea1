"""The claims ledger as the report, the pages and the terminal show it. Verdicts are read, never made, here."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from experiments.engine.scale import SCALES
from experiments.papers import PAPERS
from theory_checks import cache, counterexamples
from theory_checks.certificates.certificate import Settles
from theory_checks.certificates.registry import certified
from theory_checks.ledger import ABOUT_THIS_IMPLEMENTATION, FAMILY_WISE_ERROR, Claim, Origin, Severity, Verdict
from theory_checks.ledger import load as load_ledger
from theory_checks.undecided import Kind

NOT_RUN = "not run"

BADGES: dict[str, tuple[str, str]] = {
    "proved": ("∎", "bold green"),
    "supported": ("✔", "green"),
    "refuted": ("✘", "red"),
    "vacuous": ("○", "yellow"),
    "depends": ("±", "yellow"),
    "inconclusive": ("?", "yellow"),
    "not testable": ("–", "cyan"),
    NOT_RUN: ("…", "white"),
}
"""Sign and terminal colour of each verdict: the sign and the word carry the meaning, the colour only repeats it."""


SHOWN: Mapping[str, str] = {Kind.WITHHELD: "smaller runs than its rule asks for"}
"""Kinds of inconclusive that the pages name otherwise than the evidence does."""


@dataclass(frozen=True)
class ClaimEntry:
    """A claim and the stored evidence to show for it, if any."""

    claim: Claim
    stored: Mapping[str, Any] | None
    source: str
    """"local" or "reference", "" where nothing is stored."""
    path: Path | None = None
    """The file of the evidence, None where nothing is stored."""
    rerun: Mapping[str, Any] | None = None
    """What a run of a lower scale on this machine found, None where there is none: it replaces nothing."""

    @property
    def verdict(self) -> str:
        """The stored verdict, or "not run"."""
        return self.stored["verdict"] if self.stored else NOT_RUN

    @property
    def badge(self) -> str:
        """Sign and word, "✔ supported"."""
        return f"{BADGES[self.verdict][0]} {self.verdict}"

    @property
    def weight(self) -> str:
        """What a refutation costs, "✘ refuted (misprint)"; why something is inconclusive; else the badge."""
        more = ", ".join(filter(None, (self.cost or self.undecided, self.certified)))
        return f"{self.badge} ({more})" if more else self.badge

    @property
    def undecided(self) -> str:
        """Which kind of inconclusive, "too few runs, it takes about 220"; "" elsewhere, and where that is not known."""
        why = self.stored["numbers"].get("undecided") if self.stored and self.verdict == "inconclusive" else None
        if not isinstance(why, Mapping):
            return ""
        kind = SHOWN.get(why["kind"], why["kind"])
        return f"{kind}, it takes about {why['needs']:,}" if "needs" in why else kind

    @property
    def certified(self) -> str:
        """ "certified" of a refutation that the checker of certificates verifies, else ""."""
        return "certified" if self.verdict == "refuted" and certified(self.claim.id, Settles.REFUTED) else ""

    @property
    def cost(self) -> str:
        """What the refutation costs, "misprint"; "" for any other verdict, and where that is not said."""
        return self.claim.cost if self.verdict == "refuted" else ""

    @property
    def summary(self) -> str:
        """The evidence in one sentence."""
        return (
            self.stored["summary"]
            if self.stored
            else f"No evidence stored: `python -m theory_checks run {self.claim.id}`."
        )

    @property
    def scale(self) -> str:
        """The scale of the evidence, "" where nothing is stored."""
        return self.stored["scale"] if self.stored else ""

    @property
    def replay(self) -> str:
        """The command that evaluates the stored counterexample again, "" where there is none."""
        if self.claim.replay is None:
            return ""
        if counterexamples.committed_path(self.claim.id).is_file():
            return f"python -m theory_checks replay {self.claim.id}"
        if self.stored and self.stored.get("counterexample") is not None:
            return f"python -m theory_checks replay {self.claim.id} --scale {self.scale}"
        return ""


def load_claims(scale: str, root: Path, only: Sequence[Claim] | None = None) -> list[ClaimEntry]:
    """Every claim with its evidence of the highest scale that is stored, at equal scale the local one.

    A run of a lower scale never replaces what is known from a higher one: what it found at `scale` stands beside it as
    `rerun`. `root` holds `local/` and `reference/`. Unreadable files count as absent, and so does local evidence that
    other code or other study results made: the next `make theory` replaces it.
    """
    claims = list(load_ledger().values()) if only is None else list(only)
    looked = [(source, other) for other in reversed(SCALES) for source in ("local", "reference")]
    found = []
    for claim in claims:
        entry = _entry(claim, looked, root)
        lower = _entry(claim, [("local", scale)], root) if entry.scale != scale else entry
        found.append(entry if lower is entry else replace(entry, rerun=lower.stored))
    return found


def load_published(root: Path) -> list[ClaimEntry]:
    """Every claim with its committed evidence of the highest scale that is there, whatever a run left on this machine.

    `root` holds `reference/`.
    """
    looked = [("reference", scale) for scale in reversed(SCALES)]
    return [_entry(claim, looked, root) for claim in load_ledger().values()]


def _entry(claim: Claim, looked: Sequence[tuple[str, str]], root: Path) -> ClaimEntry:
    """The claim with the first usable evidence of the places (source, scale)."""
    for source, wanted in looked:
        try:
            stored = cache.read(claim.id, wanted, root / source)
        except ValueError:
            continue
        if source == "local" and stored is not None and stored["key"] != cache.key_of(claim, wanted):
            continue
        if stored is not None and stored["verdict"] in BADGES:
            return ClaimEntry(claim, stored, source, cache.path_of(claim.id, wanted, root / source))
    return ClaimEntry(claim, None, "")


def repairs_of(entries: Sequence[ClaimEntry], claim_id: str) -> list[ClaimEntry]:
    """The entries that repair a claim."""
    return [entry for entry in entries if entry.claim.repairs == claim_id]


def tally(entries: Sequence[ClaimEntry]) -> str:
    """How many claims have each verdict: "12 supported, 3 refuted"."""
    counts = Counter(entry.verdict for entry in entries)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in BADGES if counts[verdict])


def refutations(entries: Sequence[ClaimEntry]) -> str:
    """What the refutations cost: "12 substantive, 3 technical"; empty where nothing is refuted."""
    counts = Counter(entry.cost or "unrated" for entry in entries if entry.verdict == "refuted")
    kinds = (*map(str, Severity), ABOUT_THIS_IMPLEMENTATION, "unrated")
    return ", ".join(f"{counts[kind]} {kind}" for kind in kinds if counts[kind])


def places(entries: Sequence[ClaimEntry]) -> str:
    """Which scales and sources the verdicts come from: "quick, reference"."""
    found = Counter((entry.scale, entry.source) for entry in entries if entry.stored)
    return "; ".join(f"scale {scale}, {source}" for scale, source in sorted(found, key=lambda place: -found[place]))


def ledger_note() -> str:
    """How the error of the whole ledger is controlled."""
    return (
        f"The family-wise error of the whole ledger is {FAMILY_WISE_ERROR:g}, split evenly over {len(PAPERS)} papers"
        " and, by Bonferroni, over the statistical tests that each paper's claims declare."
    )


ORIGINS: dict[Origin, tuple[str, str]] = {
    Origin.PRINTED: ("as printed", "Statement, as printed"),
    Origin.IMPLIED: ("implied by the text", "Statement, implied by the text"),
    Origin.READING: ("readings of figures and tables", "Statement, as the figure or table is read"),
    Origin.REPAIR: ("repairs, ours", "Statement, our repair"),
    Origin.HERE: (ABOUT_THIS_IMPLEMENTATION, f"Statement, {ABOUT_THIS_IMPLEMENTATION}"),
}
"""Whose words a claim is: in a list of kinds, and before its statement."""


def print_claims(entries: Sequence[ClaimEntry], console: Console) -> None:
    """The claims table on the terminal."""
    table = RichTable(title=f"Claims: {tally(entries)}" if entries else "Claims: none registered", title_justify="left")
    table.add_column("claim", no_wrap=True)
    table.add_column("number", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("evidence", overflow="fold")
    for entry in entries:
        badge = Text(entry.badge, style=BADGES[entry.verdict][1])
        table.add_row(entry.claim.id, Text(entry.claim.number), badge, Text(entry.summary))
    console.print(table)


VERDICT_MEANINGS: dict[str, str] = {
    str(
        Verdict.PROVED
    ): "supported, and proved as well: docs/certificates.md has the proof, whose computations are checked",
    str(
        Verdict.SUPPORTED
    ): "the strongest search we could afford found no violation, and the check could have found one",
    str(
        Verdict.REFUTED
    ): "a concrete counterexample satisfies the hypotheses as printed; it is stored and can be replayed",
    str(
        Verdict.DEPENDS
    ): "true under some of the choices that the paper leaves open and false under others, both exhibited",
    str(Verdict.VACUOUS): "no violation, but the bound is weaker than the trivial one in every regime tried",
    str(Verdict.INCONCLUSIVE): "the evidence decides neither way",
    str(Verdict.NOT_TESTABLE): "no finite computation decides it",
}

"""The claims ledger as the report, the pages and the terminal show it. This module reads verdicts and never makes
them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from experiments.engine.scale import SCALES
from experiments.engine.standing import OLDER, Standing
from experiments.engine.store import local_of
from paper_figures.table import percent
from theory_checks import cache, counterexamples
from theory_checks.certificates.certificate import Settles
from theory_checks.certificates.registry import certified
from theory_checks.ledger import FAMILY_WISE_ERROR, Claim, Kind, Origin, Outcome, Verdict, spent
from theory_checks.ledger import load as load_ledger
from theory_checks.readings.declaration import READINGS
from theory_checks.readings.judgement import State
from theory_checks.readings.stamps import earlier, label, on_fresh_seeds
from theory_checks.readings.words import HEADS, in_state_words

NOT_RUN = str(Outcome.NOT_RUN)

BADGES: dict[str, tuple[str, str]] = {
    "proved": ("∎", "green"),
    "supported": ("✔", "green"),
    "refuted": ("✘", "red"),
    "vacuous": ("○", "yellow"),
    "depends": ("±", "yellow"),
    "reproduced": ("●", "green"),
    "not reproduced": ("◌", "yellow"),
    "opposite": ("⇄", "red"),
    "undetermined": ("∼", "yellow"),
    "undecided": ("?", "yellow"),
    NOT_RUN: ("–", "white"),
}
"""The sign and terminal colour of each verdict. Sign and word carry the meaning; the colour only repeats it."""

THEORY, EXPERIMENTS = tuple(map(str, Verdict)), tuple(map(str, Outcome))
"""The verdicts of each kind of claim, in their order."""


@dataclass(frozen=True)
class ClaimEntry:
    """A claim and its stored evidence, if any."""

    claim: Claim
    stored: Mapping[str, Any] | None
    source: str
    """"local" or "reference"; "" where nothing is stored."""
    rerun: Mapping[str, Any] | None = None
    """The finding of a run of a lower scale on this machine; None where there is none. The finding replaces nothing."""

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
        """The badge with what a refutation costs, "✘ refuted (misprint, certified)", or with the shares of settings."""
        fresh = f"on fresh seeds: {self.fresh}" if self.fresh else ""
        costs = ", ".join(filter(None, (self.cost or self.shares or self.undecided, self.certified)))
        more = "; ".join(filter(None, (costs, fresh)))
        return f"{self.badge} ({more})" if more else self.badge

    @property
    def numbers(self) -> Mapping[str, Any]:
        """The numbers of the evidence; empty where nothing is stored."""
        return self.stored["numbers"] if self.stored else {}

    @property
    def shares(self) -> str:
        """ "at the default: holds; 384 settings: holds 35 %, opposite 59 %, open 6 %"; "" for theory."""
        if self.claim.kind is not Kind.EXPERIMENT or self.numbers.get("settings", 1) < 2:
            return ""
        shares = {word: self.numbers["shares"].get(str(state), 0.0) for state, word in HEADS.items()}
        text = ", ".join(f"{word} {percent(share)}" for word, share in shares.items() if share)
        return f"at the default: {self.declared}; {self.tried}: {text}"

    @property
    def tried(self) -> str:
        """The settings tried, in words: "384 settings", or "one setting, 2 measures" where no constant is varied."""
        count, measures = self.numbers.get("settings", 1), self.numbers.get("questions") == ["measure"]
        return f"one setting, {count} measures" if measures else f"{count:,} settings"

    @property
    def declared(self) -> str:
        """The state of a sentence on an experiment at the default setting: "does not hold", "open"; "" without
        evidence."""
        state = self.numbers.get("default", {}).get("state", "")
        return HEADS[State(state)] if state else ""

    @property
    def undecided(self) -> str:
        """ "it takes about 220 seeds"; "" where the verdict is not undecided, and where the number is not known."""
        needs = self.numbers.get("needs") if self.verdict == Outcome.UNDECIDED else None
        return f"it takes about {needs:,} seeds" if needs else ""

    @cached_property
    def stamped(self) -> str:
        """The standing of a sentence on an experiment, "exploratory" or "confirmed"; "" for theory, or without
        evidence."""
        reading = READINGS.get(self.claim.id)
        return label(reading, self.scale) if reading and self.stored else ""

    @cached_property
    def fresh(self) -> str:
        """The verdict of fresh seeds on a verdict on an experiment: "confirmed", "was reproduced"; "" until they are
        run."""
        reading = READINGS.get(self.claim.id)
        return on_fresh_seeds(reading, self.scale, self.verdict) if reading and self.stored else ""

    @cached_property
    def earlier(self) -> str:
        """The known differences of the evidence's runs from today's program; "" where there are none."""
        reading = READINGS.get(self.claim.id)
        return "; ".join(earlier(reading, self.scale)) if reading and self.stored else ""

    @property
    def certified(self) -> str:
        """ "certified" for a refutation that the checker of certificates verifies, else ""."""
        return "certified" if self.verdict == "refuted" and certified(self.claim.id, Settles.REFUTED) else ""

    @property
    def cost(self) -> str:
        """The severity of a refutation, "misprint"; "" for any other verdict, and where no severity is stored."""
        return str(self.claim.severity or "") if self.verdict == Verdict.REFUTED else ""

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
        """The scale of the evidence; "" where nothing is stored."""
        return self.stored["scale"] if self.stored else ""

    @cached_property
    def standing(self) -> Standing:
        """The relation of the evidence to today's code; "older" where nothing is stored."""
        return cache.standing(self.claim, self.stored) if self.stored else OLDER

    @property
    def replay(self) -> str:
        """The command that evaluates the stored counterexample again; "" where there is none."""
        if self.claim.replay is None:
            return ""
        if counterexamples.committed_path(self.claim.id).is_file():
            return f"python -m theory_checks replay {self.claim.id}"
        if self.stored and self.stored.get("counterexample") is not None:
            return f"python -m theory_checks replay {self.claim.id} --scale {self.scale}"
        return ""


def load_claims(scale: str, root: Path, only: Sequence[Claim] | None = None) -> list[ClaimEntry]:
    """Every claim with its evidence of the highest scale that is stored; at equal scale the local evidence.

    A run of a lower scale never replaces the evidence of a higher one: the finding at `scale` stands beside the
    evidence as `rerun`. `root` holds `local/` and `reference/`. Unreadable files count as absent, and so does local
    evidence made by other code or from other study results: the next `make theory` replaces such evidence.
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
    """Every claim with its committed evidence of the highest scale stored there; local results do not count.

    `root` holds `reference/`.
    """
    looked = [("reference", scale) for scale in reversed(SCALES)]
    return [_entry(claim, looked, root) for claim in load_ledger().values()]


def _entry(claim: Claim, looked: Sequence[tuple[str, str]], root: Path) -> ClaimEntry:
    """The claim with the first usable evidence of the places (source, scale)."""
    for source, wanted in looked:
        stored = cache.readable(claim.id, wanted, local_of(root) if source == "local" else root / source)
        if source == "local" and stored is not None and stored["key"] != cache.key_of(claim, wanted):
            continue
        if stored is not None and stored["verdict"] in BADGES:
            return ClaimEntry(claim, stored, source)
    return ClaimEntry(claim, None, "")


def repairs_of(entries: Sequence[ClaimEntry], claim_id: str) -> list[ClaimEntry]:
    """The entries that repair a claim."""
    return [entry for entry in entries if entry.claim.repairs == claim_id]


def tally(entries: Sequence[ClaimEntry]) -> str:
    """The number of claims with each verdict: "12 supported, 3 refuted"."""
    counts = Counter(entry.verdict for entry in entries)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in BADGES if counts[verdict])


def places(entries: Sequence[ClaimEntry]) -> str:
    """The scales and sources of the verdicts: "quick, reference"."""
    found = Counter((entry.scale, entry.source) for entry in entries if entry.stored)
    return "; ".join(f"scale {scale}, {source}" for scale, source in sorted(found, key=lambda place: -found[place]))


def ledger_note() -> str:
    """The control of the error of the whole ledger, in words."""
    return (
        f"The chance that sampling makes the ledger call any true claim refuted or opposite is at most {spent():.2g},"
        f" below {FAMILY_WISE_ERROR:g} (Bonferroni). Each claim has a fixed share, divided by the looks at its data."
    )


ORIGINS: dict[Origin, tuple[str, str]] = {
    Origin.PRINTED: ("as printed", "Statement, as printed or shortened"),
    Origin.IMPLIED: ("implied by the text", "Statement, implied by the text"),
    Origin.READING: ("sentences on experiments", "Sentence, verbatim"),
    Origin.REPAIR: ("repairs, ours", "Statement, our repair"),
    Origin.HERE: ("about this implementation", "Statement, about this implementation"),
}
"""The names of a claim's origin: in a list of kinds, and before the claim's statement."""

OWN = (Origin.PRINTED, Origin.IMPLIED, Origin.READING)
"""The origins of the papers' own claims, which tallies count. Repairs and claims about this implementation stand under
the claim that they belong to."""


def own(entries: Sequence[ClaimEntry], kind: Kind | None = None) -> list[ClaimEntry]:
    """The papers' own claims among the entries, of one kind or of both."""
    return [one for one in entries if one.claim.origin in OWN and kind in (None, one.claim.kind)]


def print_claims(entries: Sequence[ClaimEntry], console: Console) -> None:
    """The claims table on the terminal."""
    table = RichTable(title=f"Claims: {tally(entries)}" if entries else "Claims: none registered", title_justify="left")
    table.add_column("claim", no_wrap=True)
    table.add_column("number", overflow="fold")
    table.add_column("verdict", no_wrap=True)
    table.add_column("evidence", overflow="fold")
    for entry in entries:
        badge = Text(entry.badge, style=BADGES[entry.verdict][1])
        table.add_row(entry.claim.id, Text(entry.claim.number), badge, Text(in_state_words(entry.summary)))
    console.print(table)


VERDICT_MEANINGS: dict[Kind, dict[str, str]] = {
    Kind.THEORY: {
        "proved": "a certificate: a written argument, whose computations a small checker verifies",
        "supported": "a search that could have found a violation found none; there is no proof",
        "refuted": "a formal statement, or a sentence with one meaning, is false as printed or, where the text only"
        " implies it, as the text needs it; a stored counterexample satisfies the hypotheses on its page, and anyone"
        " can replay it",
        "vacuous": "nothing contradicts the bound, but it is weaker than the trivial one everywhere it was tried",
        "depends": "a sentence is true in one sense, or for one choice that the paper leaves open, and false in"
        " another; both are exhibited",
        "undecided": "too little was computed to tell",
    },
    Kind.EXPERIMENT: {
        "reproduced": "it holds at the declared default and in at least half of the settings, and is opposite in fewer"
        " than 5 %",
        "not reproduced": "it holds in fewer than 5 % of the settings, and its reverse, by more than what matters, in"
        " fewer than half",
        "opposite": "it holds in fewer than 5 % of the settings, and its reverse, by more than what matters, in at"
        " least half",
        "undetermined": "the choices that the paper leaves open decide; the shares of settings say how",
        "undecided": "too few runs; the evidence says how many it takes",
        "not run": "no results are stored",
    },
}
"""The meaning of each verdict, by kind of claim."""

"""docs/protocol.md: the content of the protocol, its progress, and its results on the earlier verdicts."""

from collections.abc import Sequence
from functools import cache

from experiments.engine.protocol import SCALE, Piece, Planned, Protocol, read, seeds
from experiments.engine.registry import STUDIES
from experiments.engine.store import REFERENCE, Store
from paper_figures.claims import ClaimEntry
from paper_figures.first_screen import on_fresh_seeds
from theory_checks.ledger import Outcome
from theory_checks.readings.declaration import READINGS
from theory_checks.readings.stamps import CONFIRMED, stamps

__all__ = ["page"]


def page(entries: Sequence[ClaimEntry]) -> str:
    """The page: the pieces in their order, the readings with their seeds, and the studies that are cut."""
    protocol = read()
    lines = [
        f"# Protocol {protocol.number}",
        "",
        "<!-- Written by `make publish` from experiments/protocol.toml, the stamps and the results: do not edit. -->",
        "",
        f"The protocol was fixed on {protocol.fixed} (hash `{protocol.hash}`): every cell below and the declaration of"
        f" every reading. A test fails where either differs; a change takes a new number. All seeds are fresh: a"
        f" study's own plus {protocol.first_seed:,}{_exceptions(protocol)}, above every seed that a result had on that"
        " day. The studies of a piece are read together. The earlier results stand for them until all cells of the"
        " piece are stored, and the fresh results from then on.",
        "",
        *([protocol.note, ""] if protocol.note else []),
        on_fresh_seeds(entries),
        "",
        "## Pieces, in the order of their computation",
        "",
        "A second look is run only where the first one leaves a reading undecided, and after all first looks."
        " Core-hours are expected ones, by the seconds that earlier results took. `make experiments SCALE=paper"
        " ONLY=boke.fig6` computes a study.",
        "",
        "| piece | study | cells | seeds a run | core-hours | stored |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for piece in protocol.pieces:
        lines += [_row(piece, study, plan) for study, plan in piece.studies.items()]
    total = sum(plan.hours for piece in protocol.pieces for plan in piece.studies.values() if plan.look == 1)
    lines += [
        f"| all, first looks | | | | {total:.1f} | |",
        "",
        "## Not run",
        "",
        *(f"- `{study}`: {why}." for study, why in protocol.cut.items()),
        "",
        "## Readings",
        "",
        "*Seeds wanted* is the number of seeds a problem that finds the claimed effect with power 0.9, by the spread of"
        " the earlier runs, in the comparison of the declared default that needs most seeds. Where fewer are run, the"
        " budget is the cap, and a comparison may stay open. An undecided verdict has a number, too: so many seeds a"
        " problem decide the verdict with power 0.9 if the estimates on fresh seeds are the truth.",
        "",
        "| reading | seeds run | seeds wanted | verdict before | on fresh seeds |",
        "|---|---:|---:|---|---|",
        *(_reading(entry) for entry in entries if entry.claim.id in READINGS),
    ]
    return "\n".join(lines) + "\n"


def _exceptions(protocol: Protocol) -> str:
    """The pieces whose seeds begin elsewhere, in parentheses; "" where there are none."""
    told = [f"{one.name}: {one.first_seed:,}" for one in protocol.pieces if one.first_seed]
    return f" ({'; '.join(told)})" if told else ""


def _row(piece: Piece, study: str, plan: Planned) -> str:
    """A study of a piece."""
    cells, done = STUDIES[study].every_cell(SCALE), _stored(study)
    fewest, most = seeds(STUDIES[study])
    count = sum(cell.digest in done for cell in cells)
    shown = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    name = f"`{study}`" if plan.look == 1 else f"`{study}`, second look"
    hours = f"{plan.hours:.2f}" if plan.look == 1 or plan.hours else ""
    return f"| {piece.name} | {name} | {len(cells)} | {shown} | {hours} | {count} of {len(cells)} |"


@cache
def _stored(study: str) -> frozenset[str]:
    """Digests of the committed results of a study at scale paper."""
    return frozenset(one.digest for one in Store(REFERENCE).stored(study, SCALE))


def _reading(entry: ClaimEntry) -> str:
    """The row of a reading: the fewest and most seeds of its studies at first look, and the outcome."""
    stamp = stamps().get(entry.claim.id)
    protocol = read()
    counts = [
        count
        for study in READINGS[entry.claim.id].needs
        if (piece := protocol.piece(study)) and piece.studies[study].look == 1
        for count in seeds(STUDIES[study])
    ]
    shown = "" if not counts else f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
    wanted = f"{stamp.wanted:,}" if stamp and stamp.wanted else ""
    before = stamp.verdict if stamp else ""
    now = entry.verdict if entry.fresh else ""
    told = entry.undecided if now == Outcome.UNDECIDED else entry.fresh if entry.fresh == CONFIRMED else ""
    word = f"{now} ({told})" if told else now
    return f"| {entry.claim.id} | {shown} | {wanted} | {before} | {word} |"

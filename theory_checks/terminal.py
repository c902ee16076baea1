"""Claims and verdicts on a terminal and in JSON; this module computes nothing."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from theory_checks import counterexamples
from theory_checks.ledger import Claim
from theory_checks.statements import in_plain_text

_COLOURS = {
    "proved": "bold green",
    "supported": "green",
    "reproduced": "green",
    "refuted": "red",
    "opposite": "red",
}


Entry = Mapping[str, Any]


def description(claim: Claim, entry: Entry | None = None) -> dict[str, Any]:
    """The facts about a claim, as JSON can hold them; the verdict and its scale are null without evidence."""
    return {
        "id": claim.id,
        "paper": claim.paper,
        "number": claim.number,
        "title": claim.title,
        "statement": claim.statement,
        "hypotheses": list(claim.hypotheses),
        "rule": claim.rule,
        "control": claim.control_statement,
        "tests": claim.tests,
        "needs": list(claim.needs),
        "repairs": claim.repairs,
        "kind": str(claim.kind),
        "origin": str(claim.origin),
        "severity": None if claim.severity is None else str(claim.severity),
        "positive_control": claim.positive_statement,
        "verdict": None if entry is None else entry["verdict"],
        "scale": None if entry is None else entry["scale"],
    }


def claims_table(claims: Sequence[Claim], known: Mapping[str, Entry | None]) -> Table:
    """The claims with their verdicts (and scales), numbers and titles."""
    table = Table(title=f"{len(claims)} claims")
    for column in ("id", "kind", "verdict", "scale", "number", "title"):
        table.add_column(column, overflow="fold", no_wrap=column in ("id", "kind", "verdict", "scale"))
    for claim in claims:
        entry = known.get(claim.id)
        verdict = "not run" if entry is None else entry["verdict"]
        scale = "" if entry is None else entry["scale"]
        badge = Text(verdict, style=_COLOURS.get(verdict, "yellow"))
        table.add_row(claim.id, str(claim.kind), badge, scale, Text(claim.number), Text(claim.title))
    return table


def verdicts_table(entries: Sequence[Mapping[str, Any]], pinned: Mapping[str, str]) -> Table:
    """One line a claim: verdict, time, summary; a verdict that differs from the pinned one is marked."""
    table = Table(title="claims ledger")
    table.add_column("claim", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("s", justify="right")
    table.add_column("summary", overflow="fold")
    for entry in entries:
        verdict, claim = entry["verdict"], entry["id"]
        text = Text(verdict, style=_COLOURS.get(verdict, "yellow"))
        if claim in pinned and verdict != pinned[claim]:
            text.append(f" (expected {pinned[claim]})", style="bold red")
        table.add_row(claim, text, f"{entry['seconds']:.1f}", Text(entry["summary"]))
    return table


def full_text(claim: Claim, entry: Entry | None, scale: str | None, stale: bool) -> Group:
    """Everything about one claim: statement, hypotheses, rule, control, evidence, and how to replay it."""
    lines = [
        Text(f"{claim.id}: {claim.number} (paper {claim.paper}; {claim.origin})", style="bold"),
        Text(f"\n{in_plain_text(claim.statement)}"),
    ]

    def section(title: str, body: Sequence[str]) -> None:
        lines.extend([Text(f"\n{title}", style="bold"), *(Text(f"  {line}") for line in body)])

    section("Hypotheses, as printed", tuple(map(in_plain_text, claim.hypotheses)) or ("none",))
    if claim.repairs:
        section("Repairs", (claim.repairs,))
    section("Verdict rule", (claim.rule,))
    section("False variant, which the same code must refute", (claim.control_statement,))
    if claim.positive_statement:
        section("True variant, which the same code must not reject", (claim.positive_statement,))
    if claim.severity:
        section("Cost of a refutation", (str(claim.severity),))
    if claim.needs:
        section("Reads the results of", claim.needs)
    if entry is None:
        asked = scale or "quick"
        section(f"Evidence at scale {asked}", (f"none stored: python -m theory_checks run {claim.id} --scale {asked}",))
    else:
        note = ["(made by another version of the code or of its inputs: run it again)"] if stale else []
        numbers = json.dumps(entry["numbers"], indent=1).splitlines()
        section(
            f"Evidence at scale {entry['scale']}: {entry['verdict']}, {entry['seconds']:.1f} s",
            [*note, entry["summary"], *numbers],
        )
    if claim.replay is not None:
        path = counterexamples.committed_path(claim.id)
        if entry is not None and entry["counterexample"] is not None:
            text = json.dumps(entry["counterexample"])
            section("Counterexample", (text if len(text) <= 2000 else text[:2000] + " ...",))
            section("Replay it", (f"python -m theory_checks replay {claim.id} --scale {entry['scale']}",))
        if path.is_file():
            section("Replay the committed counterexample", (f"python -m theory_checks replay {claim.id}",))
    return Group(*lines)


def replay_text(claim: Claim, result: counterexamples.Replayed, entry: Entry | None) -> str:
    """The two sides of a claim on a replayed counterexample with their meaning, and the report's words on the claim."""
    outcome = "violated: the claim fails on it" if result.violated else "NOT violated: the claim holds on it"
    lines = [
        f"{claim.id} ({claim.number}), counterexample {result.origin}",
        f"  claimed     {in_plain_text(claim.statement)}",
    ]
    lines += [f"  the sides   {counterexamples.sides(claim)}"] if counterexamples.sides(claim) else []
    lines += [f"  left side   {result.left}", f"  right side  {result.right}", f"  {outcome}"]
    if entry is not None:
        lines += [f"in the report, scale {entry['scale']}: {entry['verdict']}. {entry['summary']}"]
        lines += [f"  {name}: {json.dumps(value)}" for name, value in entry["numbers"].items()]
    return "\n".join(lines)

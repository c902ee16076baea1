"""What the sections of `docs/benchmarks.md` are written with: every number comes from a benchmark's result."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["SKIPPED", "duration", "made_by", "paragraphs", "table", "targets", "yes"]

SKIPPED = "The peer was skipped: torch or botorch is not installed."
"""Stands where the peer's numbers would."""


def made_by(result: dict[str, Any], name: str) -> str:
    """What was run, where, with which versions."""
    made = result["provenance"]
    versions = ", ".join(f"{name} {version}" for name, version in made["versions"].items())
    machine = made["machine"]
    return (
        f"Written by `make bench BENCH={name}` (`python -m benchmarks --only {name} --keep` keeps a run as the "
        "reference); not a number here is typed by hand.\n\n"
        f"Commit {made['commit']}; {machine['processor']}, {machine['cores']} cores, {machine['system']}, JAX on "
        f"{result['device']}; {versions}."
    )


def targets(entries: Iterable[Mapping[str, Any]]) -> str:
    """A table: target, what was reached, and whether that is enough."""
    rows = [
        (entry["name"], f"{entry['target']:.4g}", f"{entry['reached']:.3g}", yes(entry["met"])) for entry in entries
    ]
    return table(("target", "wanted", "reached", "met"), rows)


def duration(seconds: float) -> str:
    """Seconds or milliseconds."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1e3 * seconds:.3g} ms"


def yes(condition: bool) -> str:
    """Yes, or a bold no."""
    return "yes" if condition else "**no**"


def table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [header, tuple("---" for _ in header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def paragraphs(*parts: str) -> str:
    """The parts with an empty line between them, ended by a newline."""
    return "\n\n".join(parts) + "\n"

"""The pieces of the sections of `docs/benchmarks.md`: every number comes from a benchmark's result."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

__all__ = ["SKIPPED", "duration", "made_by", "paragraphs", "rendered", "span", "table", "targets", "yes"]

OLDER = "**Older than the code.** The measured code has changed since this run."
"""The remark above numbers of other code than today's."""

SKIPPED = "The peer was skipped: torch or botorch is not installed."
"""The remark in the place of the peer's numbers."""


def rendered(heading: str, result: Mapping[str, Any], *parts: str) -> str:
    """A section of the page: heading, the parts, the targets if the result has any, and the run with its machine.

    Args:
        heading: in Markdown.
        result: of a benchmark: `benchmark`, `provenance`, `device`, under its name what was measured, and `older` where
            the code that it measured is not today's.
        parts: paragraphs and tables; the first paragraph says what is measured and what came out.
    """
    name = result["benchmark"]
    old, entries = bool(result.get("older")), result[name].get("targets", ())
    provenance = made_by(result["provenance"], f"JAX on {result['device']}")
    made = f"Run: `make bench BENCH={name}`. {provenance}"
    age = OLDER if old else ""
    return paragraphs(
        *filter(None, (heading, parts[0], age, *parts[1:], targets(entries, old) if entries else "", made))
    )


def made_by(provenance: Mapping[str, Any], *more: str) -> str:
    """The commit, the machine and the versions of a run."""
    versions = ", ".join(f"{name} {version}" for name, version in provenance["versions"].items())
    machine = provenance["machine"]
    where = ", ".join((machine["processor"], f"{machine['cores']} cores", machine["system"], *more))
    return f"Commit {provenance['commit']}; {where}; {versions}."


def targets(entries: Iterable[Mapping[str, Any]], older: bool = False) -> str:
    """A table of targets: the target, the value reached, and whether it is met, which a run on other code
    leaves open."""
    rows = [
        (
            entry["name"],
            f"{entry['target']:.4g}",
            f"{entry['reached']:.3g}",
            "older than the code" if older else yes(entry["met"]),
        )
        for entry in entries
    ]
    return table(("target", "wanted", "reached", "met"), rows)


def span(values: Iterable[float], form: str = ".2g") -> str:
    """The least and the largest value: "2.5 to 7"; one number where both look alike."""
    found = list(values)
    return " to ".join(dict.fromkeys((format(min(found), form), format(max(found), form))))


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

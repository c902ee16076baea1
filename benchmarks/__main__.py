"""The command line: `python -m benchmarks [--only NAME] [--rounds N] [--keep]`, or `--document`; NAMES below."""

import argparse
import difflib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
from rich.console import Console

from benchmarks import (
    acquisition,
    acquisition_page,
    context,
    context_page,
    hyperparameters,
    hyperparameters_page,
    peer,
    proposal,
    streaming,
)
from benchmarks.document import render
from benchmarks.settings import Settings
from experiments.engine.provenance import provenance

ROOT = Path(__file__).resolve().parent.parent
LOCAL = ROOT / "results" / "local" / "bench"
REFERENCE = ROOT / "results" / "reference" / "bench"
DOCUMENT = ROOT / "docs" / "benchmarks.md"
NAMES = ("proposal", "acquisition", "context", "hyperparameters", "streaming")
WITH_PEER = ("proposal", "acquisition", "hyperparameters")
KEPT = (*WITH_PEER, "context")
SECTIONS = {
    "acquisition": acquisition_page.section,
    "context": context_page.section,
    "hyperparameters": hyperparameters_page.section,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status: 0 done (targets missed included: they are reported), 2 bad request."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", help=f"{', '.join(NAMES)}; streaming also follows proposal")
    parser.add_argument("--rounds", type=int, default=Settings.rounds, help="turns of every contestant")
    parser.add_argument("--keep", action="store_true", help="make this run a reference, and write docs/benchmarks.md")
    parser.add_argument("--document", action="store_true", help="only write docs/benchmarks.md from the references")
    options = parser.parse_args(arguments)
    console = Console(stderr=True)
    if options.document:
        _document()
        return 0
    name = options.only or "proposal"
    if name not in NAMES:
        near = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.4)
        guess = f" Did you mean {near[0]}?" if near else ""
        print(f"benchmarks: unknown benchmark {name!r}.{guess} Known: {', '.join(NAMES)}.", file=sys.stderr)
        return 2
    if options.rounds < 1:
        print(f"benchmarks: --rounds must be at least 1, got {options.rounds}", file=sys.stderr)
        return 2
    if name in WITH_PEER and not peer.available():
        _missing(console)
        if options.keep:
            print("benchmarks: --keep needs the peer", file=sys.stderr)
            return 2
    if options.keep and name not in KEPT:
        print(f"benchmarks: --keep needs --only {' or '.join(KEPT)}", file=sys.stderr)
        return 2
    minutes = 2 + options.rounds if name in ("context", "hyperparameters") else 5 + 5 * options.rounds
    console.print(f"About {minutes} minutes on 2 idle cores; other work on the machine blurs the ratios.")
    with console.status("starting") as status:
        result = _run(name, options.rounds, status.update)
    path = _write(LOCAL / f"{name}.json", result)
    print(SECTIONS.get(name, render)(result))
    console.print(f"written to {path.relative_to(ROOT)}")
    if name in WITH_PEER and not peer.available():
        _missing(console)
    if options.keep:
        _write(REFERENCE / f"{name}.json", result)
        _document()
        console.print(f"kept as the reference; {DOCUMENT.relative_to(ROOT)} rewritten")
    return 0


def _missing(console: Console) -> None:
    console.print(
        f"The peer is skipped: torch or botorch is not installed. To install it: {peer.INSTALL}",
        style="yellow",
        highlight=False,
    )


def _run(name: str, rounds: int, report: Any) -> dict[str, Any]:
    made_by = provenance()
    if name in WITH_PEER and peer.available():
        made_by["versions"] |= peer.versions()
    result: dict[str, Any] = {"benchmark": name, "provenance": made_by, "device": jax.default_backend()}
    if name == "acquisition":
        result["acquisition"] = acquisition.measure(acquisition.AcquisitionSettings(rounds=rounds), report)
        return result
    if name == "context":
        result["context"] = context.measure(context.ContextSettings(rounds=rounds), report)
        return result
    if name == "hyperparameters":
        task = hyperparameters.HyperparameterSettings(rounds=rounds)
        result["hyperparameters"] = hyperparameters.measure(task, report)
        return result
    if name == "proposal":
        result["proposal"] = proposal.measure(Settings(rounds=rounds), report)
    result["streaming"] = streaming.measure(report)
    return result


def _write(path: Path, result: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=1, allow_nan=False) + "\n")
    return path


def page() -> str:
    """`docs/benchmarks.md`, from the committed references."""
    parts = [render(json.loads((REFERENCE / "proposal.json").read_text()))]
    for name, section in SECTIONS.items():
        if (REFERENCE / f"{name}.json").is_file():
            parts.append(section(json.loads((REFERENCE / f"{name}.json").read_text())))
    return "\n".join(parts)


def _document() -> None:
    DOCUMENT.write_text(page())


if __name__ == "__main__":
    sys.exit(main())

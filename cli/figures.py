"""Command line: `python -m paper_figures draw|report [--scale SCALE] [--only NAMES]`, or `publish|article|site`."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from cli.selection import select
from experiments.engine.command_line import check_folder, in_words, leave_quietly, scale
from experiments.engine.provenance import usable_cores
from experiments.engine.scale import SCALES
from experiments.engine.store import ROOT as RESULTS
from paper_figures.claims import load_claims, load_published, places, print_claims, tally
from paper_figures.draw import Drawn, draw_all, summary
from paper_figures.figure import figures
from paper_figures.headline_pictures import write_pictures
from paper_figures.publish import PAGES, write_pages
from paper_figures.sentences import by_figure
from paper_figures.site.build import build_site

PROJECT = RESULTS.parent
ONLY_HELP = "figures, studies, claims or papers, separated by commas; default all"

console = Console(width=None if sys.stdout.isatty() else 140)
errors = Console(stderr=True)


def _announce(drawn: Drawn) -> None:
    if drawn.data is None:
        console.print(f"  {drawn.spec.id}: [yellow]skipped[/], {drawn.reason}", soft_wrap=True, highlight=False)
    elif drawn.fresh:
        console.print(f"  {drawn.spec.id}: {drawn.spec.provenance(drawn.data)}", soft_wrap=True, highlight=False)


def draw(arguments: argparse.Namespace) -> int:
    """Draw the figures; exit status 1 where none of the selected figures has results."""
    chosen = select(arguments.only).figures
    drawn = draw_all(
        chosen, arguments.scale, arguments.results, arguments.figures, _announce, workers=usable_cores(),
        sentences=by_figure(load_claims(arguments.scale, arguments.results)),
    )  # fmt: skip
    console.print(f"{summary(drawn)}; in {_near(arguments.figures)}", soft_wrap=True, highlight=False)
    return 1 if drawn and all(item.data is None for item in drawn) else 0


def report(arguments: argparse.Namespace) -> int:
    """Draw the figures that are not up to date, make the site of this machine's results, print the claims table."""
    chosen = select(arguments.only)
    every = load_claims(arguments.scale, arguments.results)
    drawn = draw_all(
        chosen.figures, arguments.scale, arguments.results, arguments.figures, _announce, workers=usable_cores(),
        sentences=by_figure(every),
    )  # fmt: skip
    claims = [entry for entry in every if entry.claim in chosen.claims]
    page = build_site(drawn, claims, arguments.scale, arguments.results, arguments.report, interface=False)
    print_claims(claims, console)
    console.print(summary(drawn), highlight=False)
    console.print(f"report: {_near(page)}", soft_wrap=True, highlight=False)
    return 0


def site(arguments: argparse.Namespace) -> int:
    """Make the site of the committed results; draw the figures that are not up to date."""
    claims = load_published(arguments.results)
    drawn = draw_all(
        figures().values(), "quick", arguments.results, arguments.figures, _announce, local=False,
        workers=usable_cores(), sentences=by_figure(claims),
    )  # fmt: skip
    page = build_site(drawn, claims, "quick", arguments.results, arguments.site)
    console.print(f"site: {_near(page)}", soft_wrap=True, highlight=False)
    return 0


def publish(arguments: argparse.Namespace) -> int:
    """Write the pages in the repository, and README's pictures, from committed results."""
    claims = load_published(arguments.results)
    with tempfile.TemporaryDirectory() as scratch:
        pictures = write_pictures(arguments.results, arguments.repository, Path(scratch), by_figure(claims))
    for path in (*pictures, *write_pages(PAGES, claims, arguments.repository)):
        console.print(f"written: {_near(path)}", soft_wrap=True, highlight=False)
    console.print(f"claims: {tally(claims)}; evidence from {places(claims) or 'nowhere yet'}", highlight=False)
    return 0


def article(arguments: argparse.Namespace) -> int:
    """Typeset the article from committed results."""
    from paper_figures.article.typeset import typeset  # Typst is loaded where it is used

    path = typeset(arguments.results, arguments.report / "article.pdf", workers=usable_cores())
    console.print(f"article: {_near(path)}", soft_wrap=True, highlight=False)
    return 0


def _near(path: Path) -> Path:
    """The path relative to the working directory, where it lies below that directory."""
    path = path.resolve()
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def parser() -> argparse.ArgumentParser:
    """The argument parser of the command line."""
    top = argparse.ArgumentParser(prog="python -m paper_figures", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)
    publishing = commands.add_parser("publish", help="write CLAIMS.md and pages of docs/ from committed results")
    publishing.set_defaults(action=publish)
    publishing.add_argument("--results", type=Path, default=RESULTS, metavar="DIR", help="holds reference/")
    publishing.add_argument("--repository", type=Path, default=PROJECT, metavar="DIR", help="folder of the pages")
    typesetting = commands.add_parser("article", help="write report/article.pdf from committed results")
    typesetting.set_defaults(action=article)
    typesetting.add_argument("--results", type=Path, default=RESULTS, metavar="DIR", help="holds reference/")
    typesetting.add_argument(
        "--report", type=Path, default=PROJECT / "report", metavar="DIR", help="path of the article"
    )
    whole = commands.add_parser("site", help="make the site of the committed results")
    whole.set_defaults(action=site)
    whole.add_argument("--results", type=Path, default=RESULTS, metavar="DIR", help="holds reference/")
    drawings = PROJECT / ".cache" / "site"
    whole.add_argument("--figures", type=Path, default=drawings, metavar="DIR", help="folder of the figures")
    whole.add_argument("--site", type=Path, default=PROJECT / "site", metavar="DIR", help="folder of the pages")
    for name, action, words in (
        ("draw", draw, "draw the figures from stored results"),
        ("report", report, "make the site of this machine's results in report/, print the claims table"),
    ):
        sub = commands.add_parser(name, help=words)
        sub.set_defaults(action=action)
        sub.add_argument("--scale", type=scale, default="quick", metavar="|".join(SCALES), help="default quick")
        sub.add_argument("--only", metavar="NAMES", help=ONLY_HELP)
        sub.add_argument(
            "--results", type=Path, default=RESULTS, metavar="DIR", help="folder that holds local/ and reference/"
        )
        sub.add_argument(
            "--figures", type=Path, default=PROJECT / "figures", metavar="DIR", help="folder of the figures"
        )
        if name == "report":
            sub.add_argument(
                "--report", type=Path, default=PROJECT / "report", metavar="DIR", help="folder of the page"
            )
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; bad input gives a message and exit status 2."""
    arguments = parser().parse_args(argv)
    try:
        for name in ("results", "figures", "report", "repository", "site"):
            if folder := getattr(arguments, name, None):
                check_folder(folder)
        return int(arguments.action(arguments))
    except BrokenPipeError:
        return leave_quietly()
    except (KeyError, OSError, RuntimeError, ValueError) as error:
        errors.print(f"error: {in_words(error)}", soft_wrap=True, markup=False, highlight=False)
        return 2

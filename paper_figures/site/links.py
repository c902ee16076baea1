"""Finishes a page of the site: links between documents, names of claims, badges of verdicts, pictures."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from paper_figures.claims import BADGES
from paper_figures.figure import figures as known_figures
from paper_figures.site.documents import REPOSITORY, Page, outside_code, slug
from paper_figures.site.places import claim_place, figure_page, relative
from theory_checks.ledger import Claim

__all__ = ["Finisher"]

LINK = re.compile(r"(!?\[(?:[^\[\]\n]|\n(?!\n)|\[[^\[\]\n]*\])*+\])\((?!https?:|mailto:)([^)\s]+)\)")
CODE = re.compile(r"(\[[^\[\]]*+\]\([^)]*+\)|`++[^`]++`++|<[^<>]++>)")
BADGE = re.compile("(" + "|".join(f"{re.escape(sign)} {word}" for word, (sign, _) in BADGES.items()) + r")(?![\w-])")
WIDE = re.compile(r"^\|(?:[^|\n]*\|){6,}$", re.MULTILINE)
"""A row of a table that needs the whole width of the screen."""
EMPTY = re.compile(r"^### .*\n\n<!-- figure ([\w.]+) -->\n\nNo sentence on its own\.\n\n", re.MULTILINE)
"""The section of a figure without a sentence, which is left out where the figure is not shown."""
COMMENT = re.compile(r"<!-- (facts|figures|figure|filter) ?([\w.]*) -->")
DRAWING = re.compile(r"<!-- link ([\w.]+) -->([^\n]+)")
"""A further drawing by its name, which the site makes a link."""


@dataclass
class Finisher:
    """The possible targets of links.

    Attributes:
        pages: the pages of documents.
        claims: the claims with a page, by id.
        figures: the ids of figures with a page.
        drawn: the ids of figures with a picture.
        facts: version, commit, date and results, in one line.
        assets: files of the repository that pages show -> their place on the site; filled as pages are finished.
    """

    pages: Iterable[Page]
    claims: Mapping[str, Claim]
    figures: frozenset[str]
    drawn: frozenset[str]
    facts: str
    assets: dict[Path, str]

    def __post_init__(self) -> None:
        self._by_source: dict[str, list[Page]] = {}
        for page in self.pages:
            self._by_source.setdefault(page.source, []).append(page)
        self._places = {name: claim_place(name, self.claims) for name in self.claims}
        self._claim_pages = {place.partition("#")[0] for place in self._places.values()}

    def finished(self, page: Page) -> str:
        """The page's Markdown in the form that the site needs."""
        text = outside_code(lambda part: self._prose(part, page), page.text)
        return f"---\nhide: [toc]\n---\n\n{text}" if WIDE.search(text) else text

    def _prose(self, text: str, page: Page) -> str:
        if page.source:
            text = LINK.sub(lambda found: self._link(found[1], found[2], page), text)
        text = EMPTY.sub(lambda found: found[0] if found[1] in self.figures else "", text)
        text = re.sub(r"(?<=\d) %", "\u00a0%", text)
        text = DRAWING.sub(lambda found: self._drawing(found[1], found[2], page.target), text)
        text = COMMENT.sub(lambda found: self._comment(found[1], found[2], page.target), text)
        text = "\n".join(self._claims(line, page.target) for line in text.split("\n"))
        return BADGE.sub(lambda found: _badge(found[1]), text)

    def _comment(self, kind: str, name: str, here: str) -> str:
        if kind == "facts":
            return f'<span class="facts">{self.facts}</span>'
        if kind == "figures":
            return "## Figures"
        if kind == "filter":
            return '<div class="filters"></div>'
        if name not in self.figures:
            return "Not shown here."
        where = relative(figure_page(name), here)
        spec = known_figures()[name]
        if name not in self.drawn:
            return f"Not drawn: no results. [Caption and command]({where})"
        picture = relative(f"figures/{spec.filename}.png", here)
        return f"[![{spec.number}]({picture}){{ loading=lazy }}]({where})\n\n[Caption, numbers, command]({where})"

    def _drawing(self, name: str, words: str, here: str) -> str:
        return f"[{words}]({relative(figure_page(name), here)})" if name in self.figures else words

    def _link(self, words: str, address: str, page: Page) -> str:
        if "](" in words:  # a picture that is a link
            words = f"[{LINK.sub(lambda found: self._link(found[1], found[2], page), words[1:-1])}]"
        path, _, anchor = address.partition("#")
        if path.endswith(".svg") and "/" not in path:  # the page is made together with its picture
            return f"{words}({address})"
        if not path and not page.source.endswith(".md"):
            return f"{words}({address})"
        source = _normal(PurePosixPath(page.source).parent / path) if path else page.source
        known = self._by_source.get(source)
        if (place := source.removeprefix("docs/")) in self._claim_pages:
            return f"{words}({relative(place, page.target)}{f'#{anchor}' if anchor else ''})"
        if known:
            to = next((one for one in known if anchor and anchor in one.anchors), known[0])
            mark = f"#{anchor}" if anchor and anchor in to.anchors and not _is_title(anchor, to) else ""
            if to is page and mark:
                return f"{words}({mark})"
            return f"{words}({relative(to.target, page.target)}{mark})"
        file = REPOSITORY / source
        if file.suffix in (".png", ".svg", ".json", ".toml", ".bib", ".cff") and file.is_file():
            place = self.assets.setdefault(file, f"assets/{source}")
            return f"{words}({relative(place, page.target)})"
        return words.lstrip("!")[1:-1] if words.startswith("!") else f"{words[1:-1]} (`{source}`)"

    def _claims(self, line: str, here: str) -> str:
        if line.startswith("#"):
            return line
        pieces = CODE.split(line)
        for index, piece in enumerate(pieces):
            name = piece.strip("`")
            if index % 2 and piece.startswith("`") and name in self._places:
                pieces[index] = self._to_claim(piece, name, here)
            elif index % 2 == 0:
                pieces[index] = _IDS.sub(lambda found: self._to_claim(found[0], found[0], here), piece)
        return "".join(pieces)

    def _to_claim(self, words: str, name: str, here: str) -> str:
        place = self._places.get(name)
        return f"[{words}]({relative(place, here)})" if place and place.partition("#")[0] != here else words


_IDS = re.compile(r"(?<![\w./`-])(?:boke|cei|ctx|uhe)\.[A-Za-z0-9_]+(?![\w./-]*[\w/])")


def _badge(text: str) -> str:
    sign, _, word = text.partition(" ")
    return f'<span class="badge {word.replace(" ", "-")}">{sign} {word}</span>'


def _normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _is_title(anchor: str, page: Page) -> bool:
    """True for the anchor of the page's first heading, which is the beginning of the page."""
    return anchor == slug(page.text.lstrip().split("\n", 1)[0].lstrip("# "))

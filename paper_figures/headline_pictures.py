"""README's picture: the figure of the first paper's headline claims, drawn from committed results."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image

from paper_figures.draw import draw_all
from paper_figures.figure import figures
from paper_figures.footer import Sentence
from paper_figures.headlines import headlines
from paper_figures.images import few_colours

__all__ = ["FOLDER", "WIDTH", "picture_path", "write_pictures"]

FOLDER = "docs/pictures"
WIDTH = 820
"""The width in pixels, which is that of README's column."""


def picture_path(figure: str) -> str:
    """The path of README's picture of a figure in the repository, "docs/pictures/boke_fig6.png"."""
    return f"{FOLDER}/{figure.replace('.', '_')}.png"


def write_pictures(
    results: Path, repository: Path, scratch: Path, sentences: Mapping[str, Sequence[Sentence]]
) -> list[Path]:
    """Draw the first paper's headline figure from results/reference, at scale quick where possible, and write it small.

    Figures without results are left as they are. `scratch` takes the drawings; `sentences` stand under the panels.
    Raises `OSError` where a folder cannot be written.
    """
    known = figures()
    written = []
    for record in headlines()[:1]:
        [drawn] = draw_all([known[record.figure]], "quick", results, scratch, local=False, sentences=sentences)
        if drawn.image is None:
            continue
        target = repository.resolve() / picture_path(record.figure)
        target.parent.mkdir(parents=True, exist_ok=True)
        with Image.open(drawn.image) as image:
            height = round(image.height * WIDTH / image.width)
            small = image.convert("RGB").resize((WIDTH, height), Image.Resampling.LANCZOS)
        few_colours(small).save(target, optimize=True)
        written.append(target)
    return written

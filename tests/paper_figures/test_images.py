"""Pictures of few colours keep the colours of the methods; README's pictures exist, are small and described."""

import numpy as np
from PIL import Image, ImageColor

from experiments.engine.store import ROOT
from paper_figures.figure import figures
from paper_figures.headline_pictures import WIDTH, picture_path, write_pictures
from paper_figures.headlines import headlines
from paper_figures.images import HOUSE, few_colours
from paper_figures.style import METHODS


def test_few_colours_keep_every_methods_colour():
    """A picture has a stripe of each method's colour among many shades, so that a palette of its most frequent colours
    would lose the stripes."""
    colours = sorted({method.colour for method in METHODS.values()})
    shades = np.random.default_rng(0).integers(0, 256, (400, 400, 3), np.uint8)
    for row, colour in enumerate(colours):
        shades[row] = ImageColor.getrgb(colour)
    few = np.asarray(few_colours(Image.fromarray(shades)).convert("RGB"))
    for row, colour in enumerate(colours):
        assert (few[row] == ImageColor.getrgb(colour)).all(), colour
    assert len(np.unique(few.reshape(-1, 3), axis=0)) <= len(HOUSE) + 16


def test_every_colour_of_a_method_is_the_houses():
    assert {method.colour for method in METHODS.values()} <= set(HOUSE)


def test_readmes_picture():
    record = headlines()[0]
    path = ROOT.parent / picture_path(record.figure)
    with Image.open(path) as image:
        assert image.width == WIDTH
    assert path.stat().st_size < 100_000
    number = figures()[record.figure].number
    assert f"[![{record.paper.letter}, {number}: " in (ROOT.parent / "README.md").read_text(encoding="utf-8")


def test_pictures_without_results_are_left(tmp_path):
    assert write_pictures(tmp_path / "results", tmp_path / "repository", tmp_path / "scratch", {}) == []
    assert not (tmp_path / "repository").exists()

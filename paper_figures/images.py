"""Pictures of few colours, which keep the colours that name the methods."""

from PIL import Image, ImageColor

from paper_figures.style import GREY, INDIGO, OKABE_ITO, OLIVE, WINE

__all__ = ["HOUSE", "few_colours"]

COLOURS = 14
"""The number of colours of an image on a page beside the style's own: bands, letters and edges need no more. PDF files
are exact."""
GREYS = ("#4c4c4c", "#999999", "#b8b8b8", "#e2e2e2")
"""The edges of black and grey lines, and the grid, which take the tint of a band without these colours."""
HOUSE = (*OKABE_ITO, GREY, INDIGO, OLIVE, WINE, "#FFFFFF", *GREYS)
"""Exact colours: a line's colour names its method, and white stays white."""
APART = 10
"""The least difference of another colour from each of these, in a channel of 256 levels."""


def few_colours(image: Image.Image) -> Image.Image:
    """The image in the style's colours and the `COLOURS` further colours that fit it best."""
    exact = image.convert("RGB")
    others = exact.quantize(COLOURS, dither=Image.Dither.NONE).getpalette() or []
    house = [ImageColor.getrgb(colour)[:3] for colour in HOUSE]
    further = [tuple(others[at : at + 3]) for at in range(0, min(3 * COLOURS, len(others)), 3)]
    further = [
        one for one in further if all(max(abs(a - b) for a, b in zip(one, kept, strict=True)) > APART for kept in house)
    ]
    colours = [channel for colour in (*house, *further) for channel in colour]
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours + colours[:3] * (256 - len(colours) // 3))
    return exact.quantize(palette=palette, dither=Image.Dither.NONE)

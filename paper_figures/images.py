"""Figures as the page holds them: lossless WebP of few colours, a fifth smaller than PNG, in the address itself."""

import base64
import io
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageColor

from paper_figures.style import GREY, INDIGO, OKABE_ITO, OLIVE, WINE

__all__ = ["Embedded", "embedded", "few_colours", "thumbnail"]

COLOURS = 14
"""Colours of an image on the page, beside the house's: bands, letters and edges need no more; PDF files are exact."""
GREYS = ("#4c4c4c", "#999999", "#b8b8b8", "#e2e2e2")
"""Edges of black and grey lines, and the grid: without these they take the tint of a band."""
HOUSE = (*OKABE_ITO, GREY, INDIGO, OLIVE, WINE, "#FFFFFF", *GREYS)
"""Kept exactly, for a line's colour says which method it is, and what is white stays white."""
APART = 10
"""Levels, of 256, in a channel by which another colour differs from each of these."""
THUMBNAIL = (190, 130)
"""Pixels across and down that a picture in the index of figures may take."""
DOTS_PER_INCH = 200  # of the PNG files, as in the style sheet
PAGE_PIXELS_PER_INCH = 146  # a figure of the text width, 7 in, fills the page's column


@dataclass(frozen=True)
class Embedded:
    """An image as an address, and its size on the page in CSS pixels."""

    address: str
    width: int
    height: int


@lru_cache(maxsize=256)
def embedded(path: Path) -> Embedded:
    """The PNG file with `COLOURS` colours. Raises `OSError` where it cannot be read."""
    with Image.open(path) as image:
        width, height = image.size
        few = few_colours(image)
    scale = PAGE_PIXELS_PER_INCH / DOTS_PER_INCH
    return Embedded(_address(few), round(width * scale), round(height * scale))


@lru_cache(maxsize=256)
def thumbnail(path: Path) -> Embedded:
    """The PNG file within `THUMBNAIL` pixels, in few colours. Raises `OSError` where it cannot be read."""
    with Image.open(path) as image:
        small = image.convert("RGB")
    small.thumbnail(THUMBNAIL, Image.Resampling.LANCZOS)
    few = few_colours(small)
    return Embedded(_address(few), *few.size)


def few_colours(image: Image.Image) -> Image.Image:
    """The image in the house's colours and the `COLOURS` that serve it best beside them."""
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


def _address(image: Image.Image) -> str:
    content = io.BytesIO()
    image.convert("RGB").save(content, "WEBP", lossless=True, method=3, quality=60)
    return f"data:image/webp;base64,{base64.b64encode(content.getvalue()).decode()}"

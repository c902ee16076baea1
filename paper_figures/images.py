"""Figures as the page holds them: lossless WebP of few colours, a fifth smaller than PNG, in the address itself."""

import base64
import io
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image

__all__ = ["Embedded", "embedded", "thumbnail"]

COLOURS = 24
"""Of an image on the page: lines, letters and their edges need no more; the PDF files are exact."""
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
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    scale = PAGE_PIXELS_PER_INCH / DOTS_PER_INCH
    return Embedded(_address(few), round(width * scale), round(height * scale))


@lru_cache(maxsize=256)
def thumbnail(path: Path) -> Embedded:
    """The PNG file within `THUMBNAIL` pixels, in few colours. Raises `OSError` where it cannot be read."""
    with Image.open(path) as image:
        small = image.convert("RGB")
    small.thumbnail(THUMBNAIL, Image.Resampling.LANCZOS)
    few = small.quantize(2 * COLOURS, dither=Image.Dither.NONE)
    return Embedded(_address(few), *few.size)


def _address(image: Image.Image) -> str:
    content = io.BytesIO()
    image.convert("RGB").save(content, "WEBP", lossless=True, method=3, quality=60)
    return f"data:image/webp;base64,{base64.b64encode(content.getvalue()).decode()}"

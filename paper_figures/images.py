"""Figures as the page holds them: PNG with few colours, in the address itself."""

import base64
import io
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image

__all__ = ["Embedded", "embedded"]

COLOURS = 32
"""Of an image on the page: lines, letters and their edges need no more; the PDF files are exact."""
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
    content = io.BytesIO()
    few.save(content, "PNG", compress_level=9)
    scale = PAGE_PIXELS_PER_INCH / DOTS_PER_INCH
    text = base64.b64encode(content.getvalue()).decode()
    return Embedded(f"data:image/png;base64,{text}", round(width * scale), round(height * scale))

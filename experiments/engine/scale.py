"""The scales: how much of each study is run.

`smoke` shows in minutes that everything works, `quick` gives readable results, `paper` is the papers' own size.

`python -m experiments.engine.scale NAME` checks a name. The Makefile asks it first: it needs the standard library only.
"""

import sys

from experiments.engine.names import unknown

SCALES = ("smoke", "quick", "paper")


def parse_scale(text: str) -> str:
    """The scale of that name. Raises ValueError, naming the near ones, for any other text."""
    scale = text.strip().lower()
    if scale not in SCALES:
        raise ValueError(unknown("scale", text, SCALES))
    return scale


if __name__ == "__main__":
    try:
        parse_scale(" ".join(sys.argv[1:]))
    except ValueError as error:
        sys.exit(f"SCALE: {error}")

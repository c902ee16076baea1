"""Every test in the list of slow tests exists."""

import re
from pathlib import Path

from tests.slow_list import FILES, LISTED, QUICK

ROOT = Path(__file__).parent.parent


def test_what_is_listed_exists() -> None:
    assert len(set(LISTED)) == len(LISTED)
    for name in FILES:
        assert (ROOT / name).is_file(), name
    for test in QUICK:
        path, _, function = test.partition("::")
        assert path in FILES, test
        assert re.search(rf"^def {function}\(", (ROOT / path).read_text(), re.MULTILINE), test

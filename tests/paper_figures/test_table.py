"""Numbers as text, and tables of one shape."""

import numpy as np
import pytest

from paper_figures.table import Table, interval, number, p_value, seconds


def test_numbers_as_text():
    assert [number(v) for v in (0.0, 1.0, -0.01234, 1.5e-7, 123456.0, np.nan, -np.inf)] == [
        "0", "1", "−0.0123", "1.50e−7", "1.23e5", "n/a", "−∞",
    ]  # fmt: skip
    assert interval(-1.0, 2.5) == "[−1, 2.5]"
    assert [p_value(v) for v in (0.5, 1e-4, np.nan)] == ["0.500", "< 0.001", "n/a"]
    assert [seconds(v) for v in (0.456, 9.94, 42.4, 59.6, 185.0, 3599.6, 7805.0)] == [
        "0.46 s", "9.9 s", "42 s", "1 min 00 s", "3 min 05 s", "1 h 00 min", "2 h 10 min",
    ]  # fmt: skip


def test_ragged_table_is_refused():
    with pytest.raises(ValueError, match="1 cells for 2 columns"):
        Table("x", ("a", "b"), (("1",),))

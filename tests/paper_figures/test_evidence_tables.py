"""Labels of the numbers of the evidence."""

from paper_figures.evidence_tables import evidence_tables
from paper_figures.table import MINUS


def test_things_described_alike_make_a_table():
    numbers = {
        "level": 0.001,
        "boke": {
            "pairs": 48,
            "problems": {"six_hump_camel": {"mean": [1.0, -0.5, 2.0]}, "q": {"mean": [2.0, 1.0, 3.0]}},
        },
        "held": True,
        "names": ["a", "b"],
    }
    singles, problems = evidence_tables(numbers)
    assert singles.rows == (
        ("level of each test", "0.001"), ("BOKE, pairs", "48"), ("held", "yes"), ("names", "a, b")
    )  # fmt: skip
    assert problems.title == "BOKE, problems"
    assert problems.header == ("", "mean [95 % interval]")
    assert problems.rows == (("Six-Hump Camel", f"1 [{MINUS}0.5, 2]"), ("q", "2 [1, 3]"))


def test_long_lists_are_told_by_their_range_and_nothing_makes_no_table():
    assert evidence_tables({}) == []
    (table,) = evidence_tables({"values": list(range(500))})
    assert table.rows[0][1] == "500 values from 0 to 499"
    (table,) = evidence_tables({"values": [["a", 1.5, -2.0]] * 50})
    assert table.rows[0][1] == f"50 rows from {MINUS}2 to 1.5"

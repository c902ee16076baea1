"""The fat Cantor kernel satisfies Assumption 3."""

from fractions import Fraction

from theory_checks.boke.testbeds import fat_cantor


def test_fat_cantor_is_a_kernel_of_assumption_3():
    grid = [Fraction(n, 4096) for n in range(-5000, 5001)]
    values = [fat_cantor.fat_cantor(u) for u in grid]
    assert fat_cantor.fat_cantor(Fraction(0)) == 1
    assert all(0 <= value <= 1 for value in values)
    assert values == values[::-1]
    assert all(value == 0 for u, value in zip(grid, values, strict=True) if abs(u) > 1)
    steps = [abs(b - a) / (v - u) for u, v, a, b in zip(grid, grid[1:], values, values[1:], strict=False)]
    assert max(steps) <= 8


def test_fat_cantor_set_has_positive_length_and_no_interior():
    intervals = [(Fraction(1, 2), Fraction(1))]
    for level in range(1, 9):
        gaps = [fat_cantor._gap(low, high, level) for low, high in intervals]
        assert all(low < left < right < high for (low, high), (left, right) in zip(intervals, gaps, strict=True))
        pairs = zip(intervals, gaps, strict=True)
        intervals = [half for (low, high), (left, right) in pairs for half in ((low, left), (right, high))]
        total = sum(high - low for low, high in intervals)
        assert total == Fraction(1, 4) + Fraction(1, 4 * 2**level)
    assert max(high - low for low, high in intervals) < Fraction(1, 2 * 2**8)
    ends = [end for interval in intervals for end in interval]
    assert all(fat_cantor.fat_cantor(end) == 0 for end in ends)


def test_discontinuity_lengths_tend_to_an_eighth():
    lengths = fat_cantor.discontinuity_lengths(fat_cantor.DATA, (2, 4, 7))
    assert lengths == [Fraction(1, 8) + Fraction(1, 8 * 2**level) for level in (2, 4, 7)]


def test_equal_values_do_not_jump():
    points, values = [Fraction(0), Fraction(5, 4)], [Fraction(1), Fraction(1)]
    assert all(fat_cantor.regression(Fraction(n, 512), points, values) == 1 for n in range(640))

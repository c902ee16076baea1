"""Table 1: the counts of appendix C by hand."""

import pytest

from theory_checks.ctx import table1


def test_counts_by_hand():
    counts = table1.operations()
    posterior = sum(t * t + 3 * t for t in range(1, 101))
    assert counts["context_free_ucb"] == posterior
    assert counts["sbo_kde"] == counts["stable_opt"] == 1024 * posterior
    assert counts["drbo_kde"] == 2048 * posterior
    assert counts["drbo_mmd"] == pytest.approx(100 * posterior + 1e8)
    assert counts["drbo_mmd_minimax"] == 1024 * posterior + 100 * 1024**2


def test_the_order_depends_on_the_constant_of_the_cubic_term():
    least = table1.least_cubic_constant()
    assert 6 < least < 8
    assert not table1.reversed_pairs(table1.PRINTED, table1.operations(cubic=1.01 * least))
    below = table1.reversed_pairs(table1.PRINTED, table1.operations(cubic=0.99 * least))
    assert below == ["drbo_mmd / drbo_kde"]
    assert "drbo_kde / sbo_kde" in table1.reversed_pairs(table1.PRINTED, table1.operations(effort=0.1))

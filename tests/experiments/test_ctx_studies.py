"""Studies of Paper C: their cells, and what is stored against definitions worked out here."""

import numpy as np
import pytest
from scipy import integrate, stats

from experiments.ctx import table2
from experiments.registry import STUDIES
from experiments.scale import SCALES


@pytest.mark.parametrize("scale", SCALES)
def test_cells_are_distinct(scale):
    cells = STUDIES["ctx.table2"].cells(scale)
    assert [cell.problem for cell in cells] == ["normal", "complicated"]
    assert len({cell.digest for cell in cells}) == 2


@pytest.mark.parametrize("name", sorted(table2.DISTRIBUTIONS))
def test_draws_have_the_density(name):
    drawn = table2.draw(name, 3, 4000)
    cdf = integrate.cumulative_trapezoid(table2.density(name, table2._GRID), table2._GRID, initial=0.0)
    assert cdf[-1] == pytest.approx(1.0, abs=1e-4)
    assert stats.kstest(drawn, lambda c: np.interp(c, table2._GRID, cdf)).pvalue > 0.01


@pytest.mark.parametrize("domain", ["line", "box"])
def test_distance_matches_adaptive_quadrature(domain):
    contexts, count = table2.draw("normal", 1, 30), 12
    used = contexts[:count]
    width = used.std() * (4 / 3 / count) ** 0.2

    def gap(c):
        return abs(stats.norm.pdf(c, used, width).mean() - stats.norm.pdf(c, 0.5, 0.1))

    low, high = (0.0, 1.0) if domain == "box" else (-2.0, 3.0)
    expected = integrate.quad(gap, low, high, limit=500, points=[0.2, 0.4, 0.6, 0.8])[0]
    assert table2.distance("normal", contexts, count, domain) == pytest.approx(expected, rel=1e-4)


def test_a_context_far_out_is_counted_on_the_line_only():
    contexts = np.append(np.linspace(0.3, 0.7, 9), 1e5)
    on_line, in_box = (table2.distance("normal", contexts, 10, domain) for domain in ("line", "box"))
    assert on_line == pytest.approx(2.0, abs=0.05)  # such a width spreads all of the estimate far away
    assert in_box == pytest.approx(1.0, abs=0.05)

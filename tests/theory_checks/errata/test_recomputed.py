"""The numbers by which records show a misprint or a false step are computed again."""

import math

import pytest
from scipy.special import gammaincc

from experiments.papers import BY_KEY
from theory_checks.errata.records import records


def words(name):
    (record,) = (one for one in records(BY_KEY[name.split(".")[0]]) if one.id == name)
    return f"{record.printed} {record.why} {record.ours}"


def test_the_radius_without_an_expectation():
    """C_4 of f(x, c) = Z c: P(|Z| > L) <= exp(-L^2 / 2), so a = 1 and b^2 = 2; D = 2, r = 1."""
    constant = math.sqrt(2) * 2 * math.sqrt(math.pi) / 2 + math.sqrt(2 / math.pi)
    assert f"{constant:.3f}" in words("ctx.proofs.c4_expectation")
    assert f"{2 * constant:.2f}" in words("ctx.proofs.c4_expectation")
    assert math.erfc(2 * constant / math.sqrt(2)) == pytest.approx(3.9e-11, rel=0.01)
    assert all(math.erfc(level / math.sqrt(2)) <= math.exp(-(level**2) / 2) for level in (0.0, 0.1, 1.0, 5.0))


def test_the_exponent_of_an_empty_part():
    count, root = 10**8, 10.0**4
    found = (count - 1) / 2 * math.log1p(-1 / root) / root
    assert f"{found:.6f}".replace("-", "−") in words("uhe.proofs.exponent_quarter")


def test_the_eigenvalues_of_the_squared_exponential():
    a, theta = 1.0, 0.5
    b = 1 / (2 * theta**2)
    large = a + b + math.sqrt(a**2 + 2 * a * b)
    root = 2 * theta**2 * math.sqrt(a**2 + a / theta**2)
    assert large / b == pytest.approx(1 + 2 * theta**2 * a + root)
    assert large / b != pytest.approx(1 + 2 * theta**2 * a + root / theta)
    assert f"b/A = {b / large:.3f}" in words("uhe.proofs.eigenvalues")
    assert b / a > 1


@pytest.mark.parametrize("dim", [1, 2, 4])
def test_the_tail_of_the_eigenvalues_sums_from_zero(dim):
    """Gamma(d, beta) = (d - 1)! exp(-beta) sum over k < d of beta^k / k!"""
    beta = 1.7
    terms = [beta**k / math.factorial(k) for k in range(dim)]
    assert gammaincc(dim, beta) == pytest.approx(math.exp(-beta) * sum(terms))
    assert sum(terms[1:]) < sum(terms)


def test_convolutions_of_resnet50():
    blocks = (3, 4, 6, 3)
    assert sum(blocks) == 16
    assert f"{1 + 3 * sum(blocks) + len(blocks)} convolutions" in words("cei.experiments.resnet50_parameters")


def test_the_diagonal_of_the_kernel_matrix():
    assert f"0.16² = {0.16**2:.4f}" in words("cei.experiments.figure_5_diagonal")

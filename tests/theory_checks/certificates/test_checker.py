"""The checker confirms right certificates, refuses wrong ones, and does not pass certificates that it cannot decide."""

import pytest

from theory_checks.certificates.checker import Balls, Boxes, Identity, Unverified


def refused(step: Balls | Boxes | Identity, words: str = "") -> None:
    with pytest.raises(Unverified, match=words or "."):
        step.verify()


@pytest.mark.parametrize(
    "true",
    [
        "exp(1) > 2.718281828459045",
        "exp(1) < 2.718281828459046",
        "1/3 + 1/6 == 1/2",
        "0.1 + 0.2 == 0.3",
        "tau(0) == tau(0) if 1 < 0 else 1 < 2",
        "sum(1 / k for k in range(1, 11)) == 7381/2520",
        "max([1, 3, 2]) == 3 and min(1, 2) == 1",
        "Phi(0) <= 0.5000001 and Phi(0) >= 0.4999999",
        "abs(erf(1/2) + erfc(1/2) - 1) < 1 / 10**30",
        "det([[2, 1], [1, 2]]) > 2.99",
        "abs(solve([[2, 1], [1, 2]], [3, 3])[0] - 1) < 1 / 10**30",
        "fold(double, 1, 5) == 32",
        "prod([k for k in range(1, 6) if k > 2]) == 60",
        "floor(7/2) == 3 and floor(-7/2) == -4",
    ],
)
def test_true_statements_are_confirmed(true: str) -> None:
    Balls("", (true,), let={"double(x, k)": "2 * x"}).verify()


@pytest.mark.parametrize(
    "wrong",
    [
        "exp(1) > 2.718281828459046",
        "1/3 == 0.3333333333333333",
        "sqrt(2)**2 == 2",
        "sqrt(2)**2 >= 2",
        "hull(0, 2) < 1",
        "1 if sqrt(2)**2 > 2 else 2",
        "1 / hull(-1, 1) > 0",
        "log(-1) < 1",
        "1 + 1",
        "all([1, 2])",
        "1 and 1 < 2",
        "1 < 2 if 1 else 1 < 2",
        "[1, 2][0 - 1] == 2",
        "sum([k for k in range(3) if k]) == 3",
        "all([1 < 2, 2 < 1])",
    ],
)
def test_false_or_undecided_statements_are_refused(wrong: str) -> None:
    refused(Balls("", (wrong,)))


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "(1).real",
        "open(1)",
        "lambda: 1",
        "'a' == 'a'",
        "x",
        "[k for k, j in [[1, 2]]] == 1",
        "1 < 2 or 2 < 1",
    ],
)
def test_what_is_not_in_the_language_is_refused(text: str) -> None:
    with pytest.raises(Unverified):
        Balls("", (text,)).verify()


def test_a_name_is_defined_once() -> None:
    refused(Balls("", ("1 < 2",), let={"exp": "1"}), "twice")


def test_boxes_must_fill_their_domain_and_hold_on_each() -> None:
    whole = Boxes("", {"x": ("0", "2")}, {"x": ("0", "1/2", "1", "2")}, ("x * x <= 2 * x + 33/16",), bits=64)
    whole.verify()
    for cuts in (("1/2", "1", "2"), ("0", "1/2", "1"), ("0", "1", "1/2", "2"), ("0", "0", "2")):
        refused(Boxes("", {"x": ("0", "2")}, {"x": cuts}, whole.holds), "fill")
    refused(Boxes("", {"x": ("0", "2")}, {"x": ("0", "1", "2")}, ("x * x <= 3",)))


def test_boxes_of_two_variables() -> None:
    domain, cuts = {"x": ("0", "1"), "y": ("0", "1")}, {"x": ("0", "1/2", "1"), "y": ("0", "1")}
    Boxes("", domain, cuts, ("x + y <= 21/10",)).verify()
    refused(Boxes("", domain, cuts, ("x + y <= 3/2",)))


def test_identities() -> None:
    symbols = {"x": "positive", "n": "integer"}
    true = (
        ("diff(exp(-(x**2)), x)", "-2 * x * exp(-(x**2))"),
        ("integral(phi(x), x, 0, oo())", "1/2"),
        ("det([[x, 1], [1, x]])", "x**2 - 1"),
        ("limit(log(1 + x) / x, x, 0)", "1"),
        ("series_sum(2**(-n), n, 1, oo())", "1"),
    )
    Identity("", symbols, true).verify()
    for left, right in true:
        refused(Identity("", symbols, ((left, f"{right} + 1/1000"),)), "not confirmed")
    refused(Identity("", symbols, (("sqrt(x**2 + 1)", "x"),)))

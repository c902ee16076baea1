"""Bounds in text: a lower bound is rounded down, an upper bound is rounded up."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal


def at_least(value: float, decimals: int) -> str:
    """`value` rounded down to so many decimals, 0.9999966 to six: "0.999996"."""
    return str(Decimal(float(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_FLOOR))


def at_most(value: float, decimals: int) -> str:
    """`value` rounded up to so many decimals, 0.1122 to three: "0.113"."""
    return str(Decimal(float(value)).quantize(Decimal(1).scaleb(-decimals), ROUND_CEILING))

"""The evidence on a reading from its curve: the verdict, a summary in words, and the numbers."""

from theory_checks.ledger import Evidence, Outcome
from theory_checks.readings.curve import Curve
from theory_checks.readings.judgement import State


def evidence(curve: Curve, scale: str) -> Evidence:
    """The verdict, the summary in words and the numbers of the curve."""
    verdict, default, numbers = curve.verdict, curve.default, curve.numbers()
    states = [str(state) for state in default.states.values()]
    told = f"At the declared setting the sentence {said(str(default.state), 1)}"
    if len(states) > 1:
        found = {state: states.count(state) for state in map(str, State) if state in states}
        each = ", ".join(f"{number} {said(state, number)}" for state, number in found.items())
        told += f" ({len(states)} comparisons: {each})"
    parts = [told]
    if (count := len(curve.points)) > 1:
        found = {state: round(curve.shares[state] * count) for state in map(str, State) if curve.shares[state]}
        counts = [f"{number:,} {said(state, number)}" for state, number in found.items()]
        parts.append(f"Of {count:,} settings {' and '.join(filter(None, (', '.join(counts[:-1]), counts[-1])))}")
    if curve.left_out:
        parts.append(f"{len(curve.left_out):,} further settings do not count: a peer is behind random search")
    missing = next((point.setting.missing for point in curve.points if point.setting.missing), "")
    if needs := numbers.get("needs"):
        parts.append(f"If the estimates stay, a verdict takes about {needs:,} seeds")
    if verdict is Outcome.UNDECIDED and missing:
        parts.append(f"Runs are missing: {missing}")
    return Evidence(verdict, f"{'. '.join(parts)}. Scale {scale}.", numbers)


def said(state: str, count: int) -> str:
    """The verb for `count` settings in a state: "holds", "hold", "is level", "are level"."""
    if state == State.HOLDS:
        return "holds" if count == 1 else "hold"
    return f"{'is' if count == 1 else 'are'} {state}"


def compared(comparison: str) -> tuple[str, str, str]:
    """(first method, second method, problem) of a comparison's name in the evidence: "boke against gp_ucb, ackley".

    The problem is "" where the comparison pools all problems, and where the runs are cut for the two methods
    (:class:`theory_checks.readings.declaration.Order`).
    """
    methods, _, problem = comparison.partition(", ")
    first, _, second = methods.partition(" against ")
    return first, second, "" if problem == first else problem

"""Sentences counted by the choices of one question, on curves written by hand."""

from theory_checks.readings.by_choice import best, by_choice
from theory_checks.readings.judgement import State


def numbers(questions, default, rows):
    curve = [[*choices, state, [0.0, 0.0, 0.0]] for choices, state in rows]
    return {"questions": questions, "curve": curve, "default": {"state": "", "choices": default}}


def made():
    """Choice c of ours; one reading has a peer beside, the other two measures, the third two panels."""
    return {
        "one": numbers(
            ["ours", "peer"],
            {"ours": "c", "peer": "p"},
            [(("c", "p"), "level"), (("c", "q"), "holds"), (("d", "p"), "holds"), (("d", "q"), "opposite")],
        ),
        "two": numbers(
            ["ours", "measure"],
            {"ours": "c", "measure": "means"},
            [(("c", "means"), "holds"), (("c", "medians"), "opposite"), (("d", "medians"), "holds")],
        ),
        "three": numbers(
            ["panel", "ours", "peer"],
            {"panel": "E", "ours": "c", "peer": "p"},
            [(("E", "c", "p"), "holds"), (("F", "c", "q"), "open"), (("E", "d", "p"), "opposite")],
        ),
    }


def test_states_at_the_other_defaults_and_together():
    first, second = by_choice(made(), "ours")
    assert (first.name, second.name) == ("c", "d")
    assert dict(first.states) == {State.LEVEL: 1, State.HOLDS: 2}
    assert first.left_out == 0
    assert first.at_once == 2  # with p, two and three; with q, one and two
    assert dict(second.states) == {State.HOLDS: 1, State.OPPOSITE: 1}
    assert second.left_out == 1  # the measure that is plotted is not admitted
    assert second.at_once == 1


def test_the_best_has_most_then_the_fewest_opposites_then_stands_first():
    first, second = by_choice(made(), "ours")
    assert best([second, first]) is first
    alike = by_choice({"one": numbers(["ours"], {"ours": "c"}, [((name,), "holds") for name in "cd"])}, "ours")
    assert best(alike).name == "c"
    other = numbers(["ours"], {"ours": "c"}, [(("c",), "opposite"), (("d",), "level")])
    worse = by_choice({"one": numbers(["ours"], {"ours": "c"}, [((n,), "holds") for n in "cd"]), "two": other}, "ours")
    assert best(worse).name == "d"

"""The most charitable setting, against brute force."""

import itertools

import numpy as np
import pytest

from theory_checks.readings.charitable import held, most_charitable

OURS, PEERS, BOXES = ("c = 1", "c = 2", "c = 3"), ("l = 1", "l = 2"), ("narrow", "wide")


def numbers(questions, rows, default):
    curve = [[*choices, state, [0.0, 0.0, 0.0]] for choices, state in rows]
    return {"questions": questions, "curve": curve, "default": {"state": rows[0][1], "choices": default}}


def planted(seed: int):
    rng = np.random.default_rng(seed)
    found = {}
    for name, questions in {
        "one": {"ours": OURS, "peer": PEERS},
        "two": {"ours": OURS},
        "three": {"peer": PEERS, "box": BOXES},
        "four": {"ours": OURS, "peer": PEERS},
    }.items():
        rows = [(choices, str(rng.choice(["holds", "opposite"]))) for choices in itertools.product(*questions.values())]
        found[name] = numbers(list(questions), rows, dict(zip(questions, rows[0][0], strict=True)))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_no_joint_setting_holds_more_often(seed):
    evidence = planted(seed)
    counts = {}
    for ours, peer, box in itertools.product(OURS, PEERS, BOXES):
        told = {"ours": ours, "peer": peer, "box": box}
        tables = {name: held(one) for name, one in evidence.items()}
        counts[ours, peer, box] = sum(
            any(holds and dict(choices).items() <= told.items() for choices, holds in table.items())
            for table in tables.values()
        )
    found = most_charitable(evidence)
    assert len(found.holds) == max(counts.values())
    assert {*found.holds, *found.fails} == set(evidence)
    for name in found.holds:
        assert any(
            holds and all(found.choices[question] == choice for question, choice in choices)
            for choices, holds in held(evidence[name]).items()
        )


def test_the_plotted_measure_is_read():
    rows = [(("a", "means"), "holds"), (("a", "medians"), "opposite"), (("b", "means"), "level")]
    one = numbers(["constant", "measure"], rows, {"constant": "a", "measure": "means"})
    assert held(one) == {(("constant", "a"),): True, (("constant", "b"),): False}

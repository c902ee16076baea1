"""The errors that judge the closed form."""

from theory_checks.ctx import (
    closed_form,
)


def test_closed_form_errors_see_a_wrong_radius():
    case = {"values": [3, 1, 0, 0, 0, 0], "weights": [1, 1, 1, 0, 0, 0], "radius": [6, 12]}
    assert max(closed_form.closed_form_error(case).values()) < 1e-12
    assert closed_form.closed_form_error({**case, "factor": 1.5})["value"] > 0.1

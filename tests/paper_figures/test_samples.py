"""Arrays and measures by method."""

import numpy as np

from paper_figures.samples import by_method, ends


def test_samples_are_those_of_the_results_that_match(study_results):
    data = study_results("cei.fig3")
    match = {"problem": "levy4", "arm": "leaked"}
    gaps = by_method(data, "gap", **match)
    assert set(gaps) == {"corrected_ei", "ei"} < set(data.policies("levy4"))
    np.testing.assert_array_equal(gaps["ei"], data.array("gap", policy="ei", **match))
    np.testing.assert_array_equal(ends(gaps)["ei"], gaps["ei"][:, -1])
    assert by_method(data, "gap", problem="levy4", arm="none") == {}


def test_a_measure_is_asked_method_by_method(study_results):
    data = study_results("cei.fig3")
    found = by_method(data, lambda data, **match: -data.array("gap", **match), problem="levy4", arm="known")
    np.testing.assert_array_equal(found["pi"], -data.array("gap", problem="levy4", arm="known", policy="pi"))

"""The code of a declaration's functions counts in its digest; words do not."""

import importlib
import math
import sys
from functools import partial

import pytest

from experiments.engine.source import Tree
from theory_checks import cache
from theory_checks.ledger import load
from theory_checks.readings import digest
from theory_checks.readings.digest import digest_of
from theory_checks.readings.judgement import Claimed

BEFORE = '''
"""Settings of a toy."""
from tests.theory_checks.readings.toy_helper import EFFECT, wider
from experiments.measures.gap import final_gap

def settings(scale):
    """What is varied."""
    # each effect
    found = [EFFECT * one for one in (1, 2)]
    return wider(found), final_gap

nameless = lambda scale: []

def of(effect):
    def settings(scale):
        return effect
    return settings
'''
HELPER = '''
"""Helpers of a toy."""
EFFECT = 0.1

def wider(values):
    return [2 * one for one in values]
'''


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """A function that writes the two modules, of which the first is a paper's, and gives the digest of the settings."""
    monkeypatch.setattr(digest, "WITHIN", ("paper_of_readings",))
    monkeypatch.setattr(digest, "Tree", partial(Tree, extra=("paper_of_readings",)))
    monkeypatch.syspath_prepend(str(tmp_path))
    package = tmp_path / "paper_of_readings"
    package.mkdir()
    (package / "__init__.py").touch()

    def written(settings=BEFORE, helper=HELPER, make=lambda module: module.settings):
        for name, text in (("toy_helper", helper), ("toy", settings)):
            path = package / f"{name}.py"
            path.write_text(text.replace("tests.theory_checks.readings", "paper_of_readings"))
            sys.modules.pop(f"paper_of_readings.{name}", None)
        importlib.invalidate_caches()
        sys.modules.pop("paper_of_readings", None)
        digest.of_names.__globals__["_known"].clear()
        digest.of_names.__globals__["_codes"].clear()
        sys.dont_write_bytecode = True
        return digest_of(make(importlib.import_module("paper_of_readings.toy")))

    yield written
    for name in [name for name in sys.modules if name.startswith("paper_of_readings")]:
        del sys.modules[name]


def test_words_comments_and_local_names_do_not_count(toy):
    other = BEFORE.replace("What is varied.", "Another docstring.").replace("# each effect", "# other words")
    other = other.replace("found", "scaled").replace("Settings of a toy.", "A module.")
    assert toy(other) == toy()
    assert toy(helper=HELPER.replace("Helpers", "Words")) == toy()


@pytest.mark.parametrize(
    ("settings", "helper"),
    [
        (BEFORE.replace("(1, 2)", "(1, 3)"), HELPER),
        (BEFORE, HELPER.replace("0.1", "0.2")),
        (BEFORE, HELPER.replace("2 * one", "3 * one")),
        (BEFORE.replace("final_gap", "final_distance"), HELPER),
    ],
)
def test_effect_sizes_helpers_and_measures_count(toy, settings, helper):
    assert toy(settings, helper) != toy()


def test_what_is_given_to_a_function_counts(toy):
    assert toy(make=lambda module: module.of(0.1)) != toy(make=lambda module: module.of(0.2))
    assert toy(make=lambda module: partial(module.settings, effect=0.1)) != toy()
    assert digest_of(Claimed("better", 0.1)) != digest_of(Claimed("better", 0.2))


def test_the_last_digit_of_a_number_does_not_count():
    """Processors with AVX-512 have another last digit of log10(1.1)."""
    size = math.log10(1.1)
    assert digest_of(size) == digest_of(math.nextafter(size, 1.0)) == digest_of(math.nextafter(size, 0.0))
    assert digest_of(size) != digest_of(size * (1.0 + 1e-9))


def test_a_function_without_a_name_counts_by_the_statement_that_makes_it(toy):
    def nameless(module):
        return module.nameless

    assert toy(make=nameless) == toy(BEFORE.replace("(1, 2)", "(1, 3)"), make=nameless)
    assert toy(make=nameless) != toy(BEFORE.replace("scale: []", "scale: [1]"), make=nameless)


def test_evidence_on_a_reading_does_not_hang_on_how_code_is_hashed():
    used = cache.used_by(load()["cei.fig3_beats_ei"]).symbols
    assert "theory_checks.readings.curve.Curve" in used
    assert not [one for one in used if one.startswith(("experiments.engine.normal_form", "experiments.engine.closure"))]

import subprocess
import sys

import pytest

from experiments.engine.scale import SCALES, parse_scale


@pytest.mark.parametrize("scale", SCALES)
def test_a_scale_is_itself(scale: str):
    assert parse_scale(scale) == scale
    assert parse_scale(f" {scale.upper()} ") == scale


@pytest.mark.parametrize(("text", "near"), [("smok", "smoke"), ("quik", "quick"), ("papers", "paper")])
def test_a_misspelt_scale_names_the_near_one(text: str, near: str):
    with pytest.raises(ValueError, match=f"unknown scale '{text}'; did you mean '{near}'"):
        parse_scale(text)


@pytest.mark.parametrize("text", ["", "xyzzy"])
def test_another_word_lists_all(text: str):
    with pytest.raises(ValueError, match="known: paper, quick, smoke"):
        parse_scale(text)


def test_the_makefile_check():
    def check(scale: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-S", "-m", "experiments.engine.scale", scale]  # -S: without any installed package
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert check("smoke").returncode == 0
    refused = check("smoek")
    assert refused.returncode == 1
    assert "SCALE: unknown scale 'smoek'; did you mean 'smoke'" in refused.stderr

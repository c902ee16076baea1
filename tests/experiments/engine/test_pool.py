"""What a worker process finds in its environment."""

import os

import pytest

from experiments.engine.pool import COMPILED_IN_A_HURRY, set_environment


@pytest.mark.parametrize(
    ("scale", "platform", "given", "expected"),
    [
        ("smoke", "cpu", None, COMPILED_IN_A_HURRY),
        ("smoke", "cpu", "--xla_dump_to=/tmp", f"--xla_dump_to=/tmp {COMPILED_IN_A_HURRY}"),
        ("smoke", "cpu", "--xla_backend_optimization_level=3", "--xla_backend_optimization_level=3"),
        ("smoke", "gpu", None, None),
        ("quick", "cpu", None, None),
        ("", "cpu", None, None),
    ],
)
def test_scale_smoke_alone_is_compiled_in_a_hurry(
    monkeypatch: pytest.MonkeyPatch, scale: str, platform: str, given: str | None, expected: str | None
) -> None:
    monkeypatch.setattr(os, "environ", {} if given is None else {"XLA_FLAGS": given})
    set_environment(platform, scale)
    set_environment(platform, scale)  # once is enough
    assert os.environ.get("XLA_FLAGS") == expected
    assert os.environ["OMP_NUM_THREADS"] == "1"

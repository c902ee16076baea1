"""`verify` calls equal results reproduced, and finds and reports every kind of deviation."""

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from cli.experiments import main
from experiments.boke.fig6 import STUDY as FIGURE_6
from experiments.engine.equivalence import judged, statistics_of
from experiments.engine.result_file import Result
from experiments.engine.slim import Kept, slimmed
from experiments.engine.store import REFERENCE, Store
from experiments.engine.study import Cell, Study
from experiments.engine.verify import sampled, verify, verify_claims
from experiments.engine.verify_table import print_verification
from tests.experiments.engine.toy import Toy

SEEDS = tuple(range(12))
RUNS = np.random.default_rng(0).exponential(size=(12, 6)).cumsum(axis=1)[:, ::-1]
ARRAYS = {
    "simple_regret": RUNS,
    "x": np.random.default_rng(1).uniform(size=(12, 6, 2)).astype(np.float32),
    "initial_size": np.asarray(3),
    "optimum": np.asarray(1.5),
    "seconds": np.full(12, 2.0),
}


def changed(name: str, value: object) -> dict[str, np.ndarray]:
    return {**ARRAYS, name: np.asarray(value)}


@pytest.fixture
def pair(toy: Toy) -> tuple[Study, Store, Store]:
    """A study of one cell with twelve seeds, and two empty stores."""
    study = dataclasses.replace(toy.studies["toy.count"], cells=lambda scale: [Cell("line", "p", SEEDS)])
    studies = {study.id: study}
    return (
        study,
        Store(toy.folder / "here", studies=studies),
        Store(toy.folder / "there", studies=studies, any_code=True),
    )


def compared(pair: tuple[Study, Store, Store], ours: Mapping[str, np.ndarray]) -> dict[str, str]:
    """The word on every statistic where `ours` are this machine's arrays."""
    study, local, reference = pair
    (cell,) = study.cells("smoke")
    local.write(cell, ours, {})
    reference.write(cell, ARRAYS, {})
    found = verify([study], "smoke", local, reference)
    words = {finding.statistic: finding.judgement.word for finding in found.findings}
    assert found.status == int(bool({"deviates", "undecided"} & set(words.values())))
    return words


def test_equal_results_are_reproduced_whatever_the_times(pair):
    words = compared(pair, changed("seconds", np.full(12, 900.0)))
    assert words == {
        "initial_size": "reproduced", "optimum": "reproduced", "seconds": "reported",
        "simple_regret, end": "reproduced", "simple_regret, mean": "reproduced", "x of the design": "reproduced",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arrays", "statistic", "word"),
    [
        (changed("simple_regret", RUNS + 3.0), "simple_regret, end", "deviates"),
        (changed("simple_regret", RUNS * 5), "simple_regret, mean", "deviates"),
        (changed("simple_regret", RUNS + 0.05 * np.sin(9 * RUNS)), "simple_regret, end", "reproduced"),
        (changed("simple_regret", RUNS[::-1]), "simple_regret, end", "undecided"),  # as other runs of the same law
        (changed("simple_regret", np.where(RUNS.max() > RUNS, RUNS, np.inf)), "simple_regret, mean", "undecided"),
        (changed("simple_regret", np.where(RUNS < 1, RUNS, np.inf)), "simple_regret, mean", "deviates"),
        (changed("x", np.nextafter(ARRAYS["x"], np.float32(2))), "x of the design", "deviates"),
        (changed("initial_size", 2), "initial_size", "deviates"),
        (changed("optimum", 1.5 * (1 + 1e-9)), "optimum", "reproduced"),
        (changed("optimum", 1.51), "optimum", "deviates"),
        (changed("simple_regret", RUNS.astype(np.float32)), "simple_regret, end", "reproduced"),
    ],
)
def test_every_deviation_is_told(pair, arrays, statistic, word):
    assert compared(pair, arrays)[statistic] == word


def test_queries_after_the_design_are_not_judged(pair):
    x = ARRAYS["x"].copy()
    x[:, 3:] += 0.1
    assert set(compared(pair, changed("x", x)).values()) == {"reproduced", "reported"}


def test_the_rule_of_outcomes_keeps_its_levels():
    """Two samples of one law deviate never in 500 pairs; three standard deviations with twenty seeds always."""
    rng = np.random.default_rng(3)
    words = [judged("outcome", rng.normal(size=20), rng.normal(size=20)).word for _ in range(500)]
    assert "deviates" not in words
    assert {judged("outcome", 3 + rng.normal(size=20), rng.normal(size=20)).word for _ in range(50)} == {"deviates"}
    many = [judged("outcome", rng.normal(size=200), rng.normal(size=200)).word for _ in range(50)]
    assert many.count("reproduced") >= 48


def test_one_seed_decides_only_where_it_is_equal():
    one = np.array([1.0])
    assert judged("outcome", one, one).word == "reproduced"
    assert judged("outcome", one + 1, one).word == "undecided"


def test_infinite_rows_are_compared_with_infinite_rows():
    end, mean = (one.values for one in statistics_of({"a": np.array([[1.0, np.inf], [2.0, 3.0]])}, 2))
    assert end.tolist() == [[0.0, 0.0], [3.0, 1.0]]
    assert mean.tolist() == [[1.0, 0.5], [2.5, 1.0]]
    assert judged("outcome", end, end).word == "reproduced"
    assert judged("outcome", np.array([1.0, np.inf]), np.array([1.0, -np.inf])).word == "deviates"


def test_seeds_are_matched_across_blocks_and_missing_ones_are_said(pair):
    study, local, reference = pair
    (cell,) = study.cells("smoke")
    local.write(cell, ARRAYS, {})
    for block in (SEEDS[6:], (*SEEDS[2:6], 20)):
        rows = [seed if seed < 12 else 0 for seed in block]
        part = {name: array[rows] if array.ndim and len(array) == 12 else array for name, array in ARRAYS.items()}
        reference.write(dataclasses.replace(cell, seeds=block), part, {})
    found = verify([study], "smoke", local, reference)
    assert found.status == 0
    assert found.count("deviates") == 0
    assert sorted(found.alone) == [
        "toy.count line p: seeds 0, 1 only here",
        "toy.count line p: seeds 20 only in the reference",
    ]


def test_what_the_reference_does_not_keep_of_a_result_is_not_missed(pair):
    study, local, reference = pair
    (cell,) = study.cells("smoke")
    local.write(cell, {**ARRAYS, "info_lengthscale": RUNS}, {})
    reference.write(cell, ARRAYS, {})
    assert verify([study], "smoke", local, reference).alone == ()
    local.write(cell, {**ARRAYS, "another": RUNS}, {})
    assert verify([study], "smoke", local, reference).alone == (
        "toy.count line p: arrays another, end, another, mean only here",
    )


def test_what_is_kept_in_the_place_of_an_array_is_compared_where_it_is_kept(pair):
    """The local result has the array itself; an older reference has neither."""
    study, local, reference = pair
    (cell,) = study.cells("smoke")
    study = dataclasses.replace(study, keep=Kept(derived={"least": lambda arrays: arrays["simple_regret"].min(axis=1)}))
    local.write(cell, ARRAYS, {})
    for least, word in ((RUNS.min(axis=1), "reproduced"), (RUNS.min(axis=1) + 99.0, "deviates")):
        reference.write(cell, {**ARRAYS, "least": least}, {})
        found = verify([study], "smoke", local, reference)
        assert {one.judgement.word for one in found.findings if one.statistic == "least"} == {word}
        assert found.alone == ()
    reference.write(cell, ARRAYS, {})
    assert verify([study], "smoke", local, reference).alone == ()


def test_nothing_to_compare_is_status_2(toy: Toy, capsys):
    folders = ["--results", str(toy.store.root), "--reference", str(toy.folder / "reference")]
    assert main(["verify", *folders], toy.studies) == 2
    assert "nothing to compare at scale quick" in capsys.readouterr().err
    cell = toy.studies["toy.count"].cells("quick")[0]
    toy.store.write(cell, {}, {})
    assert main(["verify", *folders], toy.studies) == 2
    assert 'line p0 {"i": 0}: only here' in capsys.readouterr().err
    assert main(["verify", "--results", str(toy.store.root), "--reference", str(toy.store.root)], toy.studies) == 2


def test_verdicts_are_compared_exactly(tmp_path: Path):
    for root, verdicts in (("here", {"a": "supported", "b": "refuted"}), ("there", {"a": "supported", "c": "vacuous"})):
        folder = tmp_path / root / "claims" / "smoke"
        folder.mkdir(parents=True)
        for name, verdict in verdicts.items():
            (folder / f"toy.{name}.json").write_text(json.dumps({"verdict": verdict}))
    found = verify_claims("smoke", tmp_path / "here", tmp_path / "there")
    assert (found.status, len(found.findings), len(found.alone)) == (0, 1, 2)
    (tmp_path / "here" / "claims" / "smoke" / "toy.a.json").write_text("{")
    found = verify_claims("smoke", tmp_path / "here", tmp_path / "there", {"toy.a"})
    assert found.status == 1
    assert "no evidence" in found.findings[0].judgement.unit


@pytest.mark.parametrize(("here", "shown"), [("opposite", "none"), ("undecided", "undecided for opposite")])
def test_a_verdict_on_an_experiment_is_reported_and_not_judged(tmp_path: Path, here, shown):
    for root, verdict in (("here", here), ("there", "opposite")):
        folder = tmp_path / root / "claims" / "smoke"
        folder.mkdir(parents=True)
        (folder / "toy.a.json").write_text(json.dumps({"verdict": verdict, "kind": "experiment"}))
    found = verify_claims("smoke", tmp_path / "here", tmp_path / "there")
    print_verification(found, console := Console(record=True, width=200))
    text = console.export_text()
    assert shown in text
    assert "0 of 0 statistics reproduced, 0 deviate, 0 undecided" in text
    assert found.status == 0


def test_a_study_of_the_papers_reproduces_itself_and_a_shifted_copy_does_not(tmp_path: Path, capsys):
    """`make verify SCALE=smoke` with one cell of Figure 6 against a reference made for it."""
    cell = next(cell for cell in FIGURE_6.cells("smoke") if cell.policy == "random_search")
    studies = {FIGURE_6.id: dataclasses.replace(FIGURE_6, cells=lambda scale: [cell])}
    local, reference = Store(tmp_path / "local", studies=studies), Store(tmp_path / "reference", studies=studies)
    for store in (local, reference):
        store.write(cell, arrays := FIGURE_6.run(cell), {})
    command = ["verify", "--scale", "smoke", "--results", str(local.root), "--reference", str(reference.root)]
    assert main(command, studies) == 0
    assert "10 of 10 statistics reproduced, 0 deviate" in capsys.readouterr().out
    x = arrays["x"].copy()
    x[0, 0, 0] = np.nextafter(x[0, 0, 0], np.float32(2.0))
    reference.write(cell, {**arrays, "simple_regret": arrays["simple_regret"] + arrays["range"], "x": x}, {})
    assert main(command, studies) == 1
    told = capsys.readouterr().out
    assert "deviates: boke.fig6 forrester random_search" in told
    assert "x of the design, by +1 of" in told
    reference.write(cell, slimmed(Result({"study": FIGURE_6.id}, arrays, {}), FIGURE_6.keep).arrays, {})
    assert main(command, studies) == 0
    assert "x of the design, digest" in capsys.readouterr().out
    reference.write(cell, slimmed(Result({"study": FIGURE_6.id}, {**arrays, "x": x}, {}), FIGURE_6.keep).arrays, {})
    assert main(command, studies) == 1
    assert "x of the design, digest, by +1 of" in capsys.readouterr().out


def test_a_sample_is_drawn_by_its_seed_from_what_the_reference_holds(toy: Toy):
    study = toy.studies["toy.count"]
    reference = Store(toy.folder / "reference", studies=toy.studies, any_code=True)
    for cell in study.cells("smoke")[:3]:
        reference.write(cell, {}, {})
    drawn = {
        tuple(c.policy for one in sampled([study], "smoke", reference, 2, seed) for c in one.cells("smoke"))
        for seed in range(9)
    }
    assert {len(cells) for cells in drawn} == {2}
    assert len(drawn) > 1
    assert "p3" not in {name for cells in drawn for name in cells}
    assert len(sampled([study], "smoke", reference, 99, 0)[0].cells("smoke")) == 3


def test_a_sample_is_computed_and_compared(toy: Toy, capsys):
    reference = Store(toy.folder / "reference", studies=toy.studies, any_code=True)
    study = toy.studies["toy.count"]
    for cell in study.cells("quick"):
        reference.write(cell, study.run(cell), {})
    folders = ["--results", str(toy.store.root), "--reference", str(reference.root)]
    command = ["verify", "--sample", "2", "--workers", "1", *folders]
    only_count = {study.id: study}
    assert main(command, only_count) == 0
    assert "4 of 4 statistics reproduced" in capsys.readouterr().out
    assert len(list((toy.store.root / study.id / "quick").glob("*.npz"))) == 2
    for cell in study.cells("quick"):
        reference.write(cell, {**study.run(cell), "where": np.arange(1, 4)}, {})
    assert main(command, only_count) == 1


def elsewhere(result: Result, how: str) -> dict[str, Any]:
    """The arrays of a result as another machine, or a defect, would have made them."""
    rng, regret = np.random.default_rng(0), np.array(result.arrays["simple_regret"], float)
    if how == "rounded":  # a processor's rounding, which moves a few queries of a few runs
        regret = regret * (1 + 1e-9 * rng.standard_normal(regret.shape))
        parted = rng.choice(len(regret), len(regret) // 10, replace=False)
        regret[parted] *= np.exp(0.1 * rng.standard_normal((len(parted), 1)))
    if how == "other streams":  # the same distribution of runs, in another order
        regret = regret[rng.permutation(len(regret))]
    if how == "defect":  # an optimum that is off by a tenth of the range
        regret = regret + 0.1 * float(result.arrays["range"])
    return {**result.arrays, "simple_regret": regret}


@pytest.mark.parametrize(("how", "status"), [("rounded", 0), ("other streams", 0), ("defect", 1)])
def test_what_make_reproduce_compares_fails_for_a_defect_and_for_no_other_machine(tmp_path: Path, capsys, how, status):
    """The committed results of Figure 6 at scale quick in the place of this machine's."""
    committed = Store(REFERENCE, any_code=True).results(FIGURE_6, "quick")
    local = Store(tmp_path)
    by_cell = {(one.config["problem"], one.config["policy"]): one for one in committed}
    for cell in FIGURE_6.cells("quick"):
        one = by_cell[cell.problem, cell.policy]
        local.write(cell, elsewhere(one, how), {})
    command = ["verify", "--brief", "--scale", "quick", "--results", str(tmp_path), "--only", FIGURE_6.id]
    assert main(command) == status
    told = capsys.readouterr().out
    assert "Compared with the committed results: " in told
    assert ("deviates: boke.fig6" in told) == bool(status)
    assert main([*command[:3], "smoke", *command[4:]]) == 0
    assert "none are committed at scale smoke" in capsys.readouterr().out

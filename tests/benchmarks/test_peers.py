"""The benchmark against other libraries: its functions, its files, its statistics, and the libraries left out."""

import json
import re
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from benchmarks.peers.__main__ import main
from benchmarks.peers.cells import Cell, compute, read, store
from benchmarks.peers.contestants import CONTESTANTS, Contestant
from benchmarks.peers.functions import Function
from benchmarks.peers.goal import goal
from benchmarks.peers.lists import FUNCTIONS, LISTS, NOISE
from benchmarks.peers.reference import DOCUMENT, REFERENCE, document, keep, kept, restore
from benchmarks.peers.summary import page, rows, sets
from benchmarks.peers.tunings import TUNINGS
from core.optimizer.options import DEFAULT_POLICY

BUDGET = 12
CORNERS = ("piston7", "wing_weight10", "borehole8")
"""Models of engineering: their least values are on the border."""


def call(folder: Path, *arguments: str) -> int:
    return main(["--budget", str(BUDGET), "--observations", "exact", "--results", str(folder), *arguments])


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=list(FUNCTIONS))
def test_the_minimum_is_where_it_is_said(function: Function) -> None:
    """Inside the box; a local search from there, and 2,000 random points, find nothing lower."""
    low, high = np.array(function.bounds).T
    place = np.array(function.minimiser)
    assert function.name.endswith(str(function.dim))
    assert np.all((place >= low) & (place <= high))
    assert np.all((place > low) & (place < high)) == (function.name not in CORNERS)
    assert function(place) == pytest.approx(function.minimum, abs=2e-5)
    found = minimize(function, place, bounds=function.bounds, tol=1e-12)
    assert found.fun >= function.minimum - 1e-9 * max(1.0, abs(function.minimum))
    points = np.random.default_rng(1).uniform(low, high, size=(2000, function.dim))
    assert min(map(function, points)) > function.minimum
    assert function.scale > 0.0


@pytest.mark.parametrize("name", LISTS)
def test_lists_have_ten_functions_each_in_two_to_ten_dimensions_and_share_none(name: str) -> None:
    dims = [function.dim for function in LISTS[name].values()]
    assert (len(dims), min(dims), max(dims)) == (10, 2, 10)
    assert len(FUNCTIONS) == 30


@pytest.mark.parametrize("name", TUNINGS)
def test_a_tuning_is_exact_and_its_parameters_matter(name: str) -> None:
    tuning = TUNINGS[name]
    rng = np.random.default_rng(2)
    points = [tuning.space.decode(rng.uniform(size=tuning.space.dim)) for _ in range(6)]
    errors = [tuning(point) for point in points]
    assert [tuning(point) for point in points] == errors
    assert len(set(errors)) > 2
    assert all(0.0 < error < 2.0 for error in errors)


def test_a_contestant_sees_the_noise_and_is_judged_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Noise of .05 times the scale, the same for all contestants of a seed; the answer is the function's value."""
    seen: dict[str, list[float]] = {}

    def fixed(objective: object, domain: object, budget: int, initial: int, seed: int) -> np.ndarray:
        seen.setdefault(str(seed), []).extend(objective(np.array([1.0, 4.0])) for _ in range(budget))
        return np.array([3.0, 2.0])

    monkeypatch.setitem(CONTESTANTS, "fixed", Contestant("Fixed", fixed))
    record = compute(Cell("fixed", "branin2", 1, 400, NOISE))
    branin = FUNCTIONS["branin2"]
    assert set(record["values"]) == {branin(np.array([1.0, 4.0]))}
    assert record["answer"] == branin(np.array([3.0, 2.0]))
    noise = np.array(seen["1"]) - record["values"][0]
    assert noise.std() == pytest.approx(0.05 * branin.scale, rel=4 / np.sqrt(800))
    assert abs(noise.mean()) < 4 * 0.05 * branin.scale / 20
    first = seen["1"][:3]
    compute(Cell("fixed", "branin2", 1, 3, NOISE))
    assert seen["1"][400:] == first


def test_without_a_recommendation_the_answer_is_the_best_value_seen() -> None:
    record = compute(Cell("random", "branin2", 0, 50, NOISE))
    assert record["answer"] in record["values"]
    exact = compute(Cell("random", "branin2", 0, 50))
    assert exact["answer"] == min(exact["values"])


def test_finished_runs_are_not_computed_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    only = ("--contestants", "random", "--functions", "branin2,levy4")
    assert call(tmp_path, *only, "--seeds", "1") == 0
    assert "2 runs to compute, 0 stored" in capsys.readouterr().err
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    assert call(tmp_path, *only, "--seeds", "2") == 0
    assert "2 runs to compute, 2 stored" in capsys.readouterr().err
    assert all(path.stat().st_mtime_ns == time for path, time in files.items())


def test_a_benchmark_goes_on_from_the_reference(tmp_path: Path) -> None:
    """The runs of the reference are taken over unchanged, except where a run is already stored."""
    first, second = (compute(Cell("random", "branin2", seed, BUDGET)) for seed in (0, 1))
    reference = tmp_path / "peers.json"
    keep([first, second], reference, tmp_path / "peers.md")
    assert kept(reference) == [first, second]
    own = store(first | {"wall_seconds": 7.0}, tmp_path / "runs")
    assert restore(tmp_path / "runs", reference) == 1
    assert json.loads(own.read_text())["wall_seconds"] == 7.0
    assert read(Cell("random", "branin2", 1, BUDGET), tmp_path / "runs") == second
    assert restore(tmp_path / "runs", reference) == 0


def test_the_committed_runs_can_be_gone_on_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [
        "--with-reference",
        "--stored",
        "--contestants",
        "random",
        "--functions",
        "ten",
        "--observations",
        "exact",
        "--seeds",
        "2",
        "--results",
        str(tmp_path),
    ]
    assert main(arguments) == 0
    said = capsys.readouterr()
    assert "20 runs on 10 functions and tunings" in said.out
    assert "runs of the reference taken over" in said.err


@pytest.mark.parametrize("content", ["{", "[]", '{"format": "kernelbo peers 2"}'])
def test_a_damaged_run_is_computed_again(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str) -> None:
    cell = Cell("random", "branin2", 0, BUDGET)
    whole = store(compute(cell), tmp_path).read_text()
    cell.path(tmp_path).write_text(content)
    with pytest.raises(ValueError, match="branin2-b12-s0.json"):
        read(cell, tmp_path)
    assert call(tmp_path, "--contestants", "random", "--functions", "branin2", "--seeds", "1") == 0
    assert "computing it again" in " ".join(capsys.readouterr().err.split())
    assert json.loads(cell.path(tmp_path).read_text())["values"] == json.loads(whole)["values"]


def test_the_first_run_in_a_dimension_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.peers.cells._started", set())
    names = ("branin2", "six_hump_camel2", "hartmann3")
    assert [compute(Cell("random", name, 0, BUDGET))["first"] for name in names] == [True, False, True]


def test_a_run_of_another_cell_is_refused(tmp_path: Path) -> None:
    path = store(compute(Cell("random", "branin2", 0, BUDGET)), tmp_path)
    other = Cell("random", "branin2", 1, BUDGET)
    path.rename(other.path(tmp_path))
    with pytest.raises(ValueError, match="is not the run of"):
        read(other, tmp_path)


def test_who_is_not_installed_is_left_out_and_who_fails_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lazy = Contestant("Lazy", lambda objective, bounds, budget, initial, seed: None)
    greedy = Contestant(
        "Greedy", lambda f, bounds, budget, initial, seed: [f(np.array([0.0, 5.0])) for _ in range(99)] and None
    )
    absent = Contestant("Absent", lazy.run, ("no_such_library",))
    for name, contestant in (("lazy", lazy), ("greedy", greedy), ("absent", absent)):
        monkeypatch.setitem(CONTESTANTS, name, contestant)
    names = "random,lazy,greedy,absent"
    assert call(tmp_path, "--contestants", names, "--functions", "branin2", "--seeds", "1") == 1
    said = capsys.readouterr()
    assert "Left out: Absent, which needs no_such_library" in said.out
    assert "lazy made 0 of 12 evaluations" in said.err
    assert "more than 12 evaluations" in said.err
    assert "random search" in said.out


def test_stored_runs_need_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(CONTESTANTS, "absent", Contestant("Absent", CONTESTANTS["random"].run, ("no_such_library",)))
    run = compute(Cell("random", "branin2", 0, BUDGET))
    store(run | {"cell": asdict(Cell("absent", "branin2", 0, BUDGET))}, tmp_path)
    assert call(tmp_path, "--stored", "--contestants", "absent", "--functions", "branin2", "--seeds", "1") == 0
    said = capsys.readouterr().out
    assert "| Absent | 1 |" in said
    assert "Left out" not in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--functions", "branin"], "unknown function 'branin'"),
        (["--contestants", "tpe"], "unknown contestant 'tpe'"),
        (["--contestants", ","], "names nothing"),
        (["--seeds", "0"], "--seeds must be at least 1"),
        (["--budget", "-1"], "--budget must be at least 2"),
        (["--results", "/dev/null"], "/dev/null is not a folder"),
    ],
)
def test_bad_requests(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def made_up(contestant: str, share: float, spread: float, seeds: int = 20) -> list[dict]:
    rng = np.random.default_rng(len(contestant))
    found = []
    for function in LISTS["ten"].values():
        for seed in range(seeds):
            regret = function.scale * share * 10 ** rng.normal(0.0, spread)
            cell = {"contestant": contestant, "function": function.name, "seed": seed, "budget": 2, "noise": 0.0}
            values = [function.minimum + 10 * regret, function.minimum + regret]
            seconds = {"wall_seconds": 4.0, "processor_seconds": 8.0 if seed == 0 else 2.0, "first": seed == 0}
            found.append({"cell": cell, "values": values, "answer": min(values), "provenance": MADE_BY, **seconds})
            found[-1]["code"] = CONTESTANTS[contestant].code
    return found


def test_the_aggregate_is_the_mean_log_share() -> None:
    """log10 of 0.01 with deviation 0.3 over 200 runs: within 4 standard errors; the interval is 2 x 1.96 of them."""
    (best, worst) = rows([*made_up("random", 0.1, 0.3), *made_up("boke", 0.01, 0.3)])
    assert (best.contestant, worst.contestant) == ("boke", "random")
    error = 0.3 / np.sqrt(200)
    assert best.aggregate == pytest.approx(-2.0, abs=4 * error)
    assert best.high - best.low == pytest.approx(2 * 1.96 * error, rel=0.2)
    assert best.low < best.aggregate < best.high
    assert (best.later, best.first, best.seeds) == (1.0, 4.0, 20)
    assert best.regrets["branin2"] == pytest.approx(0.01 * FUNCTIONS["branin2"].scale, rel=0.5)
    assert "kernelbo boke" in page(made_up("boke", 0.01, 0.3), {}, "settings")


def test_seconds_are_compared_on_one_processor() -> None:
    """A contestant's runs on a faster machine, on which the other has none, do not count as its seconds."""
    faster = {**MADE_BY, "machine": {**MADE_BY["machine"], "processor": "engine"}}
    ours = made_up("boke", 0.01, 0.0, seeds=4)
    for record in ours:
        if record["cell"]["seed"] > 1:
            record.update(provenance=faster, processor_seconds=0.02)
    both = [*ours, *made_up("random", 0.1, 0.0, seeds=4)]
    assert [(row.later, row.first) for row in rows(both)] == [(1.0, 4.0), (1.0, 4.0)]
    assert "Seconds are of the 60 runs on abacus." in document(both)
    on_their_own = [record for record in ours if record["provenance"] is faster]
    assert rows([*on_their_own, *made_up("random", 0.1, 0.0, seeds=4)])[0].later == pytest.approx(0.01)
    assert "Seconds are of" not in document(made_up("random", 0.1, 0.0, seeds=1))


def test_only_whole_seeds_are_compared() -> None:
    """A contestant's aggregate needs a seed on every function, its interval two; others stand below, without one."""
    whole, half = made_up("boke", 0.01, 0.0, seeds=2), made_up("random", 0.1, 0.0, seeds=2)
    found = rows([*made_up("optuna_tpe", 0.1, 0.0, seeds=1), *half[:-1], *whole])
    assert [(row.contestant, row.seeds) for row in found] == [("boke", 2), ("optuna_tpe", 1), ("random", 1)]
    assert found[1].low is None
    assert found[1].later is None
    assert rows([]) == []
    (first, last) = rows([*whole, *half[:3]])
    assert (last.contestant, last.seeds, last.aggregate, set(last.regrets)) == (
        "random",
        0,
        None,
        set(list(FUNCTIONS)[:2]),
    )
    assert first.contestant == "boke"
    text = page([*whole, *half[:3]], {}, "settings").splitlines()
    assert any(line.startswith("| random search | 0 | – |") for line in text)


@pytest.mark.parametrize(
    ("share", "seeds", "words"),
    [
        (0.001, 20, "first ten, exact: ahead by 1 ±"),
        (0.0099, 20, "first ten, exact: tied, ahead by 0.0"),
        (0.1, 20, "first ten, exact: missed: behind by 1 ±"),
        (0.1, 1, "not judged, which takes two whole seeds of both"),
    ],
)
def test_the_goal_is_judged_by_the_runs(share: float, seeds: int, words: str) -> None:
    """The rival's first runs take twelve times the seconds of ours, and its later runs half of them."""
    rival = made_up("optuna_gp", 0.01, 0.1, seeds)
    for record in rival:
        record["processor_seconds"] *= 12.0 if record["first"] else 0.5
    text = "\n".join(goal([*made_up(DEFAULT_POLICY, share, 0.1, seeds), *rival]))
    assert words in text
    assert "0.083 times the seconds in a first run, compiling included (met)" in text
    assert ("2 times the seconds with programs ready (missed)" in text) == (seeds > 1)
    assert "first ten, exact: not judged: the default has not run." in "\n".join(goal(rival))
    assert goal(made_up(DEFAULT_POLICY, share, 0.1, seeds)) == []


def test_runs_of_other_code_are_said_to_be_older_and_not_judged() -> None:
    """A result of other code is no result of this one; other libraries have versions of their own."""
    ours, rival = made_up(DEFAULT_POLICY, 0.001, 0.1), made_up("optuna_gp", 0.01, 0.1)
    assert "exact: ahead by" in "\n".join(goal([*ours, *rival]))
    ours[7]["code"] = "0000000000"
    text = document([*ours, *rival])
    assert "first ten, exact: not judged: some runs are older than the code." in text
    assert "exact: ahead by" not in text
    assert text.count("| kernelbo noisy_ei, older than the code | 20 |") == 1
    assert "Runs of kernelbo noisy_ei are older than the code" in text
    assert "Optuna GP, older" not in text


def test_a_run_of_other_code_is_computed_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    only = ("--contestants", "boke", "--functions", "branin2", "--seeds", "1")
    path = store(
        compute(Cell("random", "branin2", 0, BUDGET)) | {"cell": asdict(Cell("boke", "branin2", 0, BUDGET))}, tmp_path
    )
    assert call(tmp_path, "--stored", *only) == 0
    assert "kernelbo boke, older than the code" in capsys.readouterr().out
    assert call(tmp_path, *only) == 0
    assert "1 runs to compute, 0 stored" in capsys.readouterr().err
    assert json.loads(path.read_text())["code"] == CONTESTANTS["boke"].code


def test_sets_are_judged_apart() -> None:
    """The answer judges noisy runs; the error judges a tuning."""
    ours, rival = made_up(DEFAULT_POLICY, 0.01, 0.1, 4), made_up("optuna_gp", 0.01, 0.1, 4)
    noisy = [{**r, "cell": {**r["cell"], "noise": NOISE}, "answer": r["values"][0]} for r in ours]
    noisy += [{**r, "cell": {**r["cell"], "noise": NOISE}} for r in rival]
    svm = [
        {**r, "cell": {**r["cell"], "function": "svm"}, "values": [0.5, 0.3 + i / 1000], "answer": 0.3}
        for i, r in enumerate((*ours[:4], *rival[:4]))
    ]
    found = sets([*svm, *noisy, *ours, *rival])
    assert {name: len(some) for name, some in found.items()} == {
        "first ten, exact": 80, "first ten, noisy": 80, "svm": 8
    }  # fmt: skip
    text = "\n".join(goal([*ours, *rival, *noisy, *svm]))
    shown = re.findall(r": (tied|missed|ahead).* by (\S+) ± ([^\s;]+);", text)
    assert len(shown) == 3
    assert all((verdict == "tied") == (float(lag) <= float(error)) for verdict, lag, error in shown)
    assert "first ten, noisy: missed: behind by 0.98 ±" in text
    (best, _) = rows(svm)
    assert best.aggregate == pytest.approx(0.3015)
    assert "| kernelbo noisy_ei | 4 | 0.30" in page(svm, {}, "settings")


MADE_BY = {
    "commit": "0123456789abcdef",
    "versions": {"jax": "0.1"},
    "machine": {"processor": "abacus", "cores": 2, "system": "Linux"},
}


def test_the_page_says_what_was_run_where() -> None:
    text = document([*made_up("random", 0.1, 0.0, seeds=1), *made_up("boke", 0.1, 0.0, seeds=1)])
    for words in (
        "20 runs on 10 functions and tunings",
        "2 evaluations",
        "abacus, 2 cores",
        "commit 0123456789ab",
        "jax 0.1",
    ):
        assert words in text
    assert "Not run: BoTorch" in text


@pytest.mark.skipif(not REFERENCE.exists(), reason="no runs are committed")
def test_the_committed_page_is_made_of_the_committed_runs() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(kept())

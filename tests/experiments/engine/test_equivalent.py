"""Two versions of the code are equal exactly where their compiled programs and the programs' inputs are equal."""

import json
import subprocess
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cli.experiments import main
from experiments.engine import equivalent, standing
from experiments.engine.carry import old_results
from experiments.engine.equivalent import checkout, compare, one_of_each
from experiments.engine.programs import digest_of_program, programs_of
from experiments.engine.registry import STUDIES
from experiments.engine.source import PACKAGES, PROJECT
from experiments.engine.study import Cell
from tests.experiments.engine.test_carry import OLD, carried, old_run
from tests.experiments.engine.toy import Toy

FACTOR = np.array([1.0, 2.0, 3.0])


def _digest(function, *arguments) -> bytes:
    return digest_of_program(jax.make_jaxpr(function)(*arguments))


def test_names_do_not_make_a_program_and_numbers_do():
    def first(x):
        return jnp.sum(jax.jit(lambda y: y * FACTOR)(x))

    def second(value):
        def scaled(given):
            return given * FACTOR.copy()

        return jnp.sum(jax.jit(scaled)(value))

    x = jnp.ones(3)
    before = _digest(first, x)
    assert _digest(second, x) == before
    assert _digest(lambda y: jnp.sum(jax.jit(lambda z: z * (FACTOR + 1e-15))(y)), x) != before  # a constant
    assert _digest(lambda y: jnp.sum(jax.jit(lambda z: z + FACTOR)(y)), x) != before  # an operation
    assert _digest(lambda y: jnp.max(jax.jit(lambda z: z * FACTOR)(y)), x) != before
    assert _digest(first, jnp.ones(1)) != before  # a shape
    assert _digest(first, jnp.ones(3, jnp.float32)) != before  # a type


def test_the_order_of_operands_and_what_is_in_a_loop_count():
    def loop(body):
        return lambda x: jax.lax.fori_loop(0, 5, body, x)

    x = jnp.ones(())
    assert _digest(lambda a, b: a - b, x, x) != _digest(lambda a, b: b - a, x, x)
    assert _digest(loop(lambda _, y: 2.0 * y), x) == _digest(loop(lambda index, given: 2.0 * given), x)
    assert _digest(loop(lambda _, y: 2.0 * y), x) != _digest(loop(lambda _, y: 3.0 * y), x)


@pytest.mark.parametrize(
    ("start", "rate", "after", "same"),
    [(1.0, 2.0, 1.0, True), (1.5, 2.0, 1.0, False), (1.0, 2.5, 1.0, False), (1.0, 2.0, 1.5, False)],
    ids=["nothing", "what enters", "a program", "what the host makes of its result"],
)
def test_what_enters_a_program_and_what_becomes_of_its_result_count(start, rate, after, same):
    """The loop is not run: it would end at 0, and made-up numbers are not."""
    cell = Cell("line", "p", (0,))

    def made(start: float, rate: float, after: float):
        def run(cell: Cell) -> dict[str, np.ndarray]:
            step = jax.jit(lambda x: jax.lax.while_loop(lambda y: y > 1e-9, lambda y: y / rate, x))
            end = np.asarray(step(jnp.full(3, start)[0]))
            return {"end": end * after, "seconds": np.random.default_rng().uniform(size=1)}

        return run

    before = programs_of(made(1.0, 2.0, 1.0), cell)
    assert before[2] == 1
    assert (programs_of(made(start, rate, after), cell)[0] == before[0]) == same


def _project(folder: Path, *edits: tuple[str, str, str]) -> Path:
    """A copy of the working tree's packages, with edits (file, before, after)."""
    for package in PACKAGES[:2]:
        subprocess.run(["cp", "-r", str(PROJECT / package), str(folder / package)], check=True)
    for name, before, after in edits:
        path = folder / name
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after))
    return folder


def test_trees_are_compared_by_their_programs(tmp_path: Path):
    """The same sum written in another way is another code and the same program; another formula is neither."""
    (tmp_path / "old").mkdir()
    (tmp_path / "same").mkdir()
    (tmp_path / "other").mkdir()
    name = "experiments/problems/forrester.py"
    text = (PROJECT / name).read_text()
    line = next(line for line in text.splitlines() if line.strip().startswith("return") and "sin" in line)
    through = line.replace("return ", "found = ") + "\n" + line[: len(line) - len(line.lstrip())] + "return found"
    old = _project(tmp_path / "old")
    same = _project(tmp_path / "same", (name, line, through))
    other = _project(tmp_path / "other", (name, line, f"{line} + 1.0"))
    study = STUDIES["boke.fig6"]
    cells = [cell for cell in one_of_each([study], "smoke") if cell.policy == "random_search"]
    assert [cell.problem for cell in cells] == ["forrester", "sphere6"]
    modules = {study.id: study.module}
    assert [one.word for one in compare(cells, modules, old, old)] == ["same code"] * 2
    unlike = compare(cells, modules, old, other)
    assert [one.word for one in unlike] == ["other programs", "same code"]
    assert equivalent.proofs(unlike, "a", "b") == []
    alike = compare(cells, modules, old, same)
    assert [one.word for one in alike] == ["equal programs", "same code"]
    (record,) = equivalent.proofs(alike, "a", "b")
    assert (record["from"], record["to"]) == (unlike[0].old, alike[0].new)


def test_an_unknown_commit_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    with pytest.raises(ValueError, match="no-such-commit"), checkout("no-such-commit"):
        pass
    command = ["equivalent", "no-such-commit", "HEAD", "--only", "fig6", "--results", str(tmp_path / "a")]
    assert main(command, {"boke.fig6": STUDIES["boke.fig6"]}) == 2
    assert "no-such-commit" in capsys.readouterr().err


def test_proofs_are_followed_and_noted_once(tmp_path: Path):
    proofs = tmp_path / "proofs.jsonl"
    assert standing.of_code("a", "c", proofs=proofs) == standing.OLDER
    assert standing.of_code("c", "c", proofs=proofs) == standing.THIS
    records = [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}]
    assert standing.add_equivalences(records, proofs) == 2
    assert standing.add_equivalences(records, proofs) == 0
    assert [json.loads(line) for line in proofs.read_text().splitlines()] == records
    assert standing.of_code("a", "c", proofs=proofs) == standing.THIS
    assert standing.of_code("d", "c", proofs=proofs) == standing.OLDER


def test_a_sample_is_told_with_its_size_and_date():
    record = {"sampled": ["one", "two"], "of": 9, "date": "2026-11-27"}
    found = standing.of_code("c", "c", [record])
    assert found == ("sampled", "sampled 2 of 9, 2026-11-27")
    several = [standing.THIS, found, standing.OLDER, standing.THIS]
    assert standing.in_words(several) == "2 this program, 1 sampled 2 of 9, 2026-11-27, 1 older"
    assert standing.in_words([standing.THIS] * 2) == "this program"


def test_results_by_equal_programs_are_carried_without_a_run(
    toy: Toy, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """A run would find a shifted result; nobody looks at it, because equal programs are proof."""
    old_run(toy, toy.store, shift=1.0)
    study = toy.studies["toy.count"]
    monkeypatch.setattr("experiments.engine.carry.equivalent_codes", lambda code: frozenset((code, OLD)))
    assert all(one.proven for one in old_results([study], "quick", toy.store))
    assert carried(toy) == 0
    assert "4 results by programs proven equal to today's, without a run" in capsys.readouterr().out
    for result in toy.store.results(study, "quick"):
        assert result.metadata["carried"][0]["rule"] == "equal programs"
        assert standing.of_result(result.config, result.metadata, toy.studies) == standing.THIS


def test_results_that_were_sampled_say_so(toy: Toy):
    old_run(toy, toy.store)
    assert carried(toy) == 0
    for result in toy.store.results("toy.count", "quick"):
        found = standing.of_result(result.config, result.metadata, toy.studies)
        assert found.kind == "sampled"
        assert found.words.startswith("sampled 1 of 1, 20")
        older = {**result.metadata, "code": OLD}
        assert standing.of_result(result.config, older, toy.studies) == standing.OLDER

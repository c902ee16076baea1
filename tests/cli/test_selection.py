"""The meaning of ONLY, and the part of a selection that every command takes."""

import pytest

from cli import experiments, selection, theory
from cli.selection import select
from experiments.engine.registry import STUDIES
from paper_figures.figure import figures
from theory_checks.ledger import load


def ids(only: str | None) -> tuple[list[str], list[str], list[str]]:
    chosen = select(only)
    return (
        [study.id for study in chosen.studies],
        [claim.id for claim in chosen.claims],
        [spec.id for spec in chosen.figures],
    )


def of_paper(key: str) -> tuple[list[str], list[str], list[str]]:
    return (
        [name for name, study in STUDIES.items() if study.paper == key and study.default],
        [name for name in load() if name.startswith(f"{key}.")],
        [name for name in figures() if name.startswith(f"{key}.")],
    )


def test_nothing_named_is_everything_that_runs_by_default():
    studies, claims, specs = ids(None)
    assert studies == [name for name, study in STUDIES.items() if study.default]
    assert (claims, specs) == (list(load()), list(figures()))


@pytest.mark.parametrize(("name", "key"), [("boke", "boke"), ("A", "boke"), ("D", "uhe")])
def test_a_paper_by_key_and_by_letter(name, key):
    assert ids(name) == of_paper(key)


@pytest.mark.parametrize("name", ["boke.fig8", "cei.fig3", "uhe.fig1"])
def test_a_study_brings_the_claims_that_read_it_and_its_figures(name):
    readers = [claim.id for claim in load().values() if name in claim.needs]
    drawn = [spec.id for spec in figures().values() if spec.study == name]
    assert ids(name) == ([name], readers, drawn)
    assert drawn


def test_a_name_without_paper_stands_for_all_of_that_name():
    studies, claims, specs = ids("fig6")
    assert studies == ["boke.fig6", "cei.fig6"]
    assert claims
    assert all({"boke.fig6", "cei.fig6"}.intersection(load()[claim].needs) for claim in claims)
    assert {"boke.fig6", "boke.fig6_median", "cei.fig6"} <= set(specs)


@pytest.mark.parametrize("name", ["boke.thm2_adaptive", "thm2_adaptive"])
def test_a_claim_without_studies_is_itself_alone(name):
    assert ids(name) == ([], ["boke.thm2_adaptive"], [])


def test_a_claim_brings_the_studies_that_it_reads_by_default():
    needs = load()["boke.fig8_beats_gp_ucb"].needs
    assert not all(STUDIES[need].default for need in needs)
    studies, claims, specs = ids("fig8_beats_gp_ucb")
    assert studies == [need for need in needs if STUDIES[need].default]
    assert (claims, specs) == (["boke.fig8_beats_gp_ucb"], [])


def test_a_figure_brings_its_study_alone():
    assert ids("boke.fig6_median") == (["boke.fig6"], [], ["boke.fig6_median"])


def test_a_study_that_does_not_run_by_default_is_chosen_by_its_name():
    assert ids("boke.calibration")[0] == ["boke.calibration"]
    assert "boke.calibration" not in ids("boke")[0]


def test_several_names_are_the_union_in_the_order_of_the_registries():
    studies, claims, _ = ids("uhe.fig1, boke.fig6_median,thm2_adaptive")
    assert studies == ["boke.fig6", "uhe.fig1"]
    assert "boke.thm2_adaptive" in claims


@pytest.mark.parametrize("only", [",", " ,", "  "])
def test_separators_alone_are_refused(only):
    with pytest.raises(KeyError, match="names nothing"):
        select(only)


@pytest.mark.parametrize(("wrong", "near"), [("fgi6", "fig6"), ("thm2_adaptiv", "thm2_adaptive"), ("bok", "boke")])
def test_an_unknown_name_is_refused_with_the_near_ones(wrong, near):
    with pytest.raises(KeyError, match=f"unknown study, claim, figure or paper '{wrong}'; did you mean .*'{near}'"):
        select(wrong)


def test_it_says_what_a_name_stands_for(capsys):
    assert selection.main("boke.fig6_median") == 0
    assert "studies: boke.fig6\n  claims: none\n  figures: boke.fig6_median" in capsys.readouterr().out
    assert selection.main("fgi6") == 2
    assert "ONLY: unknown" in capsys.readouterr().err


def test_commands_take_their_own_part(tmp_path, capsys):
    """A claim's name runs no study where the claim reads none; a study's name checks no claim where none reads it."""
    assert experiments.main(["run", "--only", "boke.thm2_adaptive", "--results", str(tmp_path)]) == 0
    assert "needs no study" in capsys.readouterr().out
    assert experiments.main(["list", "--only", "boke.fig6_median"]) == 0
    assert "boke.fig6" in capsys.readouterr().out
    unread = next(name for name in STUDIES if not any(name in claim.needs for claim in load().values()))
    assert theory.main(["run", unread, "--results", str(tmp_path)]) == 0
    assert "no claim reads" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [experiments.main, lambda words: theory.main([words[0], words[2]])])
def test_commands_refuse_what_is_no_name(command, capsys):
    for wrong in ("fgi6", ","):
        assert command(["run", "--only", wrong]) == 2
        assert "fig6" in (said := capsys.readouterr().err) or "names nothing" in said

import shutil
from dataclasses import replace

import pytest

from experiments.engine.registry import discover, select
from tests.experiments.engine.toy import Toy


def test_studies_are_found_by_being_there(toy: Toy):
    assert list(toy.studies) == ["toy.count", "toy.dies", "toy.fails", "toy.objects", "toy.slow"]
    assert toy.studies["toy.count"].module == f"{toy.package}.count"


def test_two_studies_of_one_name_are_refused(toy: Toy):
    shutil.copytree(toy.source, toy.source.parent / "again" / "toy")
    with pytest.raises(ValueError, match=r"two studies are called 'toy.count'.*toy.count and .*again.toy.count"):
        discover((toy.package, f"{toy.package.removesuffix('toy')}again.toy"))


def test_a_study_that_another_module_imports_is_registered_once(toy: Toy):
    (toy.source / "again.py").write_text(f"from {toy.package}.count import STUDY\n")
    assert list(discover((toy.package,))) == list(toy.studies)


def test_select(toy: Toy):
    def ids(only: str | None) -> list[str]:
        return [study.id for study in select(only, toy.studies)]

    assert ids("toy.slow") == ids("slow") == ["toy.slow"]
    assert ids("toy") == ids("") == ids(None) == list(toy.studies)
    assert ids("slow, count") == ["toy.count", "toy.slow"]


def test_an_unknown_study_names_the_near_ones(toy: Toy):
    with pytest.raises(KeyError, match=r"unknown study 'slw'; did you mean 'slow'"):
        select("slw", toy.studies)
    with pytest.raises(KeyError, match=r"unknown study 'toy.cuont'; did you mean 'toy.count'"):
        select("count,toy.cuont", toy.studies)


@pytest.mark.parametrize("only", [",", " , ", " "])
def test_separators_alone_are_refused(toy: Toy, only: str):
    with pytest.raises(KeyError, match="names nothing"):
        select(only, toy.studies)


def test_a_study_that_is_not_default_runs_by_its_own_name_only(toy: Toy):
    studies = {**toy.studies, "toy.slow": replace(toy.studies["toy.slow"], default=False)}
    assert "toy.slow" not in [study.id for only in ("", "toy") for study in select(only, studies)]
    for name in ("slow", "toy.slow"):
        assert [study.id for study in select(name, studies)] == ["toy.slow"]

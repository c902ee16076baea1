"""The citation files are valid, and agree with pyproject.toml and with each other."""

import re
import tomllib
from pathlib import Path

from cffconvert import Citation
from ruamel.yaml import YAML

ROOT = Path(__file__).parent.parent
CFF = (ROOT / "CITATION.cff").read_text()
BIB = (ROOT / "CITATION.bib").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _cff() -> dict:
    return YAML(typ="safe").load(CFF)


def test_the_cff_file_is_valid():
    citation = Citation(CFF)
    citation.validate()
    assert citation.cffversion == "1.2.0"


def test_it_agrees_with_the_project():
    assert _cff()["version"] == PROJECT["version"]
    assert _cff()["license"] == PROJECT["license"]
    assert (ROOT / "LICENSE").read_text().startswith("MIT License")


def test_both_files_name_the_same_four_papers():
    titles = re.findall(r"^  title\s*= \{(.*)\},$", BIB, re.MULTILINE)
    assert titles == [reference["title"] for reference in _cff()["references"]]
    assert len(titles) == 4
    authors = re.findall(r"^  author\s*= \{(.*)\},$", BIB, re.MULTILINE)
    for names, reference in zip(authors, _cff()["references"], strict=True):
        family_names = [name.split(",")[0].removeprefix("van den ") for name in names.split(" and ")]
        assert family_names == [author["family-names"] for author in reference["authors"]]
    eprints = re.findall(r"eprint\s*= \{(.*)\}", BIB)
    assert [f"https://arxiv.org/abs/{eprint}" for eprint in eprints] == [each["url"] for each in _cff()["references"]]
    assert BIB.count("{") == BIB.count("}")

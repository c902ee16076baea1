"""CITATION.cff, codemeta.json, .zenodo.json and ro-crate-metadata.json agree with pyproject.toml."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
CFF = (ROOT / "CITATION.cff").read_text()


def _cff(name: str) -> str:
    found = re.search(rf"^{name}: \"?(.*?)\"?$", CFF, re.MULTILINE)
    assert found, name
    return found[1]


def _crate() -> dict[str, dict[str, object]]:
    graph = json.loads((ROOT / "ro-crate-metadata.json").read_text())["@graph"]
    return {entity["@id"]: entity for entity in graph}


CODEMETA = json.loads((ROOT / "codemeta.json").read_text())
ZENODO = json.loads((ROOT / ".zenodo.json").read_text())
CRATE = _crate()["./"]


def test_one_version():
    assert {_cff("version"), CODEMETA["version"], ZENODO["version"], CRATE["version"]} == {PROJECT["version"]}


def test_one_title_and_description():
    assert {_cff("title"), ZENODO["title"], CRATE["name"]} == {_cff("title")}
    assert {CODEMETA["description"], ZENODO["description"], CRATE["description"]} == {PROJECT["description"]}


def test_one_licence():
    assert _cff("license") == ZENODO["license"] == PROJECT["license"]
    assert CODEMETA["license"] == CRATE["license"]["@id"] == f"https://spdx.org/licenses/{PROJECT['license']}"


def test_the_four_papers_are_named_everywhere():
    papers = re.findall(r"arxiv\.org/abs/([0-9.]+)", CFF)
    assert len(papers) == 4
    assert [one["url"].rpartition("/")[2] for one in CODEMETA["referencePublication"]] == papers
    assert [one["identifier"].removeprefix("arXiv:") for one in ZENODO["related_identifiers"]] == papers


@pytest.mark.parametrize("part", [one["@id"] for one in CRATE["hasPart"]])
def test_the_crate_describes_what_is_there(part):
    assert (ROOT / part).exists()
    assert (ROOT / part).is_dir() == (_crate()[part]["@type"] == "Dataset")

import ast
import importlib

import pytest

from experiments.engine import code_version as versions
from experiments.engine.code_version import closure, code_version, source_digest
from tests.experiments.engine.toy import Toy

SOURCE = '''
"""Doubles numbers."""
def double(x: float) -> float:
    """Twice x."""
    return 2 * x  # the formula
'''


@pytest.mark.parametrize(
    "same",
    [
        SOURCE.replace("Doubles numbers.", "Doubles any number."),
        SOURCE.replace('    """Twice x."""\n', ""),
        SOURCE.replace("# the formula", "# formula (1)"),
        SOURCE.replace("2 * x", "(2*x)"),
    ],
)
def test_words_and_layout_do_not_count(same: str):
    assert same != SOURCE
    assert source_digest(same) == source_digest(SOURCE)


@pytest.mark.parametrize(
    "other",
    [
        SOURCE.replace("2 * x", "x * 2"),
        SOURCE.replace("2 * x", "2.0 * x"),
        SOURCE.replace("float) -> float", "float) -> int"),
        SOURCE.replace("double", "twice"),
        SOURCE.replace("    return", '    "not a docstring"\n    return'),
        SOURCE + "double = abs\n",
    ],
)
def test_code_does_count(other: str):
    assert source_digest(other) != source_digest(SOURCE)


def test_imports_are_followed_wherever_they_stand(toy: Toy):
    source = toy.source
    (source / "inner.py").write_text("VALUE = 1\n")
    (source / "helper.py").write_text("from . import inner\n")
    module = f"{toy.package}.count"
    path = source / "count.py"
    before = code_version(module)
    path.write_text(path.read_text().replace("i = cell", "from .helper import inner\n    i = cell"))
    found = closure(module)
    assert {toy.package, module, f"{toy.package}.helper", f"{toy.package}.inner"} <= set(found)
    assert "experiments.engine.study" in found
    assert "numpy" not in found
    direct = code_version(module)
    (source / "inner.py").write_text("VALUE = 22\n")
    assert len({before, direct, code_version(module)}) == 3


def test_only_the_policies_in_use_count(toy: Toy):
    registry = importlib.import_module("core.policies").REGISTRY
    used, unused = "random_search", "gp_ucb"
    module = f"{toy.package}.count"
    path = toy.source / "count.py"
    path.write_text("from core.policies import REGISTRY\n" + path.read_text())
    chosen = closure(module, policies=(used,))
    assert registry[used].__module__ in chosen
    assert registry[unused].__module__ not in chosen
    assert "core.policies" not in chosen
    for policies in (None, ("not_a_policy",)):
        every = closure(module, policies=policies)
        assert {"core.policies", registry[used].__module__, registry[unused].__module__} <= set(every)


def test_the_face_of_core_counts_where_a_name_of_it_is_used(toy: Toy):
    module, path = f"{toy.package}.count", toy.source / "count.py"
    without = path.read_text()
    path.write_text(f"import core\n{without}")
    assert "core.settings" in closure(module)
    assert "core.door.optimize" not in closure(module)
    path.write_text(f"from core import optimize\n{without}")
    assert {"core", "core.door.optimize"} <= set(closure(module))


def test_whoever_imports_core_and_no_name_of_it_uses_none():
    """Such an import is there for the settings, and is not followed."""
    bare = []
    for path in (one for folder in versions.PACKAGES for one in (versions.PROJECT / folder).rglob("*.py")):
        tree = ast.parse(path.read_text())
        imported = [alias for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        if "core" in {alias.name for alias in imported}:
            bare.append(path.name)
            attributes = [node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
            assert "core" not in {value.id for value in attributes if isinstance(value, ast.Name)}, path
    assert bare


def test_no_study_and_no_claim_depends_on_the_practitioners_door_unless_it_uses_it():
    assert not [name for name in closure("experiments.boke.fig6", "experiments.ctx.fig1a") if "core.door" in name]


def test_a_module_without_source_is_refused():
    with pytest.raises(ModuleNotFoundError, match="no source file for the module 'experiments.nowhere'"):
        code_version("experiments.nowhere")


def test_the_project_is_where_we_think():
    assert (versions.PROJECT / "pyproject.toml").is_file()

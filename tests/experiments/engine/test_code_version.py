"""The version of the code changes with the computation, and with nothing else."""

from pathlib import Path

import pytest

from experiments.engine.closure import Code
from experiments.engine.code_version import closure_of, code_of_cell, code_version, of_cell, strings_of
from experiments.engine.registry import STUDIES
from experiments.engine.source import PROJECT, Tree

FILES = {
    "core/__init__.py": "from core import settings as settings\n",
    "core/settings.py": 'import jax\njax.config.update("jax_enable_x64", True)\n',
    "core/policies.py": '''
"""Policies."""
from core.models import Mean, KERNELS

class Policy:
    """A policy."""
    scale: float = 1.0

class Greedy(Policy):
    def __init__(self, kernel: str = "gauss") -> None:
        if kernel not in KERNELS:
            raise ValueError(f"no such kernel: {kernel}, but one of {sorted(KERNELS)}")
        self.kernel = KERNELS[kernel]

    def propose(self, data):
        """Propose."""
        largest = max(data)
        return self.kernel(largest) + Mean(self.scale)

class Other(Policy):
    beta = 1.0

REGISTRY = {"greedy": Greedy, "other": Other}

def make(name, **options):
    if name not in REGISTRY:
        raise KeyError(f"unknown policy {name}; one of {list(REGISTRY)}")
    return REGISTRY[name](**options)
''',
    "core/models.py": '''
FLOOR = 1e-3
"""Below which nothing is."""
UNUSED = 7

def Mean(x: float) -> float:
    shifted = _shift(x)
    return max(FLOOR, shifted)

def _shift(x):
    return x + 1.0

@custom
def _flat(x):
    return x

@_flat.defjvp
def _(x, t):
    return 2.0 * t

def _gauss(x):
    return _flat(x) ** 2

def _flat_top(x):
    return x

KERNELS = {"gauss": _gauss, "flat": _flat_top}
''',
    "experiments/__init__.py": "",
    "experiments/paper/__init__.py": "",
    "experiments/problems.py": """
def sphere(dim=2): return dim
def hill(dim=2): return -dim
PROBLEMS = {"sphere": sphere, "hill": hill}
def get(name):
    base = name.rstrip("0123456789")
    return PROBLEMS[base]()
""",
    "experiments/paper/fig1.py": '''
"""Figure 1."""
import core
from core.policies import make
from experiments import problems
from experiments.engine.study import Study

STEPS = 3
"""How many."""

def cells(scale): return list(make.__doc__ or ())

def run(cell, steps=5):
    """Runs it."""
    policy = make(cell.policy)
    total = sum(policy.propose([i]) for i in range(STEPS))
    return {"x": problems.get(cell.problem) + total}

STUDY = Study(__name__, title="A title", caption="A caption", cells=cells, run=run)
''',
    "experiments/engine/__init__.py": "",
    "experiments/engine/study.py": "class Study: pass\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def _code(root: Path, policy: str = "greedy", problem: str = "sphere2") -> str:
    names = strings_of({"problem": problem, "policy": policy, "scale": "quick", "options": {"n": 1}})
    return closure_of(Code(Tree(root)), "experiments.paper.fig1", "run", (), names).code


def _edit(root: Path, name: str, before: str, after: str) -> None:
    path = root / name
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


WORDS = {
    "a module's docstring": ("core/policies.py", '"""Policies."""', '"""All policies."""'),
    "a docstring": ("core/policies.py", '"""Propose."""', '"""What comes next."""'),
    "a comment": ("core/models.py", "FLOOR = 1e-3", "FLOOR = 1e-3  # small"),
    "the text under a constant": ("core/models.py", "Below which nothing is.", "A floor."),
    "an annotation": ("core/models.py", "def Mean(x: float) -> float:", "def Mean(x: int) -> complex:"),
    "the annotation of a field": ("core/policies.py", "scale: float = 1.0", "scale: int = 1.0"),
    "an error": ("core/policies.py", "no such kernel: {kernel}, but", "unknown kernel; it must be"),
    "another error": ("core/policies.py", "unknown policy {name}; one of", "no policy {name}, but"),
    "a local name": ("core/models.py", "shifted", "moved"),
    "a loop's name": ("experiments/paper/fig1.py", "[i]) for i in", "[step]) for step in"),
    "a private name": ("core/models.py", "_shift(", "_moved("),
    "a constant's name": ("core/models.py", "FLOOR", "LEAST"),
    "a constant that is not used": ("core/models.py", "UNUSED = 7", "UNUSED = 8"),
    "a title": ("experiments/paper/fig1.py", "A title", "Another title"),
    "a caption": ("experiments/paper/fig1.py", "A caption", "Another caption"),
    "which cells there are": ("experiments/paper/fig1.py", "make.__doc__ or ()", "range(3)"),
    "__all__": ("core/models.py", "FLOOR = 1e-3", '__all__ = ["Mean"]\nFLOOR = 1e-3'),
    "another policy": ("core/policies.py", 'REGISTRY = {', 'class New(Policy): pass\n\nREGISTRY = {"new": New, '),
    "a policy that is not used": ("core/policies.py", "beta = 1.0", "beta = 2.0"),
    "another problem": ("experiments/problems.py", "PROBLEMS = {", 'PROBLEMS = {"new": hill, '),
    "a problem that is not used": ("experiments/problems.py", "return -dim", "return 2 * dim"),
    "a kernel that is not used": ("core/models.py", "_flat_top(x):\n    return x", "_flat_top(x):\n    return 1"),
    "another import": ("core/models.py", "FLOOR = 1e-3", "import numpy as np\nFLOOR = 1e-3"),
}  # fmt: skip


@pytest.mark.parametrize("change", WORDS)
def test_words_names_and_what_is_not_used_do_not_count(change: str, project: Path):
    before = _code(project)
    _edit(project, *WORDS[change])
    assert _code(project) == before


def test_a_module_may_move_and_be_renamed(project: Path):
    before = _code(project)
    (project / "core/inference").mkdir()
    (project / "core/inference/__init__.py").write_text("")
    (project / "core/models.py").rename(project / "core/inference/posterior.py")
    _edit(project, "core/policies.py", "from core.models import", "from .inference.posterior import")
    assert _code(project) == before
    _edit(project, "core/policies.py", "import Mean, KERNELS", "import Mean as m, KERNELS")
    _edit(project, "core/policies.py", "+ Mean(", "+ m(")
    assert _code(project) == before


CODE = {
    "a formula": ("core/models.py", "return x + 1.0", "return x - 1.0"),
    "a constant": ("core/models.py", "FLOOR = 1e-3", "FLOOR = 1e-4"),
    "a default": ("experiments/paper/fig1.py", "steps=5", "steps=6"),
    "a default that names a kernel": ("core/policies.py", 'kernel: str = "gauss"', 'kernel: str = "flat"'),
    "a field's default": ("core/policies.py", "scale: float = 1.0", "scale: float = 2.0"),
    "a field that becomes the class's": ("core/policies.py", "scale: float", "scale: ClassVar[float]"),
    "a kernel behind its name": ("core/models.py", "_flat(x) ** 2", "_flat(x) ** 3"),
    "a derivative": ("core/models.py", "return 2.0 * t", "return 3.0 * t"),
    "the entry of a registry": ("core/policies.py", '"greedy": Greedy', '"greedy": Other'),
    "the problem in use": ("experiments/problems.py", "def sphere(dim=2): return dim", "def sphere(dim=2): return 1"),
    "a setting on import": ("core/settings.py", "True", "False"),
    "which error": ("core/policies.py", "raise ValueError", "raise TypeError"),
    "a condition": ("core/policies.py", "if kernel not in KERNELS", "if kernel in KERNELS"),
    "which local name": ("core/models.py", "max(FLOOR, shifted)", "max(FLOOR, x)"),
    "a base class": ("core/policies.py", "class Greedy(Policy)", "class Greedy(Other)"),
    "an order": ("core/policies.py", "(largest) + Mean(self.scale)", "(Mean(self.scale)) + largest"),
    "another package's function": ("core/settings.py", "import jax", "import numpy as jax"),
    "a second binding": ("core/models.py", "UNUSED = 7", "if True:\n    FLOOR = 2.0"),
}  # fmt: skip


@pytest.mark.parametrize("change", CODE)
def test_what_is_computed_counts(change: str, project: Path):
    before = _code(project)
    _edit(project, *CODE[change])
    assert _code(project) != before


def test_each_method_and_problem_counts_where_it_is_used(project: Path):
    cells = (("greedy", "sphere2"), ("other", "sphere2"), ("greedy", "hill"))
    before = [_code(project, *cell) for cell in cells]
    _edit(project, "core/policies.py", "beta = 1.0", "beta = 2.0")
    assert [_code(project, *cell) == code for cell, code in zip(cells, before, strict=True)] == [True, False, True]
    _edit(project, "experiments/problems.py", "return -dim", "return -2 * dim")
    assert [_code(project, *cell) == code for cell, code in zip(cells, before, strict=True)] == [True, False, False]


DYNAMIC = {
    "a whole module": ("from core import models", "getattr(models, cell.policy)()"),
    "a module by its name": ("import importlib", 'importlib.import_module("core.models")'),
    "any module": ("import importlib", "importlib.import_module(cell.policy)"),
    "all of a mapping": ("from core.models import KERNELS", "list(KERNELS.values())"),
    "a name that is put together": ("from core.models import KERNELS", 'KERNELS[f"fla{cell.policy}"]'),
    "a name with an end": ("from core.models import KERNELS", 'KERNELS[f"{cell.policy}at"]'),
    "a sum": ("from core.models import KERNELS", 'KERNELS["fl" + cell.policy]'),
    "a format": ("from core.models import KERNELS", 'KERNELS["fl{}".format(cell.policy)]'),
    "an older format": ("from core.models import KERNELS", 'KERNELS["f%st" % cell.policy]'),
    "a part of a name": ("from core.models import KERNELS", 'KERNELS["flattened".removesuffix("tened")]'),
    "through a method": ("from core.models import KERNELS", 'KERNELS.get("flat")'),
    "through a module": ("from core import models", 'models.KERNELS["flat"]'),
}


@pytest.mark.parametrize("lookup", DYNAMIC)
def test_what_is_looked_up_by_a_name_that_is_not_written_counts(lookup: str, project: Path):
    imported, used = DYNAMIC[lookup]
    _edit(project, "experiments/paper/fig1.py", "import core\n", f"import core\n{imported}\n")
    _edit(project, "experiments/paper/fig1.py", "total = sum(", f"looked = {used}\n    total = sum(")
    before = _code(project)
    _edit(project, "core/models.py", "def _flat_top(x):\n    return x", "def _flat_top(x):\n    return 1")
    assert _code(project) != before


def test_an_import_inside_a_function_is_followed(project: Path):
    _edit(
        project,
        "experiments/paper/fig1.py",
        "    policy = make(",
        "    from core.models import UNUSED as u\n    policy = make(",
    )
    _edit(project, "experiments/paper/fig1.py", "+ total", "+ total + u")
    before = _code(project)
    _edit(project, "core/models.py", "UNUSED = 7", "UNUSED = 8")
    assert _code(project) != before


def test_a_local_name_hides_one_of_the_module(project: Path):
    """`shifted` becomes the name of a constant that the module has: what was local stays so."""
    before = _code(project)
    _edit(project, "core/models.py", "shifted", "UNUSED")
    assert _code(project) == before
    _edit(project, "core/models.py", "UNUSED = 7", "UNUSED = 8")
    assert _code(project) == before


def test_another_claim_and_its_words_outdate_no_evidence(tmp_path: Path):
    module = "theory_checks.paper.one"
    files = {
        "theory_checks/__init__.py": "",
        "theory_checks/ledger.py": "def claim(**fields): return lambda check: check\n",
        "theory_checks/paper/__init__.py": "",
        "theory_checks/paper/one.py": '''
from theory_checks.ledger import claim
LIMIT = 2.0

@claim(id="paper.one", statement="A statement.", rule="A rule.", amended="Never.", control={"a": 1})
def one(scale, *, a=0):
    """Checks it."""
    return LIMIT > a
''',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)

    def code() -> str:
        return closure_of(Code(Tree(tmp_path)), module, "names", ("one",), ()).code

    before = code()
    for old, new in (("A statement.", "Another."), ("A rule.", "By hand."), ("Never.", "Twice."), ("Checks", "Judges")):
        _edit(tmp_path, "theory_checks/paper/one.py", old, new)
    with (tmp_path / "theory_checks/paper/one.py").open("a") as file:
        file.write('\n@claim(id="paper.two", statement="More.")\ndef two(scale):\n    return LIMIT\n')
    assert code() == before
    _edit(tmp_path, "theory_checks/paper/one.py", "LIMIT = 2.0", "LIMIT = 3.0")
    assert code() != before


def test_a_changed_file_is_seen(toy):
    module, path = f"{toy.package}.count", toy.source / "count.py"
    cell = toy.studies["toy.count"].cells("smoke")[0]
    before = code_of_cell(module, cell)
    path.write_text(path.read_text().replace('"""A toy study."""', '"""Another."""'))
    assert code_of_cell(module, cell) == before
    path.write_text(path.read_text().replace("seed**2.0", "seed**3.0"))
    assert code_of_cell(module, cell) != before


def test_a_module_without_source_is_refused():
    with pytest.raises(ModuleNotFoundError, match="no source file for the module 'experiments.nowhere'"):
        code_version("experiments.nowhere")


def test_no_study_depends_on_the_optimizer_unless_it_uses_it():
    for name in ("boke.fig6", "ctx.fig1a"):
        cell = STUDIES[name].cells("smoke")[0]
        assert not [symbol for symbol in of_cell(STUDIES[name].module, cell).symbols if "core.optimizer" in symbol]


def test_the_project_is_where_we_think():
    assert (PROJECT / "pyproject.toml").is_file()

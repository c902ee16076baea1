"""A paper of toy studies, written into a temporary folder as real modules, and a command line that knows only them."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from experiments.engine.store import Store
from experiments.engine.study import Study

TOY_STUDY = '''
"""A toy study."""
import os, signal, time
from pathlib import Path
import numpy as np
from experiments.engine.study import Cell, Study

FOLDER = Path(__file__).parents[2]

def once(name):
    """True the first time, over all processes."""
    try:
        (FOLDER / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True

def cells(scale):
    return [Cell("line", f"p{{i}}", (i, i + 1), {{"i": i}}) for i in range({count})]

def run(cell):
    i = cell.options["i"]
    (FOLDER / f"pid-{{os.getpid()}}").touch()
    {action}
    return {{"square": np.array([seed**2.0 for seed in cell.seeds]), "where": np.arange(3)}}

STUDY = Study(__name__, title="Toy {name}", caption="", cells=cells, run=run)
'''

ACTIONS = {
    "count": (4, "pass"),
    # Two cells are computed at once, the others when they may (see `Toy.let_go`): a run is still on when it is stopped.
    "slow": (6, "while i > 1 and not (FOLDER / 'go').exists(): time.sleep(0.01)"),
    "fails": (3, "assert i != 1, 'cell one fails'"),
    # Cell 2 dies once; cell 1 waits for that, then dies always: whichever order the workers take, the outcome is one.
    "dies": (
        4,
        "while i == 1 and not (FOLDER / 'died').exists(): time.sleep(0.01)\n"
        "    if i == 1 or (i == 2 and once('died')): os.kill(os.getpid(), signal.SIGKILL)",
    ),
    "objects": (1, "return {'text': np.array([None, {}])}"),
}

DRIVER = """
import sys
sys.path.insert(0, {folder!r})
if __name__ == "__main__":
    from cli.experiments import main
    from experiments.engine.registry import discover
    sys.exit(main(studies=discover(({package!r},))))
"""


@dataclass
class Toy:
    """The toy paper: a folder, in it the package (whose name ends in "toy"), its studies, its command line's store."""

    folder: Path
    package: str
    studies: dict[str, Study]

    @property
    def source(self) -> Path:
        """The folder of the package."""
        return self.folder.joinpath(*self.package.split("."))

    @property
    def store(self) -> Store:
        return Store(self.folder / "results", studies=self.studies)

    def command(self, *arguments: str, results: Path | None = None) -> list[str]:
        """The toy command line."""
        folders = ["--results", str(results or self.store.root), "--reference", str(self.folder / "reference")]
        return [sys.executable, str(self.folder / "driver.py"), *arguments, *folders]

    def run(self, *arguments: str, results: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Runs the toy command line to its end."""
        command = self.command(*arguments, results=results)
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    def let_go(self) -> None:
        """Lets the cells of the slow study finish, those from the third on."""
        (self.folder / "go").touch()

    def workers(self) -> list[int]:
        """The processes that have computed cells and still run."""
        pids = [int(path.name.removeprefix("pid-")) for path in self.folder.glob("pid-*")]
        return [pid for pid in pids if _alive(pid)]


def _alive(pid: int) -> bool:
    """True for a running process; a process that has ended but was not waited for does not run."""
    if Path("/proc/self/stat").exists():
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return bool(state.strip()) and not state.strip().startswith("Z")


def write_paper(folder: Path, package: str) -> None:
    """Writes the toy studies as a package, and the command line that knows only them."""
    source = folder.joinpath(*package.split("."))
    source.mkdir(parents=True)
    for made in (source.parent, source):
        (made / "__init__.py").write_text('"""Toy studies."""\n')
    (source / "helper.py").write_text("SCALE = 1\n")
    for name, (count, action) in ACTIONS.items():
        (source / f"{name}.py").write_text(TOY_STUDY.format(name=name, count=count, action=action))
    (folder / "driver.py").write_text(DRIVER.format(folder=str(folder), package=package))

"""Pages of the programming interface: the input of mkdocstrings, one page a package."""

import importlib
import pkgutil

import core
from paper_figures.site.documents import Page

__all__ = ["interface_pages"]

FACE = "kernelbo"


def interface_pages() -> list[Page]:
    """The public package `kernelbo`, then the packages and modules of `core`."""
    pages = [Page("reference/interface/index.md", "Programming interface", f"# {FACE}\n\n::: {FACE}\n")]
    single: list[str] = []
    for module in pkgutil.iter_modules(core.__path__, "core."):
        if not module.ispkg:
            single.append(module.name)
            continue
        package = importlib.import_module(module.name)
        found = [one.name for one in pkgutil.walk_packages(package.__path__, f"{module.name}.")]
        pages.append(_page(module.name, [module.name, *found]))
    return [*pages, _page("core", ["core", *single])]


def _page(name: str, modules: list[str]) -> Page:
    text = "\n\n".join([f"# {name}", *(f"## {one}\n\n::: {one}" for one in modules)])
    return Page(f"reference/interface/{name.rpartition('.')[2]}.md", name, text + "\n")

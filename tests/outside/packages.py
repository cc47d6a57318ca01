"""Text of files in, a package with entry points out, found by Python while a test needs it."""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from textwrap import dedent

from fabricgen.core import extensions
from fabricgen.model.catalog import asics, files, nics, switches
from fabricgen.nos import lowering, registry
from fabricgen.prove.written import judge_of

_BLOCK = re.compile(r"^`([\w./-]+)`(?:(?!\n\n).)*\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
CACHES = (
    extensions._installed,
    extensions.extensions,
    extensions.extension_folders,
    registry.platforms,
    registry.nos,
    files._folders,
    asics.asic,
    asics._all,
    nics._files,
    nics.nic_model,
    switches._files,
    switches.model_names,
    switches.switch_model,
    lowering._port_name,
    judge_of,
)


def written(
    folder: Path,
    files: Mapping[str, str],
    entries: Mapping[str, Mapping[str, str]],
    name: str = "acme-net",
) -> Path:
    """Write a package as an installer would. entries: seam, name, module:attribute."""
    seams = (
        f"[fabricgen.{seam}]\n" + "".join(f"{key} = {where}\n" for key, where in points.items())
        for seam, points in entries.items()
    )
    told = {"METADATA": f"Name: {name}\nVersion: 1.0\n", "entry_points.txt": "\n".join(seams)}
    stem = name.replace("-", "_")
    recorded = {f"{stem}-1.0.dist-info/{file}": text for file, text in told.items()}
    for path, text in {**files, **recorded}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(dedent(text), encoding="utf-8")
    return folder


def files_of(page: Path) -> dict[str, str]:
    """Return the files that a page shows: a paragraph that begins with a path, then a block."""
    return dict(_BLOCK.findall(page.read_text()))


def from_page(page: Path, folder: Path) -> None:
    """Write the files of a page as pip would install them."""
    files = files_of(page)
    project = tomllib.loads(files.pop("pyproject.toml"))["project"]
    points = project["entry-points"]
    entries = {seam.removeprefix("fabricgen."): names for seam, names in points.items()}
    written(folder, files, entries, project["name"])


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """Let Python find what is in a folder, and forget it afterwards."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    forget()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
        forget()


def forget() -> None:
    """Empty what remembers the installed packages."""
    invalidate_caches()
    for cache in CACHES:
        cache.cache_clear()

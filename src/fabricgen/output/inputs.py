"""The texts of a site and the options of a render in, one hash out: equal hashes, equal trees.

Everything that a rendered file depends on is hashed by its content: the intent, the compiler with
its templates and catalog, and what other packages add. The versions of Python and of libraries are
not: `render --force` and `render --check` make every file anew.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.extensions import CATALOG, CHECKS, PLATFORMS, extension_folders, extensions
from fabricgen.render import template_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


def inputs_hash(texts: Mapping[str, str], options: Iterable[str] = ()) -> str:
    """Hash all that a tree is made from. texts: the site's, by paths relative to it."""
    total = hashlib.sha256()
    for seam in (PLATFORMS, CHECKS, CATALOG):
        for each in extensions(seam):
            _add(total, seam, f"{each.name} = {each.entry.value}".encode())
    for option in options:
        _add(total, "option", option.encode())
    for name, text in sorted(texts.items()):
        _add(total, name, text.encode())
    for folder in (Path(__file__).parents[1], template_folder(), *extension_folders()):
        for name in sorted(_sources(folder)):
            _add(total, name.removeprefix(str(folder)), _content(name))
    return total.hexdigest()


def _add(total: hashlib._Hash, name: str, content: bytes) -> None:
    total.update(f"{name}\0{len(content)}\0".encode())
    total.update(content)


def _content(name: str) -> bytes:
    with open(name, "rb") as stream:  # noqa: PTH123 - hundreds of files in every render
        return stream.read()


def _sources(folder: Path) -> Iterator[str]:
    if folder.is_file():
        yield str(folder)
    for root, folders, names in os.walk(folder):
        folders[:] = [each for each in folders if each != "__pycache__"]
        yield from (f"{root}/{name}" for name in names)

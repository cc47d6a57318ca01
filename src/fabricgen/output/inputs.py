"""The texts of a site and the options of a render in, one hash out: equal hashes, equal trees.

Everything that a rendered file depends on is hashed by its content: the intent, the compiler with
its templates and catalog, and what other packages add. The versions of Python and of libraries are
not: `render --force` and `render --check` make every file anew.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabricgen.extensions import CATALOG, CHECKS, PLATFORMS, extension_folders, extensions
from fabricgen.render import template_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabricgen.own_templates import OwnTemplates


class Inputs:
    """Hashes what a tree is made from: all of it, or what one fabric of it needs."""

    def __init__(self, options: Iterable[str] = (), templates: OwnTemplates = ()) -> None:
        """Hash what every file depends on: the compiler, packages beside it, own templates."""
        self._base = hashlib.sha256()
        for seam in (PLATFORMS, CHECKS, CATALOG):
            for each in extensions(seam):
                _add(self._base, seam, f"{each.name} = {each.entry.value}".encode())
        for option in options:
            _add(self._base, "option", option.encode())
        for own in templates:
            _add(self._base, own.name, own.text.encode())
        for folder in (Path(__file__).parents[1], template_folder(), *extension_folders()):
            for name in sorted(_sources(folder)):
                _add(self._base, name.removeprefix(str(folder)), _content(name))

    def whole(self, texts: Mapping[str, str]) -> str:
        """Return the hash of a site. texts: its files, by paths relative to it."""
        total = self._base.copy()
        for name, text in sorted(texts.items()):
            _add(total, name, text.encode())
        return total.hexdigest()

    def fabrics(self, intent: Mapping[str, Any]) -> dict[str, str]:
        """Return the hash of each fabric. intent: everything that is written, as data.

        A fabric is designed from its own key and from those of no other fabric; tenants live on
        the frontend. What the checks compare between fabrics makes no file.
        """
        return {
            name: self._fabric(name, intent) for name in intent if name in ("frontend", "backend")
        }

    def _fabric(self, name: str, intent: Mapping[str, Any]) -> str:
        foreign = {"frontend", "backend"} - {name} | ({"tenants"} if name == "backend" else set())
        mine = {key: value for key, value in intent.items() if key not in foreign}
        total = self._base.copy()
        _add(total, name, json.dumps(mine, sort_keys=True).encode())
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

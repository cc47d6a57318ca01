"""Hash the inputs of a render: the texts of a site, the options and the compiler.

Equal hashes mean equal trees. Every input of a rendered file is hashed by its content: the intent,
the compiler with its templates and catalog, and what other packages add. The versions of Python and
of libraries are not hashed. `render --force` and `render --check` make every file again.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import fabricgen
from fabricgen.compile.render import template_folder
from fabricgen.core.extensions import CATALOG, CHECKS, PLATFORMS, extension_folders, extensions
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Lag, Session, SwitchSlice
from fabricgen.nos.hosts.bridged import Address, BridgedSide, Member, RoutedLink
from fabricgen.nos.hosts.routed import RoutedPort, RoutedSide
from fabricgen.nos.hosts.slices import HostSlice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabricgen.compile.compiler import Piece
    from fabricgen.core.own_templates import OwnTemplates


class Inputs:
    """Hashes of the inputs of a tree."""

    def __init__(self, options: Iterable[str] = (), templates: OwnTemplates = ()) -> None:
        """Hash common inputs: the compiler, installed packages, custom templates."""
        self._base = hashlib.sha256()
        for seam in (PLATFORMS, CHECKS, CATALOG):
            for each in extensions(seam):
                _add(self._base, seam, f"{each.name} = {each.entry.value}".encode())
        for option in options:
            _add(self._base, "option", option.encode())
        for own in templates:
            _add(self._base, own.name, own.text.encode())
        for folder in (Path(fabricgen.__file__).parent, template_folder(), *extension_folders()):
            for name in sorted(_sources(folder)):
                _add(self._base, name.removeprefix(str(folder)), _content(name))

    def whole(self, texts: Mapping[str, str]) -> str:
        """Return the hash of a site. texts: its files, by paths relative to it."""
        total = self._base.copy()
        for name, text in sorted(texts.items()):
            _add(total, name, text.encode())
        return total.hexdigest()

    @property
    def base(self) -> str:
        """Return the hash of the common inputs."""
        return self._base.hexdigest()


class Digests:
    """Hashes of slices: with the common inputs, all that the files of an owner are made from.

    A slice holds no fabric and no site. So a change of another owner changes its hash only if it
    changes a value that the files may show. Shared parts of slices are hashed once.
    """

    def __init__(self) -> None:
        """Start without shared parts."""
        self._shared: dict[int, tuple[object, str]] = {}  # the object is kept, so is its id

    def of(self, piece: Piece) -> str:
        """Return the hash of a slice; it is empty where a slice cannot be hashed."""
        try:
            return self._hash(piece)
        except (
            pickle.PicklingError,
            TypeError,
            AttributeError,
            RecursionError,
        ):  # of another package
            return ""

    def shared(self, part: object) -> str:
        """Return the hash of a part of many slices."""
        known = self._shared.get(id(part))
        if known is None:
            known = self._shared[id(part)] = (part, self._hash(part))
        return known[1]

    def _hash(self, part: object) -> str:
        written = io.BytesIO()
        _Writer(written, self, part).dump(part)
        return hashlib.sha256(written.getbuffer()).hexdigest()[:32]


class _Writer(pickle.Pickler):
    """Writes a part of a slice as bytes for its hash."""

    def __init__(self, stream: io.BytesIO, digests: Digests, part: object) -> None:
        super().__init__(stream, protocol=5)
        self._digests, self._part = digests, part

    def reducer_override(self, each: Any) -> Any:
        """Write the hash in the place of a shared part."""
        if type(each) in _OWN or isinstance(each, _PLAIN):
            return NotImplemented
        if each is not self._part:
            return _hashed, (self._digests.shared(each),)
        kind: Any = type(each)
        names = _fields_of_sets(kind)
        if not names:
            return NotImplemented
        values = (getattr(each, name) for name in names)
        return _hashed, (
            type(each),
            *(sorted(v) if isinstance(v, frozenset) else v for v in values),
        )


def _hashed() -> None:
    """Name a shared part in the written bytes."""


@cache
def _fields_of_sets(kind: type) -> tuple[str, ...]:
    """Return the fields of a class with a set, whose order differs from run to run."""
    every = fields(kind) if is_dataclass(kind) else ()
    return tuple(each.name for each in every) if any("set[" in str(f.type) for f in every) else ()


_PLAIN = (type, FunctionType, int, float, str)


_OWN = frozenset(
    {
        *(SwitchSlice, Interface, Session, Lag, Ip),
        *(HostSlice, BridgedSide, RoutedSide, RoutedPort, RoutedLink, Member, Address),
    }
)
"""Classes of objects that are made for a single slice."""


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

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
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabricgen.compile.render import template_folder
from fabricgen.core import SOURCES
from fabricgen.core.extensions import CATALOG, CHECKS, PLATFORMS, extension_folders, extensions
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Lag, Session, SwitchSlice
from fabricgen.nos.hosts.bridged import Address, BridgedSide, Member, RoutedLink
from fabricgen.nos.hosts.routed import RoutedPort, RoutedSide
from fabricgen.nos.hosts.slices import HostSlice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from fabricgen.compile.compiler import Piece
    from fabricgen.core.own_templates import OwnTemplates

    _Reduced = str | tuple[Any, ...]
    _Reducer = Callable[[Any], _Reduced]


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
        for folder in (SOURCES, template_folder(), *extension_folders()):
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
        self._shared: dict[int, tuple[object, _Reduced]] = {}  # the object is kept, so is its id
        self._part: object = None
        self._reducers = _Reducers(self)

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

    def shared(self, part: Any) -> _Reduced:
        """Return what is written for a part of many slices: its hash."""
        known = self._shared.get(id(part))
        if known is not None:
            return known[1]
        if part is self._part:
            kind: Any = type(part)
            return _contents(kind)(part)
        reduced = _hashed, (self._hash(part),)
        self._shared[id(part)] = part, reduced
        return reduced

    def _hash(self, part: object) -> str:
        above, self._part = self._part, part
        written = io.BytesIO()
        pickler = pickle.Pickler(written, protocol=5)
        pickler.dispatch_table = self._reducers
        try:
            pickler.dump(part)
        finally:
            self._part = above
        return hashlib.sha256(written.getbuffer()).hexdigest()[:32]


class _Reducers(dict[type, "_Reducer"]):
    """Functions that return what is written for an object, by its class."""

    def __init__(self, digests: Digests) -> None:
        super().__init__()
        self._shared = digests.shared

    def __missing__(self, kind: Any) -> _Reducer:
        if issubclass(kind, type):
            raise KeyError(kind)  # a class is written as its name
        own = kind in _OWN or issubclass(kind, _PLAIN)
        found = self[kind] = _contents(kind) if own else self._shared
        return found


@cache
def _contents(kind: Any) -> _Reducer:
    """Return a function for the values of an object.

    The order of a set differs from run to run, so sets are sorted. For the classes with most
    objects it is several times as fast as `pickle` alone.
    """
    every = fields(kind) if is_dataclass(kind) else ()
    names = [each.name for each in every]
    if any("set[" in str(each.type) for each in every):
        return lambda each: (_hashed, (kind, *(_in_order(getattr(each, n)) for n in names)))
    if kind is Ip:
        return lambda each: (_hashed, (kind, *each))
    if kind in _OWN and len(names) > 1:
        values = attrgetter(*names)
        return lambda each: (_hashed, (kind, values(each)))
    return lambda each: each.__reduce_ex__(5)


def _in_order(value: Any) -> Any:
    return sorted(value) if isinstance(value, frozenset) else value


def _hashed() -> None:
    """Name a shared part in the written bytes."""


_PLAIN = (int, float, str)


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

"""A slice in, a hash of everything its files depend on out; equal hashes mean equal files.

Walks every field of the slice, so nothing can be forgotten; parts that many switches share (by
identity) are hashed once. The program itself (code, templates, catalog) is part of every hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from fabricgen.extensions import extension_folders
from fabricgen.fabric.because import Because
from fabricgen.fabric.overlay import Carries, EvpnRules, Vlan, Vrf
from fabricgen.fabric.qos import Qos
from fabricgen.fabric.routing import Routing
from fabricgen.fabric.services import Services
from fabricgen.fabric.topology import Nic, Port, Server, Switch
from fabricgen.hosts.slices import HostShare, RailPlan
from fabricgen.render import template_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.hosts.slices import HostSlice
    from fabricgen.own_templates import OwnTemplates

_SHARED = (
    Because,
    Carries,
    Nic,
    EvpnRules,
    HostShare,
    Port,
    Qos,
    RailPlan,
    Routing,
    Server,
    Services,
    Switch,
    Vlan,
    Vrf,
)
_SOURCES = (".py", ".j2", ".yaml")


@cache
def program() -> bytes:
    """Hash the compiler itself: its code, templates and catalog, and what other packages add."""
    made = hashlib.sha256()
    for folder in (Path(__file__).parent, template_folder(), *extension_folders()):
        for path in [folder] if folder.is_file() else sorted(folder.rglob("*")):
            if path.suffix in _SOURCES:
                made.update(path.relative_to(folder).as_posix().encode())
                made.update(path.read_bytes())
    return made.digest()


class Fingerprints:
    """Hashes slices; one instance per compile, since it remembers shared parts by identity."""

    def __init__(self, templates: OwnTemplates = ()) -> None:
        """Take the templates of the site's own, of which every file may be made."""
        self._known: dict[int, tuple[object, bytes]] = {}
        self._program = program() + self._encoded(templates)

    def of(self, piece: SwitchSlice | HostSlice) -> str:
        """Return the hash of one slice, of a switch or a server."""
        return hashlib.sha256(self._program + self._encoded(piece)).hexdigest()

    def _digest(self, value: Any) -> bytes:
        """Return a short, unambiguous encoding of a value; of a container, its hash."""
        kind = type(value)
        if isinstance(value, str):  # a StrEnum as well
            text = value.encode()
            return b"s%d:%b" % (len(text), text)
        if value is None or kind is bool or isinstance(value, (int, float)):
            return f"{kind.__name__}{value!r};".encode()
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        digest = hashlib.sha256(self._encoded(value)).digest()
        if isinstance(value[0] if kind is tuple and value else value, _SHARED):
            self._known[id(value)] = (value, digest)  # holding it keeps its id from being reused
        return digest

    def _encoded(self, value: Any) -> bytes:
        if isinstance(value, tuple):
            return b"(" + b"".join(map(self._digest, value))
        if isinstance(value, Mapping):
            return b"{" + b"".join(
                self._digest(key) + self._digest(item) for key, item in value.items()
            )
        if is_dataclass(value):
            parts = map(self._digest, _values(cast("Any", type(value)))(value))
            return type(value).__qualname__.encode() + b"<" + b"".join(parts)
        raise TypeError(f"a slice holds a {type(value).__name__}, which has no fingerprint")


@cache
def _values(kind: Hashable) -> Callable[[Any], tuple[Any, ...]]:
    return attrgetter(*(field.name for field in fields(cast("Any", kind))))

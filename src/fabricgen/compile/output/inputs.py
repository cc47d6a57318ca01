"""Hash the inputs of a render: the texts of a site, the options and the compiler.

Equal hashes mean equal trees. Every input of a rendered file is hashed by its content: the intent,
the compiler with its templates and catalog, and what other packages add. The versions of Python and
of libraries are not hashed. `render --force` and `render --check` make every file again.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fabricgen
from fabricgen.compile.render import template_folder
from fabricgen.core.extensions import CATALOG, CHECKS, PLATFORMS, extension_folders, extensions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabricgen.core.diagnostics import IntentPath
    from fabricgen.core.own_templates import OwnTemplates
    from fabricgen.model.fabric.overlay import Overlay
    from fabricgen.model.fabric.switch import Fabric, Site
    from fabricgen.model.fabric.vlans import Carries


class Inputs:
    """Hashes of the inputs of a tree, or of one fabric or switch."""

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

    def parts(self, intent: Mapping[str, Any], site: Site) -> dict[str, str]:
        """Return the hash of each fabric by its name, and of switches with tenants by their folder.

        intent: the complete intent as data. A fabric is designed from its own key and from no key
        of another fabric; checks between fabrics create no file. Tenants are on evpn fabrics and
        change only the overlay. So a switch there depends on everything except tenants, and on its
        part of the overlay.
        """
        digests = {}
        for fabric in site.fabrics:
            foreign = [other.place for other in site.fabrics if other is not fabric]
            without = self._without(intent, [*foreign, ("tenants",), ("jobs",)])
            digests[fabric.name] = without.hexdigest()
            _add(without, "own", repr(sorted(fabric.own.tenants.items())).encode())
            if fabric.overlay is not None:
                digests[fabric.name] = self._without(intent, foreign).hexdigest()
                digests |= _switches(fabric, fabric.overlay, without)
        return digests

    def _without(self, intent: Mapping[str, Any], foreign: Iterable[IntentPath]) -> hashlib._Hash:
        mine = dict(intent)
        for top, *below in (map(str, path) for path in foreign):
            if below:
                mine[top] = {key: each for key, each in mine[top].items() if key != below[0]}
            else:
                mine.pop(top, None)
        total = self._base.copy()
        _add(total, "intent", json.dumps(mine, sort_keys=True).encode())
        return total


def _switches(fabric: Fabric, overlay: Overlay, base: hashlib._Hash) -> Iterator[tuple[str, str]]:
    """Yield the folder and the hash of each switch."""
    shown = _Shown()
    for switch in fabric.topology.switches:
        total = base.copy()
        _add(total, switch.name, "\n".join(shown.told(overlay, switch.name)).encode())
        yield f"{fabric.name}/{switch.name}", total.hexdigest()


class _Shown:
    """Text of the overlay settings of a switch; settings of many ports are written once."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[object, str]] = {}  # the object is kept, so is its id

    def told(self, overlay: Overlay, leaf: str) -> Iterator[str]:
        """Yield the lines of one switch."""
        ports, external = overlay.ports.get(leaf, {}), overlay.external.get(leaf, ())
        for server, carries in sorted(ports.items()):
            yield f"{server} {self._carried(carries)}"
        every = {id(carries): carries for carries in ports.values()}.values()
        vlans = {vlan.id: vlan for carries in every for vlan in carries.vlans}
        vrfs = {vlan.vrf for vlan in vlans.values() if vlan.vrf} | {peer.vrf for peer in external}
        vrfs |= {taken.source for name in vrfs for taken in overlay.vrfs[name].takes}
        yield from (self._text(vlans[number]) for number in sorted(vlans))
        yield from (self._text(overlay.vrfs[name]) for name in sorted(vrfs))
        yield from map(repr, external)
        if overlay.routed:
            yield self._text(overlay.routed)

    def _carried(self, carries: Carries) -> str:
        untagged = carries.untagged.id if carries.untagged else 0
        profile = self._text(carries.profile) if carries.profile is not None else ""
        tagged = [vlan.id for vlan in carries.tagged]
        return f"{untagged} {tagged} {self._text(carries.because)}{profile}"

    def _text(self, each: object) -> str:
        if id(each) not in self._texts:
            self._texts[id(each)] = (each, repr(each))
        return self._texts[id(each)][1]


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

"""Reads cables from the LLDP neighbors of switches, as JSON of each switch.

It reads `lldpctl -f json` and `json0` (lldpcli(8) of lldpd: SONiC, FRR on Linux). For EOS it reads
`show lldp neighbors | json`, also with `detail` (`lldpNeighborInfo`, as NAPALM's eos.py and ANTA's
connectivity tests read it). No answer names its switch. The switch has the name of the file, or of
the folder if the file has the name of the command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabricgen.core.diagnostics import Position
from fabricgen.importer.inventory.cells import Refused, harmless, host_name
from fabricgen.importer.inventory.model import Cable, End
from fabricgen.importer.inventory.rows import Say, unreadable

_COMMAND = re.compile(r"[._-]?(?:show|lldp|neighbou?rs).*", re.IGNORECASE)
_MAC = re.compile(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}", re.IGNORECASE)
_ODD = (AttributeError, LookupError, TypeError, ValueError)
Said = tuple[str, str, list[str]]
"""The local port, the neighbor and the neighbor's port."""


def is_heard(document: object) -> bool:
    """Check whether JSON is an LLDP answer."""
    return isinstance(document, dict) and ("lldp" in document or "lldpNeighbors" in document)


def cables(file: str, path: str, document: Mapping[str, Any], say: Say) -> Iterator[Cable]:
    """Yield a cable for each neighbor. path: the file below the folder, for the switch name."""
    place, near = Position(file, 1, 1), owner(path)
    try:
        said = [*_eos(document)] if "lldpNeighbors" in document else [*_lldpd(document["lldp"])]
    except _ODD:
        say(unreadable(place, "LLDP answer of an unknown form: use lldpctl -f json, or EOS JSON"))
        return
    for port, name, ports in said:
        there = next((each for each in ports if each and not _MAC.fullmatch(each)), "")
        try:
            ends = End(host_name(near), harmless(port)), End(host_name(name), harmless(there))
        except Refused:
            continue  # a neighbor without a valid host name is not a switch or server
        if port and there:
            yield Cable(near=ends[0], far=ends[1], place=place, heard=True)


def owner(path: str) -> str:
    """Return the name of the switch of a file."""
    folder, _, name = path.rpartition("/")
    own = _COMMAND.sub("", re.sub(r"\.(?:json|txt)$", "", name))
    return own or folder.rpartition("/")[2]


def _eos(document: Mapping[str, Any]) -> Iterator[Said]:
    shown = document["lldpNeighbors"]
    if isinstance(shown, list):
        for each in shown:
            yield str(each["port"]), str(each["neighborDevice"]), [str(each["neighborPort"])]
        return
    for port, told in shown.items():
        for each in told["lldpNeighborInfo"]:
            there = each.get("neighborInterfaceInfo", {})
            ids = (there.get("interfaceId_v2"), there.get("interfaceId"))
            yield str(port), str(each.get("systemName", "")), [_unquoted(i) for i in ids if i]


def _unquoted(name: object) -> str:
    return str(name).strip('"')


def _lldpd(shown: Any) -> Iterator[Said]:
    """Read both forms of lldpd. json has a list only for several neighbors."""
    for lldp in _listed(shown):
        for interface in _listed(lldp.get("interface")):
            named = {interface["name"]: interface} if "chassis" in interface else interface
            for port, told in named.items():
                for chassis in _listed(told.get("chassis")):
                    yield str(port), _chassis(chassis), [*_port(told.get("port"))]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


def _chassis(chassis: Mapping[str, Any]) -> str:
    """Return a name: json0 has it inside, json as the key. Without a name, there is only an id."""
    if "name" in chassis:
        return "".join(_values(chassis["name"])[:1])
    return "" if "id" in chassis else str(next(iter(chassis), ""))


def _port(shown: Any) -> Iterator[str]:
    for each in _listed(shown):
        yield from _values(each.get("id"))
        yield from _values(each.get("descr"))


def _values(value: Any) -> list[str]:
    return [str(each["value"] if isinstance(each, dict) else each) for each in _listed(value)]

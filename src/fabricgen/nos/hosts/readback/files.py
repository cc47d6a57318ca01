"""Files of a server in; the network that netplan, networkd or NetworkManager makes of them out.

A word that is not known here is none of ours: the files cannot be read. A line that says what the
program does anyway (no IPv6 announcements are taken, no port holds up the boot) is passed over.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from yaml import YAMLError

from fabricgen.nos.hosts.readback.netplan import netplan
from fabricgen.nos.hosts.readback.network import Device, Network, Told
from fabricgen.nos.hosts.readback.networkd import networkd
from fabricgen.nos.hosts.readback.networkmanager import networkmanager


class Unreadable(ValueError):  # noqa: N818 - it says what is wrong, as Failure does
    """A file is not what its program reads: netplan's YAML, or a section that has to be there."""


def read(files: Mapping[str, str]) -> Network:
    """Return the network of a server, from its files by their paths on it; or raise Unreadable."""
    try:
        return _read(files)
    except (YAMLError, LookupError, TypeError, ValueError, AttributeError) as fault:
        raise Unreadable(" ".join(str(fault).split())[:100]) from fault


def _read(files: Mapping[str, str]) -> Network:
    every = [
        told
        for path, text in files.items()
        for folder, reader in _READERS.items()
        if path.startswith(folder) and not path.endswith(".link")
        for told in reader(text)
    ]
    return Network(
        _devices(every),
        tuple(route for told in every for route in told.routes),
        tuple(rule for told in every for rule in told.rules),
    )


def _devices(every: list[Told]) -> dict[str, Device]:
    """Put together what is said of one interface in several places, at either end."""
    words: dict[str, dict[str, Any]] = {told.name: {} for told in every}
    for told in every:
        words[told.name] |= told.words
    bonds: dict[str, set[str]] = {}
    for told in every:
        for member in told.members:
            words[member]["bond"] = told.name
        for above in told.carries:
            words[above]["link"] = told.name
    for told in every:
        if told.primary:
            words[words[told.name]["bond"]]["options"]["primary"] = told.name
    for name, own in words.items():
        if "bond" in own:
            bonds.setdefault(own["bond"], set()).add(name)
    return {
        name: Device(members=frozenset(bonds.get(name, ())), **own) for name, own in words.items()
    }


_READERS: dict[str, Callable[[str], Iterator[Told]]] = {
    "etc/netplan/": netplan,
    "etc/systemd/network/": networkd,
    "etc/NetworkManager/system-connections/": networkmanager,
}

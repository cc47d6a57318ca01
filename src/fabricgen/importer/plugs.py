"""Finds every port with a cable and its neighbor, from the files and the inventory.

The inventory has precedence, then numbers and neighbors, then the interface description.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import chain

from fabricgen.core.tree.facts import GLOBAL
from fabricgen.core.units import BitsPerSecond
from fabricgen.importer.inventory.model import Inventory
from fabricgen.importer.kinds_of_servers import Plug, counting
from fabricgen.importer.models import model_of, ports_at
from fabricgen.model.fabric.topology import Port
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.values import text

_TEXT = re.compile(r"(?:.* to )?([A-Za-z0-9][A-Za-z0-9._-]*):([A-Za-z0-9][A-Za-z0-9./_-]*)$")
"""A far end in an interface description, such as `leaf1:Ethernet1 to gpu0001:rdma0`."""
_JOINED = re.compile(r"(?:[A-Z][A-Z0-9]*_)+([A-Za-z0-9][A-Za-z0-9.-]*)_([A-Za-z][A-Za-z0-9./-]*)$")
"""A far end in the format of AVD: SERVER_web01_eth0 (aristanetworks/avd, `eos_designs`
documentation, `default_connected_endpoints_description` of interface descriptions)."""
OUTSIDE, MANAGEMENT = "outside", "-mgmt"
_POWER = re.compile(r"(?i)pdu|power")
_SWITCH = re.compile(r"(?:Ethernet|swp)\d")
"""Names that only switch ports have on EOS, SONiC and Linux."""
_OWN = re.compile(r"(?i)(management|ma|mgmt|eth)\d*(/\d+)*$")
"""Names of the management port of a switch."""


class Plugs:
    """All ports with cables of a network. models: model of each switch, or an empty text."""

    def __init__(self, network: Network, inventory: Inventory, said: Mapping[str, str]) -> None:
        """Find the ports."""
        self._network, self._inventory = network, inventory
        self.models = {each: model_of(each, inventory, said) for each in network.switches}
        self.ports = {
            each: ports_at(model, each.platform, each.tables.ports)
            for each, model in self.models.items()
        }
        self._ends: dict[tuple[Judged, str], tuple[str, str]] = {
            (near, name): (far.name, there) for (near, name), (far, there) in network.links.items()
        }
        every = {each: sorted(self._of(each), key=lambda plug: plug.place) for each in self.models}
        self.counting = counting(_servers(every))
        names = self.counting.names
        self.of = {
            each: [replace(it, far=names[it.far]) if _counts(it, names) else it for it in plugs]
            for each, plugs in every.items()
        }

    @cached_property
    def servers(self) -> dict[str, list[Plug]]:
        """Return the ports to each server by a number."""
        return _servers(self.of)

    def _of(self, switch: Judged) -> Iterator[Plug]:
        for name, there in self.ports[switch].items():
            far = self._far(switch, name) if not there.service else None
            plug = self._plug(switch, name, there, far) if far is not None else None
            if plug is not None and not (plug.to is None and self._absent(plug)):
                yield plug

    def _absent(self, plug: Plug) -> bool:
        """Check whether a routed port leads to a switch without files."""
        port = plug.switch.tables.ports[plug.port]
        routed = port.addresses or plug.switch.own(("interface", plug.port)).get("link-local")
        return bool(routed) and _SWITCH.match(plug.far_port) is not None

    def _plug(self, near: Judged, name: str, there: Port, far: tuple[str, str]) -> Plug:
        device = self._inventory.named.get(far[0].lower())
        told = far[0].removesuffix(MANAGEMENT)
        named = self._network.named
        to = named.get(told.lower()) or named.get(told.lower().partition(".")[0])
        own = to is not None and (told != far[0] or _OWN.match(far[1]) is not None)
        power = device is not None and _POWER.search(device.role or "") is not None
        return Plug(
            switch=near,
            port=name,
            place=(there.cage, there.sub),
            subs=there.subs,
            far=told,
            far_port=far[1],
            to=None if own else to,
            management=own or power,
            power=power,
            speed=self._speed(near, name) or there.speed,
            bundle=bool(near.tables.ports[name].bundle),
        )

    def _speed(self, switch: Judged, name: str) -> BitsPerSecond | None:
        """Return the configured speed of a port, or the one that the switch reports."""
        configured = speed_of(text(switch.own(("interface", name)).get("speed")))
        seen = self._inventory.speeds.get((switch.name.lower(), name.lower()), "")
        return configured or speed_of(seen)

    def _far(self, switch: Judged, name: str) -> tuple[str, str] | None:
        if switch.tables.ports[name].vrf != GLOBAL:  # a port of a tenant is an external interface
            return None
        plugged = self._inventory.plugged.get((switch.name.lower(), name.lower()))
        if plugged is not None:
            return plugged.device, plugged.port
        known = self._ends.get((switch, name))
        if known is not None:
            return known
        own = switch.own(("neighbor", name))
        if own.get("name") and not text(own["name"]).startswith(OUTSIDE):
            return text(own["name"]), text(own.get("port"))
        return described(switch, name)


def described(switch: Judged, name: str) -> tuple[str, str] | None:
    """Return the far end in the description of a port. None without one."""
    said = text(switch.own(("interface", name)).get("description"))
    match = _TEXT.match(said) or _JOINED.match(said)
    return (match[1], match[2]) if match and match[1] != OUTSIDE else None


def _servers(of: Mapping[Judged, list[Plug]]) -> dict[str, list[Plug]]:
    found: dict[str, list[Plug]] = defaultdict(list)
    for plug in chain.from_iterable(of.values()):
        if plug.to is None and not plug.management:
            found[plug.far].append(plug)
    return found


def _counts(plug: Plug, names: Mapping[str, str]) -> bool:
    return plug.to is None and not plug.management and plug.far in names


def speed_of(said: str) -> BitsPerSecond | None:
    """Return the speed of a text, or None."""
    try:
        return BitsPerSecond.parse(said)
    except ValueError:
        return None

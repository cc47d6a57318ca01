"""Groups switches, ports and sessions with similar configuration into classes."""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable

from fabricgen.core.tree.facts import GLOBAL, Key
from fabricgen.prove.audit.statements import MANAGEMENT
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.invariants.network import parsed
from fabricgen.prove.invariants.switch import Port

ALONE = -1
"""The class part of switches without links to others, such as leafs of rails."""
NEAR = 0.75
"""The minimum share of common kinds of facts of two switches in one class."""
_KIND = re.compile(r"[\d/.:s]+$")
_MADE = frozenset({"bundle", "vni", "table", "vlan-aware", "device", "tag"})
"""Facts of interfaces that depend on others, and facts of port-channel members."""


def groups(network: Network) -> dict[Judged, int]:
    """Return the class of each switch: one platform and type, with the same kinds of facts.

    The type is the role of a SONiC switch.
    """
    first: dict[Hashable, list[tuple[frozenset[object], int]]] = defaultdict(list)
    found: dict[Judged, int] = {}
    size = Counter(network.parts.values())
    for switch in network.switches:
        part = network.parts[switch]
        part = part if size[part] > 1 else ALONE
        kinds = frozenset((key[0], name) for key, own in switch.facts.items() for name in own)
        known = first[part, switch.platform, switch.own(("switch",)).get("type")]
        near = [(_likeness(kinds, other), number) for other, number in known]
        best = max(near, default=(0.0, 0))
        if best[0] < NEAR:
            best = (1.0, len(found))
            known.append((kinds, len(found)))
        found[switch] = best[1]
    return found


def _likeness(one: frozenset[object], other: frozenset[object]) -> float:
    return len(one & other) / (len(one | other) or 1)


class Classes:
    """The classes of the objects of a network."""

    def __init__(self, network: Network) -> None:
        """Classify its switches."""
        self.network, self.groups = network, groups(network)
        self._at_ports = {
            (switch, session.peer) for switch in network.switches for session in switch.sessions
        }
        self._parents = {
            (switch, name.rpartition(".")[0])
            for switch in network.switches
            for name in switch.ports
            if "." in name
        }

    def of(self, switch: Judged, key: Key) -> Hashable:
        """Return the class of an object; its own name unless it is a port or session."""
        group = self.groups[switch]
        if key[0] in ("interface", "neighbor", "maps", "sampled"):
            port = switch.ports.get(key[1])
            kind = _KIND.sub("", key[1]), "." in key[1]
            return group, key[0], kind, self._port(switch, port) if port is not None else key[1]
        if key[0] == "session":
            return group, "session", key[1], self._session(switch, key)
        if key[0] in ("buffer-pool", "buffer-profile"):
            return group, key, switch.own(("switch",)).get("hwsku")
        if key[0] in ("cage", "peer"):
            return group, key[0]
        return group, key

    def _port(self, switch: Judged, port: Port) -> Hashable:
        name, own = port.name.lower(), switch.own(("interface", port.name))
        far = self.network.links.get((switch, port.name))
        if port.vlan:
            return "gateway", *sorted({each.version for each in port.addresses})
        if far is not None and not name.startswith((*MANAGEMENT, "lo")):
            return "link", self.groups[far[0]]
        made: tuple[Hashable, ...] = tuple(sorted(own.keys() & _MADE))
        if "vni" in made:
            made = (*made, own["vni"] in {each.get("vni") for _, each in switch.each("vrf")})
        if name.startswith((*MANAGEMENT, "lo")) or made:
            return (*made, name) if "table" in made else made or name
        return self._open(switch, port)

    def _open(self, switch: Judged, port: Port) -> Hashable:
        """Return the class of a port without a switch behind it."""
        if port.addresses or (switch, port.name) in self._at_ports:
            return "routed", port.vrf != GLOBAL
        if (switch, port.name) in self._parents:
            return "parent"
        several = port.vlans is None or len(port.vlans) > 1
        return ("edge", several) if port.vlans != frozenset() else "idle"

    def _session(self, switch: Judged, key: Key) -> Hashable:
        far = self.network.links.get((switch, key[2]))
        if far is not None:
            return "port", self.groups[far[0]]
        where = parsed(key[2])
        held = self.network.holders.get(where, ()) if where is not None else ()
        there = [(peer, port) for peer, port in held if peer is not switch]
        if not there:
            return ("outside", where.version) if where is not None else "outside"
        peer, port = there[0]
        return port.name.lower()[:2] == "lo", self.groups[peer]

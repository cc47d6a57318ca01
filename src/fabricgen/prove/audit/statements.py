"""Normalizes the facts of an object: names and addresses of its own switch become placeholders.

`rd 10.0.0.1:110` on the switch with router ID 10.0.0.1 and `rd 10.0.0.2:110` on the one with
10.0.0.2 are one statement.
"""

import re
from collections.abc import Hashable, Iterator, Mapping

from fabricgen.core.tree.facts import TRUE, Attributes, Key, Value
from fabricgen.model.fabric.port_qos import PortQos
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.invariants.network import parsed
from fabricgen.prove.invariants.switch import address, one

MANAGEMENT = ("management", "eth0", "mgmt")
"""Prefixes of the names of management ports and VRFs."""
OBJECTS = frozenset(
    {"interface", "session", "vlan", "vrf", "vni", "bgp", "ospf", "route", "neighbor", "peer"}
    | {"maps", "sampled", "cage", "rule", "acl", "taking", "pair", "mark", "listens", "bundle"}
    | {"buffer-pool", "buffer-profile", "clause", "prefixes", "communities", "targets", "origins"}
)
"""Kinds that a switch may lack; other kinds describe the whole switch."""
_LENGTH = frozenset({("interface", "address")})
_OWN = frozenset(
    {
        ("switch", "hwsku"),
        ("switch", "type"),
        ("switch", "platform"),
        ("interface", "alias"),
        ("interface", "index"),
    }
    | {("interface", "lanes"), ("interface", "subport"), ("interface", "cable")}
    | {("interface", "vlans"), ("interface", "untagged"), ("interface", "members")}
    | {("interface", "vni"), ("interface", "vlan"), ("switch", "vlans")}
    | {("interface", "segment"), ("interface", "segment-import")}
    | {("interface", "lacp-system"), ("interface", "lacp-key"), ("interface", "bundle")}
    | {
        ("vtep", "devices"),
        ("snmp", "address"),
        ("interface", "vrf"),
        ("interface", "tag"),
        ("interface", "guarded"),
    }
)
"""Values that may differ between members of a class: only their presence is compared."""

_TOLD = {
    "interface": frozenset({"speed"}),
    "session": frozenset(
        {"families", "bfd", "multihop", "source", "default", "maximum-routes", "most", "timers"}
    ),
}
"""For ports with an unknown remote end: the naming attributes. For such sessions: the compared
ones.
"""


class Statements:
    """Statements of the objects of a network."""

    def __init__(self, network: Network) -> None:
        """Read the names and addresses of all switches."""
        self._network = network
        self._words = {switch: Words(_labels(switch)) for switch in network.switches}

    def of(self, switch: Judged, key: Key, own: Attributes) -> dict[str, Hashable]:
        """Return the statements of an object, by attribute."""
        spell = self._speller(switch, key)
        said: dict[str, Hashable] = {
            name: _value(key, name, value, spell)
            for name, value in _compared(key, own, known=spell.far)
        }
        qos = switch.qos.ports.get(key[1]) if key[0] == "interface" else None
        return {**said, **_queues(qos)} if qos is not None else said

    def _speller(self, switch: Judged, key: Key) -> "Speller":
        far = self._far(switch, key)
        itself = key[-1] if key[0] in OBJECTS and key[0] != "neighbor" else ""
        there = (self._words[far[0]], far[1]) if far is not None else None
        return Speller(self._words[switch], itself, there)

    def _far(self, switch: Judged, key: Key) -> tuple[Judged, str] | None:
        if key[0] in ("interface", "neighbor", "maps"):
            return self._network.links.get((switch, key[1]))
        if key[0] != "session":
            return None
        where = parsed(key[2])
        if where is None:
            return self._network.links.get((switch, key[2]))
        held = (each for each in self._network.holders.get(where, ()) if each[0] is not switch)
        peer, port = next(held, (None, None))
        return (peer, port.name) if peer is not None and port is not None else None


def _labels(switch: Judged) -> dict[str, str]:
    """Return the switch-specific texts of a switch, by their meaning."""
    labels = {one(switch.own(("bgp", "default")).get("router-id")): "router ID"}
    for name, port in switch.ports.items():
        if name.lower().startswith("lo"):
            labels |= {str(each.ip): name for each in port.addresses}
    labels |= {switch.vtep: "tunnel", switch.local_as: "AS", switch.name: "name"}
    labels[one(switch.own(("switch",)).get("asn"))] = "AS"
    return {text: word for text, word in labels.items() if text}


class Words:
    """The names and addresses of a switch with their placeholders."""

    def __init__(self, labels: Mapping[str, str]) -> None:
        """Compile them, the longest first."""
        self._labels = labels
        words = "|".join(re.escape(each) for each in sorted(labels, key=len, reverse=True))
        self._pattern = re.compile(rf"(?<![\w.])(?:{words})(?![\w.])")

    def put(self, text: str, prefix: str = "") -> str:
        """Return a text with placeholders."""
        labels = self._labels
        return self._pattern.sub(lambda match: f"{{{prefix}{labels[match[0]]}}}", text)


class Speller:
    """Replaces the values of one object by placeholders.

    Attributes:
        far: Whether the remote end of a port or session is known.
    """

    def __init__(self, own: Words, itself: str, there: tuple[Words, str] | None) -> None:
        """Set the words of its switch, its own name, and those of the remote end."""
        self._own, self._itself, self._there = own, itself, there
        self.far = there is not None

    def put(self, text: str) -> str:
        """Return a text with placeholders."""
        text = _named(self._itself, text, "{itself}")
        text = self._own.put(text)
        if self._there is not None:
            text = _named(self._there[1], self._there[0].put(text, "far "), "{far port}")
            if self._there[1] == self._itself:  # both ends have one name: the first one is local
                first, mark, rest = text.partition("{itself}")
                text = first + mark + rest.replace("{itself}", "{far port}")
        return text


def _named(name: str, text: str, word: str) -> str:
    if not name or name not in text:
        return text
    return re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w./])", word, text)


def _compared(key: Key, own: Attributes, *, known: bool) -> Iterator[tuple[str, Value]]:
    """Yield the compared attributes: naming ones only for a known remote end."""
    for name, value in own.items():
        if name == "mac" and "vlan-aware" in own:
            yield name, TRUE  # of the switch
        elif known or key[0] not in _TOLD:
            yield name, value
        elif key[0] != "session":
            yield name, TRUE if name in _TOLD[key[0]] else value
        elif name in _TOLD["session"]:
            yield name, TRUE if name == "most" else value


def _value(key: Key, name: str, value: Value, spell: Speller) -> Hashable:
    """Return a value with placeholders; of an address its length, of an own value nothing."""
    topic = key[0], name
    if topic in _OWN and not key[-1].lower().startswith(MANAGEMENT):
        return True
    if topic in _LENGTH:
        each = (value,) if isinstance(value, str) else value
        return tuple(sorted(_subnet(key[1], str(one)) for one in each))
    return spell.put(value if isinstance(value, str) else repr(value))


def _subnet(port: str, text: str) -> str:
    """Return the length of an address; for a management port its shared subnet."""
    known = address(text) if port.lower().startswith(MANAGEMENT) else None
    return str(known.network) if known is not None else text.rpartition("/")[2]


def _queues(qos: PortQos) -> dict[str, Hashable]:
    return {
        "classes": qos.classes,
        "queues": (qos.queues, qos.groups, qos.stops, qos.fills, qos.default),
        "PFC": (qos.paused, qos.watched, qos.watch),
        "scheduling": tuple(sorted(qos.serving.items())),
        "marking": tuple(sorted(qos.marks.items())),
        "buffers": (tuple(sorted(qos.headroom)), tuple(sorted(qos.alpha.items())), qos.keeps),
        "trust": qos.trust,
    }

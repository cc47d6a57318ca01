"""Reads the facts of one switch as ports, VLANs and sessions on any platform."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from ipaddress import IPv4Interface, IPv6Interface, ip_interface

from fabricgen.core.diagnostics import Position
from fabricgen.core.record import record
from fabricgen.core.tree.facts import FALSE, GLOBAL, TRUE, Attributes, Facts, Key, Topic, Value
from fabricgen.model.fabric.port_qos import QosState, unreadable

KINDS = frozenset(
    {"switch", "interface", "vlan", "vni", "vrf", "bgp", "session", "vtep", "pair", "neighbor"}
    | {"ospf", "rule", "cage", "peer"}
)
"""The facts that laws use."""
Address = IPv4Interface | IPv6Interface
_VRF = re.compile(r"^(?i:vrf)[_-](?=.)")
_SVI = re.compile(r"[Vv]lan(\d+)$")
_BUNDLES = ("Port-Channel{}", "PortChannel{}")


@record(kw_only=True)
class Port:
    """One interface.

    Attributes:
        own: The facts of its port-channel, or its own.
        vlan: The VLAN that it routes for; 0 for none.
        vlans: The VLANs that it carries; None for all.
    """

    name: str
    up: bool
    vrf: str
    addresses: tuple[Address, ...]
    vlan: int
    vlans: frozenset[str] | None
    own: Attributes


@record(kw_only=True)
class Session:
    """One BGP session."""

    key: Key
    vrf: str
    peer: str
    asn: str
    families: frozenset[str]
    own: Attributes


class Switch:
    """One switch, by the facts of its files.

    Attributes:
        about: Topics of the grammars of its files.
    """

    def __init__(
        self,
        name: str,
        platform: str,
        facts: Facts,
        about: frozenset[Topic] = frozenset(),
        *,
        queues: Callable[[], QosState] | None = None,
    ) -> None:
        """Set the facts. `queues`: reads the queues of its ports."""
        self.name, self.platform, self.facts, self.about = name, platform, facts, about
        self._queues = queues

    def own(self, key: Key) -> Attributes:
        """Return the facts of an object."""
        return self.facts.get(key, {})

    def each(self, kind: str) -> Iterator[tuple[Key, Attributes]]:
        """Yield the objects of a kind."""
        return ((key, own) for key, own in self.facts.items() if key[0] == kind)

    def place(self, key: Key, *attributes: str) -> Position:
        """Return the place of a fact; without the texts of the files the switch."""
        del key, attributes
        return Position(self.name, 1, 1)

    @cached_property
    def qos(self) -> QosState:
        """The queues of its ports."""
        return self._queues() if self._queues is not None else unreadable("no reader was given")

    @cached_property
    def is_frr(self) -> bool:
        """Return whether it runs FRR."""
        return "frr" in self.own(("switch",))

    @cached_property
    def bridge(self) -> tuple[Key, Attributes]:
        """The VLAN-aware bridge of Linux; an empty key for none."""
        return next(
            (each for each in self.each("interface") if each[1].get("vlan-aware") == "yes"),
            ((), {}),
        )

    @cached_property
    def ports(self) -> Mapping[str, Port]:
        """The interfaces by name."""
        slaves = {
            member: key[1]
            for key, own in self.each("interface")
            if "bond-mode" in own
            for member in several(own.get("members"))
        }
        return {key[1]: self._port(key[1], own, slaves) for key, own in self.each("interface")}

    def _port(self, name: str, own: Attributes, slaves: Mapping[str, str]) -> Port:
        number = own.get("bundle")
        names = [form.format(number) for form in _BUNDLES] if number else [slaves.get(name, "")]
        keys = (("interface", each) for each in names)
        whole = next((self.facts[key] for key in keys if key in self.facts), own)
        shut = "shut" in own or "shut" in whole
        return Port(
            name=name,
            up=not shut and ("alias" not in own or "up" in own),
            vrf=plain(one(own.get("vrf")) or GLOBAL),
            addresses=tuple(filter(None, map(address, several(own.get("address"))))),
            vlan=self._vlan(name, own),
            vlans=self._carried(whole),
            own=whole,
        )

    def _vlan(self, name: str, own: Attributes) -> int:
        if own.get("device") == (self.bridge[0] or ("", ""))[1] and "vlan" in own:
            return whole_number(own["vlan"])
        match = _SVI.match(name)
        return int(match[1]) if match and "tag" not in own else 0

    @staticmethod
    def _carried(own: Attributes) -> frozenset[str] | None:
        trunk = own.get("mode") == "trunk" and own.get("carries") != "nothing"
        return None if trunk and "vlans" not in own else frozenset(several(own.get("vlans")))

    @cached_property
    def gateways(self) -> Mapping[int, Port]:
        """The routed interfaces of VLANs, by VLAN."""
        return {port.vlan: port for port in self.ports.values() if port.vlan}

    @cached_property
    def vnis(self) -> Mapping[int, int]:
        """The VNI of each VLAN that has one."""
        found = {
            int(key[1]): whole_number(own["vni"])
            for key, own in self.each("vlan")
            if "vni" in own and key[1].isdigit()
        }
        for _, own in self.each("interface"):
            if "vni" in own and "untagged" in own:
                found[whole_number(own["untagged"])] = whole_number(own["vni"])
        return found

    @cached_property
    def vtep(self) -> str:
        """The address of its tunnel endpoint; empty for none."""
        own = self.own(("vtep",))
        source = self.ports.get(one(own.get("source")))
        if source is not None and source.addresses:
            return str(source.addresses[0].ip)
        return one(own.get("address")).partition("/")[0]

    @cached_property
    def local_as(self) -> str:
        """The ASN of its default VRF."""
        return one(self.own(("bgp", GLOBAL)).get("asn"))

    @cached_property
    def sessions(self) -> tuple[Session, ...]:
        """The BGP sessions that are not shut; peer groups are not sessions."""
        return tuple(
            Session(
                key=key,
                vrf=plain(key[1]),
                peer=key[2],
                asn=one(own.get("asn")),
                families=self._families(key, own),
                own=own,
            )
            for key, own in self.each("session")
            if own.get("asn") and not own.get("shut") and not own.get("template")
        )

    def _families(self, key: Key, own: Attributes) -> frozenset[str]:
        bgp = self.own(("bgp", key[1])) or self.own(("bgp", GLOBAL))
        default = key[1] == GLOBAL and bgp.get("ipv4-by-default") != FALSE and "." in key[2]
        return frozenset(several(own.get("families"))) | ({"ipv4"} if default else set())

    @cached_property
    def spelled(self) -> Mapping[str, str]:
        """Its ports by name and alias, in lower case."""
        alias = {one(port.get("alias")).lower(): key[1] for key, port in self.each("interface")}
        return {**alias, **{name.lower(): name for name in self.ports}}


def anycast(switch: Switch, port: Port) -> bool:
    """Return whether several switches may have the address of a gateway."""
    own = switch.own(("interface", port.name))
    return port.vlan > 0 and (own.get("anycast") == TRUE or "mac" in own)


@lru_cache(maxsize=65536)
def address(text: str) -> Address | None:
    """Return an address with its length; None for other text."""
    try:
        return ip_interface(text)
    except ValueError:
        return None


def one(value: Value | None) -> str:
    """Return a single text; contradicting lines give none."""
    return value if isinstance(value, str) else ""


def several(value: Value | None) -> tuple[str, ...]:
    """Return the texts of a value."""
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(map(str, value))


def whole_number(value: Value | None) -> int:
    """Return a number; 0 for other text."""
    text = one(value)
    return int(text) if text.isdigit() and text.isascii() else 0


def plain(vrf: str) -> str:
    """Return the name of a VRF without the prefix that a platform requires."""
    return vrf if vrf == GLOBAL else _VRF.sub("", vrf)

"""Finds the rule of an access list that decides about a packet.

A packet is the first of its connection, from an unknown source port. So it matches no rule about
replies, about one ICMP message or about the source port.
"""

from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_network

from fabricgen.core.record import record
from fabricgen.core.tree.facts import TRUE, Attributes, Facts, Value
from fabricgen.prove.walk.packet import Packet, Prefix
from fabricgen.prove.walk.values import text, words

_NUMBERS = {"1": "icmp", "58": "icmp", "6": "tcp", "17": "udp"}
"""Protocols that CONFIG_DB has by number (IANA)."""
_PERMITS = {"permit": True, "deny": False, "FORWARD": True, "DROP": False}
_NARROW = frozenset(("from", "flags", "message", "only"))
_KNOWN = _NARROW | {"priority", "action", "family", "source", "target", "protocol", "to"}
_FAMILIES = {"2048": 4, "IPV6ANY": 6}


@record(kw_only=True)
class Rule:
    """One rule. `protocol`: `ip` is any. `ports`: destination ports. `fits`: it can match at all.

    `source`, `target`: None is any. `version`: its only IP version, 0 for both.
    """

    name: str
    permit: bool
    protocol: str
    source: Prefix | None
    target: Prefix | None
    ports: range | None
    version: int
    fits: bool

    def decides(self, packet: Packet) -> bool:
        """Return whether it matches a packet."""
        ends = (self.source, packet.source), (self.target, packet.target)
        return (
            self.fits
            and self.version in (0, packet.target.version)
            and self.protocol in ("ip", packet.proto)
            and all(prefix is None or address in prefix for prefix, address in ends)
            and (self.ports is None or packet.port in self.ports)
        )


@record(kw_only=True)
class Filter:
    """A list. `version`: 0 if its rules decide. `ends`: whether packets without a match pass.

    `bridged`: it also checks traffic inside a VLAN. `strange`: reason why its effect is unknown.
    """

    name: str
    version: int
    rules: tuple[Rule, ...]
    ends: bool
    bridged: bool = False
    strange: str = ""

    def passes(self, packet: Packet) -> tuple[bool, str]:
        """Return whether a packet passes, and which rule decides."""
        if self.version not in (0, packet.target.version):
            return True, ""
        rule = next((each for each in self.rules if each.decides(packet)), None)
        if rule is None:
            return self.ends, f"the end of {self.name}"
        return rule.permit, rule.name


def filters(facts: Facts) -> dict[str, Filter]:
    """Return the lists of a switch by name; EOS and Linux number rules, SONiC has priorities."""
    found: dict[str, dict[int, Attributes]] = {}
    for key, own in facts.items():
        if key[0] == "rule":
            found.setdefault(key[1], {})[int(key[2])] = own
        elif key[0] == "acl" and key[2:]:
            found.setdefault(key[1], {})[-int(text(own.get("priority")) or 0)] = own
    return {name: _filter(name, rules, facts) for name, rules in found.items()}


def bound(facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield a port and its ingress list."""
    for key, own in facts.items():
        for port in _ports(own) if key[0] == "acl" else ():
            yield port, key[1]
        for name in words(own.get("guarded")) if key[0] == "interface" else ():
            yield key[1], name


def placed(facts: Facts) -> dict[str, list[Filter]]:
    """Return the ingress lists of each port. On a bridged port of EOS they filter inside VLANs."""
    lists, found = filters(facts), dict[str, list[Filter]]()
    for port, name in bound(facts):
        bridged = facts.get(("interface", port), {}).get("bridged") == TRUE
        own = lists.get(name) or _absent(name)
        found.setdefault(port, []).append(replace(own, bridged=True) if bridged else own)
    return found


def _absent(name: str) -> Filter:
    return Filter(name=name, version=0, rules=(), ends=False, strange=f"{name} does not exist")


def _filter(name: str, rules: dict[int, Attributes], facts: Facts) -> Filter:
    table = facts.get(("acl", name))
    own = tuple(_rule(f"{name} {abs(n)}", rules[n]) for n in sorted(rules))
    odd = [rule.name for rule in own if not rule.protocol]
    if table is not None and table.get("stage") != "ingress":
        odd.append(f"the stage of {name}")
    version = 0 if table is not None else 6 if name.startswith("ZONE6") else 4
    strange = ", ".join(odd)
    ends = table is not None
    return Filter(name=name, version=version, rules=own, ends=ends, bridged=ends, strange=strange)


def _rule(name: str, own: Attributes) -> Rule:
    """Read one rule; without a protocol if it is not understood."""
    protocol = text(own.get("protocol")) or "ip"
    action = text(own.get("action"))
    if set(own) - _KNOWN or action not in _PERMITS:
        protocol = ""
    first, _, last = text(own.get("to")).partition("-")
    return Rule(
        name=name,
        permit=_PERMITS.get(action, False),
        protocol=_NUMBERS.get(protocol, protocol),
        source=_prefix(own.get("source")),
        target=_prefix(own.get("target")),
        ports=range(int(first), int(last or first) + 1) if first else None,
        version=_FAMILIES.get(text(own.get("family")), 0),
        fits=_NARROW.isdisjoint(own),
    )


def _prefix(value: Value | None) -> Prefix | None:
    said = text(value)
    return ip_network(said, strict=False) if said not in ("", "any") else None


def _ports(own: Attributes) -> tuple[str, ...]:
    ports = own.get("ports")
    return tuple(ports.split(",")) if isinstance(ports, str) else words(ports)

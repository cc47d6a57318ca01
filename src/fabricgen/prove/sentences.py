"""Formats the differences of running switches as sentences, each with its topic."""

import re
from collections.abc import Iterable, Sequence

from fabricgen.core.tree.facts import GLOBAL, Disagreement, Value, attribute_word, subject_of
from fabricgen.nos.show import ENABLED, ESTABLISHED, SHUT, UP, Observed
from fabricgen.prove import left
from fabricgen.prove.runs import Expected, strangers

# {0} and {1} are the parts of an object's key after its kind.
_THINGS = {
    "cable": "cable of {0}",
    "vrf": "VRF {0}",
    "interface": "interface {0}",
    "session": "BGP neighbor {1}{vrf}",
    "bfd": "BFD of BGP neighbor {1}{vrf}",
    "vni": "VNI {0}",
    "identity": "the switch",
    "bundle-member": "{1} in {0}",
    "pair": "the MLAG pair",
    "segment": "the Ethernet segment of {0}",
    "vlan": "VLAN {0}",
    "vtep": "the VTEP",
    "flood": "the flood list of VLAN {0}",
    "evpn": "the multicast routes of VNI {0}",
    "evpn-prefix": "the EVPN route to {1}{vrf}",
    "hardware": "the route to {1}{vrf} in hardware",
    "acl-rule": "rule {1} of {0}",
    "rule": "rule {1} of {0}",
    "daemon": "daemon {0}",
    "component": "{0}",
    "clock": "the clock",
    "ptp": "PTP",
    "saved": "the running configuration",
    "reload": "the switch",
    "pending": "configuration session {0}",
    "module": "the module of {0}",
}
"""Objects by their kind. Another kind is its name with the names of the object."""
_SUBJECTS = {
    **_THINGS,
    "cable": "{0}",
    "interface": "{0}{role}",
    "session": "BGP neighbor {1}{role}{vrf}",
    "bfd": "BFD of BGP neighbor {1}{role}{vrf}",
}
_HAS = {
    "cable far": "is cabled to",
    "interface mtu": "has MTU",
    "interface address": "has address",
    "interface mac": "has MAC",
    "interface vrf": "is in VRF",
    "interface bundle": "is in port-channel",
    "interface bridge": "is in bridge",
    "interface vlans": "carries VLAN",
    "interface untagged": "carries untagged VLAN",
    "vrf table": "has routing table",
    "session asn": "has remote ASN",
    "session families": "has the address families",
    "bfd timers": "has",
    "vni device": "has the VXLAN device",
    "vni source": "starts its tunnels at",
    "vni vlan": "has VLAN",
    "vni layer": "is a VNI of layer",
    "vni vrf": "is in VRF",
    "vni rd": "has route distinguisher",
    "vni import": "imports route target",
    "vni export": "exports route target",
    "identity hostname": "has the host name",
    "identity model": "is a",
    "identity serial": "has the serial number",
    "vlan name": "has the name",
    "vlan vni": "has VNI",
    "vlan state": "is",
    "interface speed": "has speed",
    "interface fec": "has FEC",
    "interface errdisabled": "was taken down because of",
    "interface anycast": "has an anycast address:",
    "bundle-member state": "is",
    "pair state": "is",
    "pair consistent": "is consistent:",
    "flood vteps": "has",
    "evpn imet": "are from",
    "evpn-prefix vteps": "is from",
    "hardware programmed": "is programmed:",
    "saved state": "is",
    "reload state": "is",
    "clock synchronized": "is synchronized:",
    "ptp locked": "is locked:",
    "daemon state": "is",
    "component state": "is",
    "acl-rule state": "is",
}
"""Verb phrases by kind and attribute. Another attribute is named before its value."""
_DIFFERS = {
    "session state": "{subject} is not up: the session is {shown}",
    "bfd state": "{subject} is not up",
    "interface link": "{subject} {shown}, but in the model it {designed}",
}
_DARK = "{subject} is not shut, but has no link"
_MISSING = {
    "cable": "{0} has not received {designed} by LLDP",
    "interface": "interface {subject} is missing",
    "session": "{subject} is not configured",
    "bfd": "BGP neighbor {1}{role}{vrf} has no BFD session",
    "switch anycast-mac": "the switch has no anycast MAC, but the model has {designed}",
    "vni device": "{thing} (VLAN {vlan}) has no VXLAN device {designed}",
    "vni layer": "the routing daemon does not know {thing}",
    "vni rd": "{thing} is not advertised in EVPN",
}
_UNKNOWN = {
    "cable": "{0} {has} {shown}",
    "interface": "{thing} {has} {shown}",
    "session": "there is a {thing} with remote ASN {shown}",
    "bfd": "there is a BFD session with {1}{vrf}",
}
_THERE = "there is a {thing}"
_LINKS = {UP: "is up", ENABLED: "is not shut", SHUT: "is shut"}


OF_PORTS = frozenset({"queues", "qos", "watchdog", "marking", "scheduler", "headroom"})
"""Kinds whose key begins with a port. Ports with equal values share a sentence."""


def of(expected: Expected, observed: Observed, group: Sequence[Disagreement]) -> tuple[str, str]:
    """Return the topic of similar differences, and the sentence without the switch."""
    first, (kind, *rest) = group[0], group[0].key
    if kind == "queues":
        return _queues(expected, observed, first, [each.key[1] for each in group])
    if kind in OF_PORTS:
        return _of_ports(first, [each.key[1] for each in group])
    if kind == "route":
        return _route(expected, first, [each.key[-1] for each in group])
    if kind in {*left.LEFT, *left.PROTOCOLS}:
        return left.sentence(first)
    role, about = expected.role(first.key), f"{kind} {first.attribute}"
    words = {
        "role": f" ({role})" if role else "",
        "vrf": f" in VRF {rest[0]}" if rest and rest[0] != GLOBAL else "",
        "vlan": _spelled(expected.facts.get(first.key, {}).get("vlan")),
        "has": _HAS.get(about) or f"has {attribute_word(kind, first.attribute)}",
        "designed": _value(about, first.designed),
        "shown": _value(about, first.witnessed, but=first.designed),
    }
    thing = _THINGS.get(kind) or re.sub(r"([{}])", r"\1\1", subject_of(first.key))
    words["thing"] = thing.format(*rest, **words)
    words["subject"] = _SUBJECTS.get(kind, thing).format(*rest, **words)
    return words["thing"], _template(expected, observed, first).format(*rest, **words)


def _template(expected: Expected, observed: Observed, each: Disagreement) -> str:
    kind, about = each.key[0], f"{each.key[0]} {each.attribute}"
    if each.key not in expected.facts:
        there = "there is {thing}" if _THINGS.get(kind, "").startswith("the ") else _THERE
        return _UNKNOWN.get(kind, there) + ", which is not in the model"
    if each.witnessed is None and about in _MISSING:
        return _MISSING[about]
    if each.key not in observed.facts:
        return _MISSING.get(kind, "{thing} is missing")
    if about == "interface link" and (each.designed, each.witnessed) == (UP, ENABLED):
        return _DARK
    template = _DIFFERS.get(about, "{subject} {has} {shown}, but the model has {designed}")
    state = observed.facts[each.key].get("state") if kind == "session" else ESTABLISHED
    down = about not in _DIFFERS and state != ESTABLISHED
    return f"{template}, and the session is {state}" if down else template


def _value(about: str, value: Value | None, but: Value | None = None) -> str:
    """Format a value. `but` has the permitted LLDP neighbors of a cable, which are left out."""
    if about == "cable far":
        ends = value if but is None else strangers(but, value)
        return _listed(" ".join((end[0] or "a nameless neighbor", *end[1:2])) for end in ends or ())
    if about == "interface link":
        return _LINKS.get(str(value), "is missing")
    return _spelled(value)


def _route(expected: Expected, each: Disagreement, prefixes: list[str]) -> tuple[str, str]:
    if each.designed is None:
        return "routes", f"BGP has a route to {_few(prefixes)}, which is not in the model"
    origin = expected.role(each.key)
    leave = f"leave by {_spelled(each.witnessed)}" if each.witnessed else "have no route"
    packets = f"packets to {origin} ({_few(prefixes, 2)})"
    return f"routes to {origin}", f"{packets} {leave}, but the model has {_spelled(each.designed)}"


def _queues(
    expected: Expected, observed: Observed, each: Disagreement, ports: list[str]
) -> tuple[str, str]:
    """Return one sentence for equal ports; a DSCP without a filter has the default."""
    word, *rest = each.attribute.split()
    names = {
        "bands": "the band of each priority",
        "default": "the queue of all other packets",
        "service": "the scheduling of queue {0}",
        "marking": "the ECN marking of queue {0}",
        "dscp": "the queue of DSCP {1} in IPv{0}",
    }
    shown, designed = each.witnessed, each.designed
    if word == "dscp":
        shown = shown or observed.facts[each.key].get("default")
        designed = designed or expected.facts[each.key].get("default")
    where, name = _few(ports), names.get(word, "the scheduler").format(*rest)
    says = f"on {where} {name} is {_served(shown)}, but the model has {_served(designed)}"
    return f"queues of {where}", says


_SETTINGS = {
    "qos trust": "the trusted marking",
    "qos dscp": "the queue of DSCP {0}",
    "qos group": "the priority group of DSCP {0}",
    "qos pause": "the set of paused priorities",
    "qos watched": "the set of queues with a PFC watchdog",
    "watchdog detection": "the detection time of the PFC watchdog in ms",
    "watchdog restoration": "the restoration time of the PFC watchdog in ms",
    "watchdog action": "the action of the PFC watchdog",
    "marking minimum": "the queue length of the first ECN mark in bytes",
    "marking maximum": "the queue length of the last unmarked packet in bytes",
    "marking percent": "the share of marked packets at the upper threshold in percent",
    "scheduler service": "the scheduling",
    "headroom bytes": "the headroom in bytes",
    "headroom alpha": "the exponent of the shared threshold",
}
_PLACES = {"marking": " of queue {0}", "scheduler": " of queue {0}", "headroom": " of group {0}"}


def _of_ports(each: Disagreement, ports: list[str]) -> tuple[str, str]:
    """Return one sentence for ports with equal values of one setting."""
    kind, _, *rest = each.key
    word, *numbers = each.attribute.split()
    name = _SETTINGS.get(f"{kind} {word}", f"{kind} {word}").format(*numbers)
    where = _few(ports)
    place = _PLACES.get(kind, "").format(*rest)
    shown, designed = _spelled(each.witnessed), _spelled(each.designed)
    topic = f"{_TITLES.get(kind, kind)} of {where}"
    return topic, f"on {where} {name}{place} is {shown}, but the model has {designed}"


_TITLES = {
    "qos": "QoS",
    "watchdog": "PFC watchdog",
    "marking": "ECN marking",
    "scheduler": "scheduling",
    "headroom": "headroom",
}


def _served(value: Value | None) -> str:
    if isinstance(value, tuple):
        least, most, probability, *spared = value
        return ", ".join((f"{least} to {most} bytes with {probability}", *spared))
    return value or "none"


def _spelled(value: Value | None) -> str:
    return _listed(value) if isinstance(value, tuple) else value or "nothing"


def _listed(items: Iterable[str]) -> str:
    return ", ".join(items) or "nothing"


def _few(items: Sequence[str], most: int = 4) -> str:
    """Return the first items and the number of others, for a sentence."""
    more = len(items) - most
    return _listed(items[:most]) + (f" and {more} more" if more > 0 else "")

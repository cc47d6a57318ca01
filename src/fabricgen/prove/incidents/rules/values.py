"""Finds causes in the settings of one switch: sessions, networks, filters, queues and services."""

from collections import defaultdict
from collections.abc import Iterator

from fabricgen.prove.incidents.model import Cause, Found, Kind, Thing, about, is_unread
from fabricgen.prove.incidents.parts import is_result, pair
from fabricgen.prove.incidents.view import View

_KINDS = {
    "acl-rule": Kind.ACCESS_LIST,
    "acl": Kind.ACCESS_LIST,
    "rule": Kind.ACCESS_LIST,
    **dict.fromkeys(
        ("qos", "queues", "qdisc", "watchdog", "marking", "headroom", "pool", "scheduler"),
        Kind.QUEUES,
    ),
    **dict.fromkeys(("identity", "reload", "switch", "release"), Kind.IDENTITY),
    **dict.fromkeys(("component", "module"), Kind.ENVIRONMENT),
    **dict.fromkeys(("clock", "ptp", "ntp"), Kind.TIME),
    **dict.fromkeys(
        ("syslog", "dns", "snmp", "gnmi", "login", "user", "trap", "api", "saved", "pending"),
        Kind.SERVICE,
    ),
}
"""Kinds of objects whose findings follow from no other switch."""
_NETWORKS = frozenset(("vrf", "vlan", "vni"))
_MEMBERS = frozenset(("vlans", "untagged", "vrf", "bridge"))


def sessions(view: View) -> Iterator[Cause]:
    """Yield sessions with wrong settings at one end, and sessions of another peer."""
    at: dict[tuple[str, ...], list[Found]] = defaultdict(list)
    for found in view.values():
        if found.key[:1] == ("session",) and not is_result(found.attribute):
            at[found.switch, *found.key].append(found)
    for (switch, *key), some in at.items():
        names = sorted({each.attribute for each in some})
        peer = view.graph.peer(switch, tuple(key))
        cable = view.graph.cables.get((switch, view.graph.session_port(switch, tuple(key))))
        lost = {_itself(each) for each in some}
        lost |= {pair(switch, peer, cable)} if peer else set()
        down = cable is not None and view.is_quiet(cable)
        to = f"{key[-1]} ({peer})" if peer else key[-1]
        yield Cause(
            kind=Kind.SESSION,
            root=(switch, *key),
            sentence=f"{switch}: wrong {', '.join(names)} of BGP neighbor {to}",
            lost=frozenset(lost),
            dead_cables=(cable,) if down and cable is not None else (),
        )


def _itself(found: Found) -> Thing:
    return ("object", found.switch, *found.key, found.attribute)


def networks(view: View) -> Iterator[Cause]:
    """Yield VRFs, VLANs and VNIs with wrong values; a wrong value of all VNIs is one cause."""
    roots: dict[tuple[str, ...], list[Found]] = defaultdict(list)
    for found in view.values():
        kind = found.key[0] if found.key else ""
        if kind == "vni" and found.attribute == "source":
            roots[found.switch, "vtep"].append(found)
        elif kind in _NETWORKS:
            roots[found.switch, *found.key[:2]].append(found)
        elif kind == "vtep":
            roots[found.switch, "vtep"].append(found)
        elif kind == "interface" and found.attribute in _MEMBERS:
            roots[found.switch, *found.key[:2], found.attribute].append(found)
    for root, some in roots.items():
        lost = {_itself(each) for each in some}
        vtep = root[1:] == ("vtep",)
        lost |= {("tunnel", root[0])} if vtep else set()
        lost |= {("network", *root[:3])} if root[1] in _NETWORKS else set()
        what = " ".join(root[1:])
        yield Cause(
            kind=Kind.NETWORK,
            root=root,
            sentence=f"{root[0]}: {what}: wrong {', '.join(sorted({e.attribute for e in some}))}",
            lost=frozenset(lost),
            networks=tuple(sorted(_of(view, some))),
        )


def _of(view: View, some: list[Found]) -> set[str]:
    """Return the names of VRFs that findings concern."""
    names = set()
    for found in some:
        own = view.seen[found.switch].expected.facts.get(found.key, {})
        names.add(found.key[1] if found.key[0] == "vrf" else str(own.get("vrf", "")))
    return names - {""}


def of_one_switch(view: View) -> Iterator[Cause]:
    """Yield the values of one switch that follow from nothing else, by object kind and attribute.

    One wrong map at 64 ports is one cause.
    """
    roots: dict[tuple[Kind, tuple[str, ...]], list[Found]] = defaultdict(list)
    for found in view.values():
        kind = _KINDS.get(found.key[0] if found.key else about(found))
        if kind is not None:
            roots[kind, _root(found)].append(found)
    for (kind, root), some in roots.items():
        yield Cause(
            kind=kind,
            root=root,
            sentence=some[0].sentence,
            lost=frozenset({_itself(each) for each in some} | {_said(each) for each in some}),
        )


def _root(found: Found) -> tuple[str, ...]:
    """Return the root of a value: of queues without its port, of other objects with its name."""
    key = found.key
    if not key:
        return found.switch, about(found)
    if key[0] in {"queues", "qos", "marking", "scheduler", "headroom", "watchdog"}:
        return found.switch, key[0], found.attribute
    return found.switch, *key


def _said(found: Found) -> Thing:
    return "said", found.switch, found.sentence


def unread(view: View) -> Iterator[Cause]:
    """Yield state that could not be read, one cause for each reason of a switch."""
    for name, seen in view.seen.items():
        reasons: dict[str, list[str]] = defaultdict(list)
        for part, why in seen.observed.unread.items():
            reasons[why].append(part)
        left = [found for found in seen.findings if is_unread(found)]
        others: dict[str, list[Found]] = defaultdict(list)
        for why, names in sorted(reasons.items()):
            mine = {_said(found) for found in left if why in found.sentence}
            if mine:
                yield Cause(
                    kind=Kind.UNREAD,
                    root=(name, *sorted(names)),
                    sentence=f"{name}: {', '.join(sorted(names))} could not be read: {why}",
                    lost=frozenset(mine),
                )
        for found in left:
            if not any(why in found.sentence for why in reasons):
                others[found.attribute or about(found)].append(found)
        for what, some in others.items():
            yield Cause(
                kind=Kind.UNREAD,
                root=(name, what),
                sentence=some[0].sentence,
                lost=frozenset(map(_said, some)),
            )

"""Compare the ports and interfaces of a hop: link, MTU, VRF, VLAN and neighbor."""

from collections.abc import Iterator

from fabricgen.core.tree.facts import GLOBAL, Value
from fabricgen.nos.show import ENABLED, SHUT, UP
from fabricgen.prove.reach.live.sides import NONE, Seen, Side, Unknown, Unstated, compared
from fabricgen.prove.reach.live.steps import Item
from fabricgen.prove.runs import strangers
from fabricgen.prove.walk.ports import Port


def port_items(side: Side, port: str, vlan: int | None, tag: int | None) -> Iterator[Item]:
    """Yield the values of a port. `vlan` is its VLAN for this packet, `tag` the one on the wire."""
    interface = side.logical(port)
    yield link(side, port)
    if interface != port:
        yield link(side, interface)
    if side.model(("interface", interface), "mtu") is not None:
        yield mtu(side, interface)
    yield _vrf(side, interface) if vlan is None else _carried(side, interface, port, vlan, tag)


def link(side: Side, name: str) -> Item:
    """Compare the link state of an interface. A port that may be down only has to be open."""
    key = ("interface", name)
    port = side.tables.ports.get(name)
    files: Seen = None
    if port is not None:
        files = ENABLED if port.up else SHUT
    return compared(
        "link",
        name,
        (side.model(key, "link"), files, side.running(key, "link")),
        fits=_is_open,
        file_fits=_is_open_alike,
        source=side.source(key, "link"),
    )


def _is_open(model: Value | None, seen: Value | None) -> bool:
    """Return whether a link is as good as designed."""
    return model in (None, seen) or (model == ENABLED and seen == UP)


def _is_open_alike(model: Value | None, written: Value | None) -> bool:
    """Return whether a file opens or shuts a port as designed. It has no state of the link."""
    return (model == SHUT) == (written in (SHUT, None))


def mtu(side: Side, name: str) -> Item:
    """Compare the MTU of an interface."""
    key = ("interface", name)
    model = side.model(key, "mtu")
    files: Seen = side.facts.get(key, {}).get("mtu")
    if files is None:
        files = Unstated("not stated")
    return compared(
        "MTU",
        name,
        (model, files, side.running(key, "mtu")),
        source=side.source(key, "mtu"),
    )


def _vrf(side: Side, name: str) -> Item:
    """Compare the VRF of an interface; one without a VRF is in the global one."""
    key = ("interface", name)
    port = side.tables.ports.get(name)
    running = side.running(key, "vrf")
    return compared(
        "VRF",
        name,
        (
            side.model(key, "vrf") or GLOBAL,
            port.vrf or GLOBAL if port is not None else None,
            running if isinstance(running, Unknown) else running or GLOBAL,
        ),
        source=side.source(key, "vrf"),
    )


def _carried(side: Side, name: str, port: str, vlan: int, tag: int | None) -> Item:
    """Compare whether a port has a VLAN, with or without a tag."""
    key = ("interface", name)
    vlans, untagged = (side.running(key, word) for word in ("vlans", "untagged"))
    running: Seen = vlans if isinstance(vlans, Unknown) else untagged
    if not isinstance(vlans, Unknown) and not isinstance(untagged, Unknown):
        running = _tagging(vlan, str(vlan) in (vlans or ()), untagged == str(vlan))
    written = side.tables.ports.get(port) or side.tables.ports.get(name)
    return compared(
        "VLAN",
        name,
        (_word(vlan, tag), _written(written, vlan), running),
        source=side.source(key, "vlans"),
    )


def _written(port: Port | None, vlan: int) -> str:
    if port is None:
        return NONE
    return _tagging(vlan, vlan in (*port.vlans, port.untagged), port.untagged == vlan)


def _tagging(vlan: int, has: bool, untagged: bool) -> str:  # noqa: FBT001 - two facts of a port
    return _word(vlan, None if untagged else vlan) if has else f"not {vlan}"


def _word(vlan: int, tag: int | None) -> str:
    return f"{vlan} untagged" if tag is None else f"{vlan} tagged"


def neighbor(side: Side, port: str) -> Item | None:
    """Compare the LLDP neighbor of a port to another switch. None if LLDP need not see one."""
    key = ("cable", port)
    model = side.model(key, "far")
    if side.expected.may_lack(key) or not model:
        return None
    running = side.running(key, "far")
    if running is None:
        running = Unknown("no LLDP neighbor")
    return compared(
        "neighbor",
        port,
        (model, model, running),
        fits=lambda one, other: not strangers(one, other),
        source=side.source(key, "far"),
    )

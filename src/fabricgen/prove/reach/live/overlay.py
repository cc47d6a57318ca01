"""Compare the overlay of a hop: the VNI of a VLAN or VRF, its gateway and its flood list."""

from collections.abc import Iterator

from fabricgen.core.tree.facts import GLOBAL
from fabricgen.prove.reach.live.ports import link, mtu
from fabricgen.prove.reach.live.sides import Seen, Side, Unknown, Unstated, compared
from fabricgen.prove.reach.live.steps import Item
from fabricgen.prove.walk.exchange import Exchange

_OF_VNI = (
    ("VLAN", "vlan"),
    ("VRF", "vrf"),
    ("tunnel source", "source"),
    ("imported targets", "import"),
)


def vni_items(side: Side, vni: int) -> Iterator[Item]:
    """Yield the values of a VNI, and of its device if the platform has one."""
    key = ("vni", str(vni))
    for word, attribute in _OF_VNI:
        model = side.model(key, attribute)
        if model is not None:
            yield compared(
                word,
                f"VNI {vni}",
                (model, _written(side, vni, attribute), side.running(key, attribute)),
                source=side.source(key, attribute),
            )
    device = side.model(key, "device")
    if device is not None:
        yield link(side, str(device))
        if side.model(("interface", str(device)), "mtu") is not None:
            yield mtu(side, str(device))


def _written(side: Side, vni: int, attribute: str) -> Seen:
    """Return an attribute of a VNI in the files."""
    tables = side.tables
    routed = next((vrf for vrf, own in tables.tables.items() if own.vni == vni), None)
    vlan = next((number for number, own in tables.bridges.items() if own.vni == vni), None)
    if any(each.vni == vni for each in side.design.tunneled):
        found: dict[str, Seen] = {
            "vlan": _transit(side, vni),
            "vrf": routed,
            "import": tuple(sorted(tables.tables[routed].imports)) if routed else None,
        }
    else:
        bridge = tables.bridges.get(vlan) if vlan is not None else None
        gateway = tables.gateways.get(vlan) if vlan is not None else None
        found = {
            "vlan": str(vlan) if vlan is not None else None,
            "vrf": gateway.vrf if gateway is not None else GLOBAL,
            "import": tuple(sorted(bridge.imports)) if bridge is not None else None,
        }
    return {**found, "source": tables.vtep}[attribute]


def _transit(side: Side, vni: int) -> Seen:
    """Return the VLAN of a VRF's VNI, which only files with a device for each VNI state."""
    device = str(side.model(("vni", str(vni)), "device") or "")
    return side.facts.get(("interface", device), {}).get("untagged", Unstated("not stated"))


def gateway_items(side: Side, vlan: int) -> Iterator[Item]:
    """Yield the values of a VLAN's gateway interface."""
    name = side.names.gateway(vlan)
    key = ("interface", name)
    port = side.tables.gateways.get(vlan)
    yield link(side, name)
    vrf = side.running(key, "vrf")
    yield compared(
        "VRF",
        name,
        (side.model(key, "vrf"), port.vrf if port is not None else None, vrf),
        source=side.source(key, "vrf"),
    )
    address = side.model(key, "address")
    if address is not None:
        written = tuple(sorted(map(str, port.addresses))) if port is not None else None
        yield compared(
            "address",
            name,
            (address, written, side.running(key, "address")),
            source=side.source(key, "address"),
        )
    if side.model(key, "mtu") is not None:
        yield mtu(side, name)


def flooded(side: Side, exchange: Exchange, vlan: int, far: str, endpoint: str) -> Item:
    """Compare whether the flood list of a VLAN has the endpoint of the receiver's leaf."""
    key = ("flood", str(vlan))
    heard = exchange.evpn.get(far, {}).get(side.expected.switch)
    running = side.running(key, "vteps")
    if not isinstance(running, Unknown):
        running = endpoint if endpoint in (running or ()) else f"not {endpoint}"
    return compared(
        "flood list",
        f"VLAN {vlan}",
        (endpoint, heard.endpoint if heard is not None else None, running),
        source=side.source(key, "vteps"),
    )

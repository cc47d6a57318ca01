"""Find where the traffic of a switch deviates from the design.

Values that a platform does not read are ignored, and so are values that the catalogue of checks
compares (checked.py).
"""

from collections.abc import Collection, Iterator, Mapping

from fabricgen.core.tree.facts import Topic
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.topology import Nic
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos
from fabricgen.nos.traffic import Traffic


def subnets_of(fabric: Fabric) -> dict[str, set[str]]:
    """Return the VRFs of each subnet of a fabric, by prefix."""
    owners: dict[str, set[str]] = {}
    overlay, nics = fabric.overlay, fabric.addresses.nics
    for vlan in overlay.vlans.values() if overlay is not None else ():
        for gateway in vlan.gateways if vlan.vrf is not None else ():
            owners.setdefault(gateway.prefix, set()).add(str(vlan.vrf))
    members = overlay.members if overlay is not None else {}
    for link in fabric.topology.links if members else ():
        if nics is not None and isinstance(link.lower_port, Nic):
            owners.setdefault(nics.ends(link)[1].prefix, set()).add(members[link.lower.name].vrf)
    return owners


def wrong(
    switch_slice: SwitchSlice,
    seen: Traffic,
    subnets: Mapping[str, set[str]],
    about: Collection[Topic] = (),
) -> Iterator[str]:
    """Yield a sentence for each difference.

    Args:
        switch_slice: The switch.
        seen: Its traffic.
        subnets: The VRFs of each subnet of the fabric.
        about: Topics that the catalogue of checks compares on this switch.
    """
    if ("vni", "vlan") not in about:
        yield from _vlans(switch_slice, seen)
    if ("interface", "bundle") not in about:
        yield from _bundles(switch_slice, seen)
    if ("interface", "vlans") not in about:
        yield from _trunks(switch_slice, seen)
    if ("qos", "pause") not in about:
        yield from _pauses(switch_slice, seen)
    yield from _leaks(switch_slice, seen, subnets)


def _vlans(switch_slice: SwitchSlice, seen: Traffic) -> Iterator[str]:
    for vlan in switch_slice.vlans if seen.vlans else ():
        there = seen.vlans.get(vlan.id)
        if vlan.vni is not None and there is None:
            yield f"VLAN {vlan.id} is not in the overlay, expected VNI {vlan.vni}"
        elif there is not None and there.vni != vlan.vni:
            yield f"VLAN {vlan.id} is in VNI {there.vni}, expected VNI {vlan.vni}"


def _bundles(switch_slice: SwitchSlice, seen: Traffic) -> Iterator[str]:
    names = nos(switch_slice.switch.platform).names
    if names is None:
        return
    for lag in switch_slice.lags:
        bundle = names.bundle(lag.number)
        for member in lag.members if seen.bundles else ():
            port = spell(switch_slice.switch, member.port)
            if f"{bundle} {port}" not in seen.bundles:
                yield f"{port} is not a member of {bundle}, expected by the model"


def _trunks(switch_slice: SwitchSlice, seen: Traffic) -> Iterator[str]:
    names = nos(switch_slice.switch.platform).names
    if names is None:
        return
    carrying = [(names.bundle(each.number), each.carries) for each in switch_slice.lags]
    carrying += [
        (spell(switch_slice.switch, each.port), each.carries)
        for each in switch_slice.interfaces
        if each.lag is None
    ]
    for port, carries in carrying if seen.trunks else ():
        for vlan in carries.vlans if carries is not None else ():
            if vlan.id not in seen.trunks.get(port, ()):
                yield f"VLAN {vlan.id} is not on {port}, expected by the model"


def _pauses(switch_slice: SwitchSlice, seen: Traffic) -> Iterator[str]:
    paused = switch_slice.qos.paused if switch_slice.qos is not None else ()
    for item in switch_slice.interfaces:
        port = spell(switch_slice.switch, item.port)
        if item.use is Use.UNUSED or port not in seen.paused:
            continue
        for priority in paused:
            if priority not in seen.paused[port]:
                yield f"PFC is off on {port} for priority {priority}, expected on"


def _leaks(
    switch_slice: SwitchSlice, seen: Traffic, subnets: Mapping[str, set[str]]
) -> Iterator[str]:
    """Yield subnets of other tenants to which a VRF has a route."""
    for name in (vrf.name for vrf in switch_slice.vrfs):
        own = seen.vrfs.get(name)
        for prefix in sorted(own.subnets) if own is not None else ():
            owners = subnets.get(prefix, set())
            if owners and name not in owners:
                yield f"VRF {name} has a route to {prefix}, a subnet of VRF {min(owners)}"

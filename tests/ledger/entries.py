"""A designed site in; every number and name that it gives to something out, as sorted lines.

A line is an object and what it is given: fabric, kind, name, numbers. Who has many of a kind has
some on each line, so that a difference shows which object moved.
"""

from collections.abc import Iterator, Sequence

from fabricgen.compile.compiler import host_slices, slices
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.overlay import EvpnRules, Overlay
from fabricgen.model.fabric.pinned import Instance, Targeted, route_distinguisher
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.nos.lowering import spell

A_LINE = 6
"""So many ports, NICs or route distinguishers stand on one line."""


def ledger(site: Site) -> str:
    """Return the ledger of a site."""
    lines = []
    for fabric in site.fabrics:
        if fabric.overlay is not None:
            lines += [f"{fabric.name} {line}" for line in _overlay(fabric.overlay)]
    for fabric, switch_slice in slices(site):
        lines += [f"{fabric.name} {line}" for line in _switch(switch_slice)]
    for server in host_slices(site):
        lines += _server(server)
    return "".join(f"{line}\n" for line in sorted(lines))


def _overlay(overlay: Overlay) -> Iterator[str]:
    rules = overlay.rules
    if rules is None:
        yield from (f"vrf {vrf.name} id {vrf.id} local" for vrf in overlay.vrfs.values())
        return
    yield f"overlay anycast MAC {rules.anycast_mac}"
    for vrf in overlay.vrfs.values():
        yield (
            f"vrf {vrf.name} id {vrf.id} VNI {vrf.vni} RT {_target(rules, vrf)} "
            f"transit VLAN {vrf.transit_vlan}"
        )
    for vlan in overlay.vlans.values():
        gateways = " ".join(map(str, vlan.gateways)) or None
        vni = f"VNI {vlan.vni} RT {_target(rules, vlan)}" if vlan.vni is not None else "local"
        yield f"vlan {vlan.id:04} {vlan.name} {vni} gateway {gateways} VRF {vlan.vrf}"


def _target(rules: EvpnRules, of: Targeted) -> str:
    return " ".join(rules.exported(of))


def _switch(switch_slice: SwitchSlice) -> Iterator[str]:
    name = switch_slice.switch.name
    yield (
        f"switch {name} ASN {switch_slice.asn} loopback {switch_slice.loopback} VTEP "
        f"{switch_slice.vtep} "
        f"management {switch_slice.management}"
    )
    ports = [port for port in switch_slice.interfaces if port.use is not Use.UNUSED]
    yield from _spread("port", name, [_port(switch_slice.switch, port) for port in ports])
    if switch_slice.overlay is not None and switch_slice.vtep is not None:
        instances: list[Instance] = [vlan for vlan in switch_slice.vlans if vlan.vni is not None]
        instances += switch_slice.vrfs
        marks = [route_distinguisher(switch_slice.loopback, each) for each in instances]
        yield from _spread("rd", name, marks)
    for lag in switch_slice.lags:
        if lag.segment is not None:
            told = f"LACP system {lag.segment.system} preference {lag.segment.preference}"
            yield f"segment {name} LAG {lag.number:03} {lag.segment.identifier} {told}"
    for peer in switch_slice.external:
        rules = [f"{rule.sequence}={rule.prefix.prefix}" for rule in (*peer.accept, *peer.announce)]
        yield (
            f"external {name} {peer.label} ASN {peer.peer_asn} {peer.local} to {peer.remote} "
            f"prefixes {' '.join(rules)}"
        )


def _port(owner: Switch, port: Interface) -> str:
    """Return a port's name, numbers and, upwards or to a server, the other end."""
    words = [spell(owner, port.port)]
    if port.address is not None:
        words.append(str(port.address))
    if port.lag is not None:
        words.append(f"LAG {port.lag}")
    if port.carries is not None:
        untagged = port.carries.untagged
        words.append(f"VLAN {untagged.id if untagged else '-'}")
        words += [f"+{vlan.id}" for vlan in port.carries.tagged]
    if port.peer is not None and port.peer_port is not None:
        down = isinstance(port.peer, Switch) and port.peer.role.tier < owner.role.tier
        words.append("down" if down else f"{port.peer.name}:{spell(port.peer, port.peer_port)}")
    return " ".join(words)


def _server(server: HostSlice) -> Iterator[str]:
    """Return the NICs of its rails, and the addresses in VLANs that are given to it."""
    name = server.server.name
    for side in server.bridged:
        given = [f"{each.device} {own}" for each in side.members for own in each.addresses]
        yield from (f"{side.fabric} {line}" for line in _spread("address", name, given))
    for routed in server.routed:
        nics = [
            f"{port.plan.nic.name} {port.address} table {port.plan.table} by {port.gateway.host}"
            for port in routed.ports
        ]
        yield from (f"{routed.share.fabric} {line}" for line in _spread("nic", name, nics))


def _spread(kind: str, name: str, entries: Sequence[str]) -> Iterator[str]:
    for first in range(0, len(entries), A_LINE):
        yield f"{kind} {name} {first:03}: " + ", ".join(entries[first : first + A_LINE])

"""Write a page for each pair of external firewalls.

It describes the firewall end of the border leafs' settings: the same tags, addresses, ASNs and
prefixes.
"""

from collections.abc import Iterator

from fabricgen.compile.compiler import File
from fabricgen.model.fabric.external import ExternalPeer, PrefixRule
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.vrfs import Firewall
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos

_COLUMNS = (
    "VRF",
    "tag",
    "unit address",
    "leaf address",
    "leaf ASN",
    "unit advertises",
    "leaf advertises",
    "session",
)
_MODES = {
    True: "Both units are active and share their state.",
    False: "Unit 1 is active: leafs prefer its routes and advertise longer paths to unit 2. Unit 2 "
    "is used when unit 1 has no session, so the networks behind both units must also prefer "
    "unit 1.",
}
_ORIGIN = (
    "In each VRF the units advertise the prefixes of `unit advertises`. Their AS path must "
    "not contain an ASN of the fabric, because leafs and spines drop routes with their own "
    "ASN. So a unit originates the default route and does not forward routes of another VRF."
)


def firewalls(site: Site) -> Iterator[File]:
    """Yield the page of each pair of firewalls, as FABRIC/NAME.md."""
    for fabric in site.fabrics:
        for pair in fabric.overlay.firewalls.values() if fabric.overlay is not None else ():
            text = "\n".join(_page(fabric, pair))
            yield File(f"{fabric.name}/{pair.name}.md", text + "\n", executable=False)


def _page(fabric: Fabric, pair: Firewall) -> Iterator[str]:
    yield from (f"# Firewall {pair.name}", "", f"Both units have the ASN {pair.asn}.")
    yield from (_MODES[pair.both_active], "", _ORIGIN)
    for number, links in enumerate(pair.units, 1):
        yield from ("", f"## Unit {number}")
        for link in links:
            yield from _link(fabric, link)


def _link(fabric: Fabric, name: str) -> Iterator[str]:
    """Yield one link of a unit: the cable, and the sessions by tag."""
    overlay = fabric.overlay
    assert overlay is not None
    leaf = next(each for each in fabric.topology.switches if each.name == overlay.edge[name].leaf)
    yield from ("", f"Link {name} to {leaf.name} {_ports(overlay, name, leaf)}.", "")
    yield f"| {' | '.join(_COLUMNS)} |"
    yield "|" + "--|" * len(_COLUMNS)
    for peer in overlay.ending(name):
        yield f"| {' | '.join(_leg(fabric, leaf, peer))} |"


def _ports(overlay: Overlay, name: str, leaf: Switch) -> str:
    edge = overlay.edge[name]
    ports = ", ".join(spell(leaf, port) for port in edge.cages)
    mtu = f"IP MTU {edge.ports[0].mtu}"
    if edge.lag is None:
        return f"{ports}, {mtu}"
    names = nos(leaf.platform).names
    bundle = names.bundle(edge.lag) if names is not None else f"bundle {edge.lag}"
    return f"{bundle} ({ports}; LACP), {mtu}"


def _leg(fabric: Fabric, leaf: Switch, peer: ExternalPeer) -> tuple[str, ...]:
    asn = peer.border.local_asn or fabric.routing.asns.asn(leaf)
    told = ", ".join(map(_ranged, peer.accept)), ", ".join(map(_ranged, peer.announce))
    return (
        peer.vrf,
        str(peer.interface.tag),
        str(peer.remote),
        str(peer.local),
        str(asn),
        *told,
        _kept(fabric, peer),
    )


def _ranged(rule: PrefixRule) -> str:
    """Format a prefix with the range of accepted lengths."""
    own = rule.allowed
    if rule.least is None and rule.most is None:
        return rule.prefix.prefix
    return f"{rule.prefix.prefix} (/{own.shortest} to /{own.longest})"


def _kept(fabric: Fabric, peer: ExternalPeer) -> str:
    """Format the BFD timers and the password of a session."""
    bfd, password = fabric.routing.bfd, peer.border.password
    timers = f"BFD {int(bfd.interval)} ms x {bfd.multiplier}" if bfd and peer.bfd else "no BFD"
    return timers + (f", TCP MD5 by {password}" if password is not None else "")

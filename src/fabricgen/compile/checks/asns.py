"""Check that every switch has a private ASN of its own, or shares it as RFC 7938 allows.

Two leafs with one ASN drop each other's routes as loops: the sessions are up, but the servers are
unreachable. To fix it, widen `underlay.asn` (first, last) or choose its scheme. The two ends of a
session must differ, because every session is eBGP. Fabrics may reuse numbers while no session joins
them. An external peer may have any ASN that is not reserved and that no switch of the fabric has.
Otherwise the peer would drop routes learned from that switch as loops.
"""

from fabricgen.compile.checks.tally import Tallied, listing
from fabricgen.core.diagnostics import Code, Examined, IntentPath
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Role, Switch

RESERVED = {0, 23456, 65535, 4294967295}  # RFC 7607, 6793, 7300
PRIVATE = ((64512, 65534), (4200000000, 4294967294))  # RFC 6996


class Asns(Tallied):
    """First holder of each ASN, per fabric."""

    name, code, noun = "asns", Code.ASN_CLASH, "switches and sessions"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.holders: dict[str, dict[int, tuple[str, str]]] = {f.name: {} for f in site.fabrics}
        self.shared: dict[tuple[str, str], int] = {}
        self.joined: dict[tuple[str, str], str] = {}
        self.outside: dict[str, list[ExternalPeer]] = {f.name: [] for f in site.fabrics}

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Check the ASN of one switch and the ASN that each of its sessions expects."""
        switch, asn, path = (
            switch_slice.switch,
            switch_slice.asn,
            _said(fabric, switch_slice.switch),
        )
        self.tally.objects += 1 + len(switch_slice.sessions) + len(switch_slice.peers)
        self.outside[fabric.name].extend(switch_slice.peers)
        if asn in RESERVED:
            self.tally.add("reserved ASNs", f"{switch.name} has the reserved ASN {asn}", path)
        elif not any(low <= asn <= high for low, high in PRIVATE):
            self.tally.add(
                "ASNs that are not private",
                f"{switch.name} has the public ASN {asn}",
                path,
                "use 64512-65534 or 4200000000-4294967294 (RFC 6996)",
            )
        self.held(fabric, switch, asn)
        for session in switch_slice.sessions:
            if session.peer_asn == asn:
                self.tally.add(
                    "sessions inside one ASN",
                    f"{switch.name} and its peer {session.peer.name} both have the ASN {asn}: "
                    "the session would not be eBGP",
                    path,
                )
            if session.peer.fabric != fabric.name:
                pair = (fabric.name, session.peer.fabric)
                self.joined.setdefault(pair, f"{switch.name} to {session.peer.name}")

    def external(self, peer: ExternalPeer, holder: tuple[str, str] | None) -> None:
        """Compare the ASN of one external peer with the ASNs of the fabric."""
        who = f"the external peer {peer.name} of VRF {peer.vrf}"
        if peer.peer_asn in RESERVED:
            text = f"{who} has the reserved ASN {peer.peer_asn}"
            self.tally.add("reserved ASNs", text, peer.because)
        if holder is not None:
            text = f"{who} and {holder[1]} both have the ASN {peer.peer_asn}"
            self.tally.add("ASNs of the outside held inside", text, peer.because)

    def held(self, fabric: Fabric, switch: Switch, asn: int) -> None:
        """Compare with the first switch that has this ASN, and with the rest of its tier."""
        asns = fabric.routing.asns
        alike = asns.shares(switch.role) or switch.domain is not None
        group = _group(switch) if alike else switch.name
        path = _said(fabric, switch)
        first, name = self.holders[fabric.name].setdefault(asn, (group, switch.name))
        if first != group:
            self.tally.add(
                "ASNs held twice",
                f"{name} and {switch.name} both have the ASN {asn}",
                path,
                "widen underlay.asn, or use scheme: rfc7938",
            )
        tier = self.shared.setdefault((fabric.name, group), asn)
        if tier != asn and not asns.formula(switch.role).said:
            self.tally.add(
                "tiers with two ASNs",
                f"{switch.name} has the ASN {asn}, but the ASN of {group} is {tier}",
                path,
            )

    def result(self) -> Examined:
        """Compare the ASNs of external peers with all others, and the ASNs of joined fabrics."""
        for name, peers in self.outside.items():
            for peer in peers:
                self.external(peer, self.holders[name].get(peer.peer_asn))
        for (here, there), example in self.joined.items():
            both = sorted(self.holders[here].keys() & self.holders.get(there, {}).keys())
            if both:
                self.tally.add(
                    "fabrics that share ASNs",
                    f"{here} and {there} both use {listing(both)} and the session {example} joins "
                    "them",
                    (here, "underlay", "asn"),
                )
        return self.tally.result()


def _said(fabric: Fabric, switch: Switch) -> IntentPath:
    """Return the intent path that sets the ASN of a switch: its pin, a plan, or the range."""
    asns = fabric.routing.asns
    pin = asns.pins.get(switch.name)
    if pin is not None and pin.asn is not None:
        return (*pin.path, "asn")
    return asns.formula(switch.role).said or (*fabric.place, "underlay", "asn")


def _group(switch: Switch) -> str:
    """Name the switches that share an ASN (RFC 7938 section 5.2.1, or an MLAG pair)."""
    if switch.role is Role.SUPERSPINE:
        return "the superspines"
    if switch.domain is not None:
        return f"the MLAG pair of leaf {switch.domain.first + 1}"
    return f"the spines of pod {switch.pod}" if switch.role is Role.SPINE else switch.name

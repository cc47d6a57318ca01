"""Check both ends of a link: speed, MTU and bundles."""

from collections import defaultdict
from typing import TYPE_CHECKING

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined, Severity
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Link, Nic, Switch

if TYPE_CHECKING:
    from fabricgen.core.provenance import Provenance


# A link whose ends disagree comes up and drops large frames, or stays down on one side only. Fix
# the design, because only a platform exception of the intent concerns a single end. Each end comes
# from the slice of its switch. It is compared with the cable and with the other end.


class Links(Tallied):
    """First end of each cable until the slice with the second end arrives."""

    name, code, noun = "links", Code.LINK_ENDS_DISAGREE, "link ends"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.open: dict[int, tuple[Link, Interface | None]] = {}

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Compare each cable of this switch with its local end."""
        name = switch_slice.switch.name
        up = {ends.key(i.port): i for i in switch_slice.interfaces if i.use is not Use.UNUSED}
        for link in fabric.topology.links_at.get(name, ()):
            self.tally.objects += 1
            port = ends.port_at(link, name)
            mine = up.get(ends.key(port)) if port is not None else None
            if mine is None:
                self.say("link ends that are down", link, f"{name} has no interface in use there")
            else:
                self.end(name, link, mine)
            if not link.to_server:
                other = self.open.pop(id(link), None)
                if other is None:
                    self.open[id(link)] = (link, mine)
                elif mine is not None and other[1] is not None:
                    self.both(link, other[1], mine)

    def end(self, name: str, link: Link, mine: Interface) -> None:
        """Compare one end with its cable."""
        upper = link.upper.name == name
        peer, port = (link.lower, link.lower_port) if upper else (link.upper, link.upper_port)
        if mine.port.speed != link.speed:
            self.say(
                "speeds that disagree",
                link,
                f"the port of {name} runs at {mine.port.speed}, but the cable at {link.speed}",
            )
        if (
            mine.peer is None
            or mine.peer.name != peer.name
            or (mine.peer_port is not port and mine.peer_port != port)
        ):
            told = (
                "nothing"
                if mine.peer is None or mine.peer_port is None
                else ends.text(mine.peer, mine.peer_port)
            )
            self.say("ends with another peer", link, f"{name} expects the peer {told}")

    def both(self, link: Link, one: Interface, other: Interface) -> None:
        """Compare the two ends of a cable between switches."""
        if one.mtu != other.mtu:
            self.say(
                "MTUs that disagree", link, f"one end has MTU {one.mtu}, the other {other.mtu}"
            )
        if link.of_pair:
            if one.address or other.address or one.link_local or other.link_local:
                self.say(
                    "bridged links with addresses", link, "one end is bridged, the other routed"
                )
            return
        if one.link_local or other.link_local:
            if not (one.link_local and other.link_local) or one.address or other.address:
                self.say("addressing that disagrees", link, "one end is link-local, the other not")
            return
        here, there = one.address, other.address
        if here is None or there is None:
            self.say("ends without an address", link, "an end has neither address nor link-local")
        elif here.length != (31 if here.version == 4 else 127):
            self.say(
                "links that are not point to point",
                link,
                f"its subnet {here.prefix} is not point-to-point",
            )
        elif here[1:] != there[1:] or here.value ^ there.value != 1:
            self.say(
                "ends that do not meet",
                link,
                f"{here} and {there} are not the two hosts of one subnet",
            )

    def say(self, kind: str, link: Link, what: str) -> None:
        self.tally.add(kind, f"cable {ends.cable(link)}: {what}", link.because)

    def result(self) -> Examined:
        """Report cables for which only one end is configured."""
        for link, _ in self.open.values():
            self.say("cables with one end", link, "its other end has no configuration")
        return self.tally.result()


# A smaller MTU drops exactly the large frames: ping works, training hangs. All fabric interfaces
# have the fabric's MTU. NIC ports have it, too, less the VXLAN headers where there are tunnels. A
# bridged port and a port to an external peer must leave room for VXLAN headers. A LAG has the MTU
# of its members. A cable between gateways of two sites carries tunnels, so it has at least the
# fabric's MTU. A fabric of GPU servers, or with a lossless class, has room for the largest packets
# of RDMA.

VXLAN_HEADERS = 50  # outer Ethernet 14, IPv4 20, UDP 8, VXLAN 8 (RFC 7348 section 5)

RDMA = 4096 + 60
"""Largest path MTU of RDMA (IBTA volume 1: 256 to 4096 bytes) with its headers (annex RoCEv2).

IPv4 20, UDP 8, BTH 12, RETH 16, ICRC 4.
"""


class Mtu(Tallied):
    """Comparison of every interface in use with the MTU of its fabric."""

    name, code, noun = "mtu", Code.MTU_BROKEN, "interfaces"

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        most = fabric.routing.mtu
        if most < RDMA and (
            fabric.gpus or (switch_slice.qos is not None and switch_slice.qos.lossless)
        ):
            self.tally.add(
                "fabrics with small packets",
                f"the MTU {most:,} is too small for RDMA packets of 4,096 bytes, which have "
                f"{RDMA:,} bytes with headers",
                (*fabric.place, "underlay", "mtu"),
                "remove `mtu`, or set 4,200 or more",
                Severity.WARNING,
            )
        tunnels = fabric.overlay is not None and fabric.overlay.rules is not None
        edge = most - VXLAN_HEADERS if tunnels else most
        across = self.across(fabric, switch_slice)
        used = len(across)
        for interface in switch_slice.interfaces:
            if interface.use is Use.UNUSED or interface in across:
                continue
            used += 1
            if interface.use in (Use.EDGE, Use.EXTERNAL):
                if interface.mtu > edge:
                    self.say(
                        fabric,
                        switch_slice.switch,
                        interface,
                        f"at most {edge} so that VXLAN fits into {most}"
                        if edge < most
                        else f"at most {most}",
                    )
                continue
            every = edge if interface.use is Use.NIC else most
            if interface.mtu != every:
                self.say(
                    fabric,
                    switch_slice.switch,
                    interface,
                    f"{every}, like the rest of the {fabric.name}",
                )
        self.tally.objects += used
        for lag in switch_slice.lags:
            if any(member.mtu != lag.mtu for member in lag.members):
                text = (
                    f"{switch_slice.switch.name} LAG {lag.number} has MTU {lag.mtu}, but a member "
                    "has another"
                )
                self.tally.add("LAGs with another MTU", text, lag.because)

    def across(self, fabric: Fabric, switch_slice: SwitchSlice) -> tuple[Interface, ...]:
        """Return the cables to gateways of another site; they carry tunnels."""
        most, cables = (
            fabric.routing.mtu,
            switch_slice.gateway.cables if switch_slice.gateway is not None else (),
        )
        for cable in cables:
            if cable.mtu < most:
                self.say(
                    fabric,
                    switch_slice.switch,
                    cable,
                    f"at least {most}, because it carries tunnels",
                )
        return cables

    def say(self, fabric: Fabric, switch: Switch, interface: Interface, wanted: str) -> None:
        """Add a finding about one interface."""
        text = f"{ends.text(switch, interface.port)} ({interface.use}) has MTU {interface.mtu}"
        path = (*fabric.place, "underlay", "mtu")
        self.tally.add(
            f"{interface.use} ports with another MTU", f"{text}, but it must be {wanted}", path
        )


# Links of different speeds do not form one LAG (IEEE 802.1AX): links of one speed carry all traffic
# and the others wait, which only the load shows. Fix the design: a set of ports has one speed, and
# so have the links between the leafs of a pair. A switch without LAGs counts as examined.


class Bundles(Tallied):
    """Links of every LAG, by the names of both ends."""

    name, code, noun = "bundles", Code.BUNDLE_UNLIKE, "switches and LAGs"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.links: dict[str, list[tuple[Interface, Provenance]]] = defaultdict(list)

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Record the LAGs of one switch."""
        del fabric
        self.tally.objects += 1 + len(switch_slice.lags) + (switch_slice.pair is not None)
        for lag in switch_slice.lags:
            for each in lag.members:
                network = each.peer_port.network if isinstance(each.peer_port, Nic) else ""
                whose = f"{network} of" if network else f"of the {switch_slice.switch.fabric} to"
                name = f"the LAG {whose} {lag.far}"
                self.links[name].append((each, lag.because))
        pair = switch_slice.pair
        for each in pair.members if pair is not None else ():
            assert pair is not None
            name = f"the peer link of the MLAG pair {pair.domain}"
            self.links[name].append((each, pair.because))

    def result(self) -> Examined:
        """Compare the speeds of each LAG."""
        for name, links in self.links.items():
            speeds = sorted({each.port.speed for each, _ in links})
            if len(speeds) > 1:
                text = f"{name} has links of different speeds: {' and '.join(map(str, speeds))}"
                self.tally.add("unlike links", text, links[0][1])
        return self.tally.result()

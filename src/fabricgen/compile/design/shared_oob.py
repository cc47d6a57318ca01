"""Design management ports and their VRF on the leafs of a fabric with tenants.

Racks are cabled to it as to an access fabric. Its VLANs are numbered with the tenants', so one id
belongs to one of them alone. No tenant is attached to a management port, because those are other
sets.
"""

from collections.abc import Sequence
from dataclasses import replace

from fabricgen.compile.design.edge.peers import with_ways_out
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.managed_ports import managed_overlay, managed_ports
from fabricgen.compile.design.managing import Managing, filled, judge_servers, managing
from fabricgen.compile.design.racks import SWITCHES
from fabricgen.compile.design.vrfs import vrf_clashes
from fabricgen.compile.design.wiring.frontend import Wired
from fabricgen.compile.design.wiring.sockets import Leafs, Plugged, Sockets
from fabricgen.compile.design.zones.management import managed_zones
from fabricgen.core.diagnostics import Code, Stop, did_you_mean
from fabricgen.core.record import record
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import Intent
from fabricgen.model.fabric.managed import BEYOND
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Topology


@record(kw_only=True)
class Beside:
    """Management ports on a fabric with tenants.

    wired: the topology with them. plugged: the ports.
    """

    mine: Managing
    wired: Wired
    plugged: Plugged

    def joined(self, fabric: Fabric, intent: Intent, findings: Findings) -> Fabric | None:
        """Return the fabric of the tenants with the VRF of management; None for no whole one."""
        with findings.going_on():
            overlay = self._overlay(fabric, intent, findings)
            managed = managed_ports(self.mine, self.plugged, overlay, 0, findings)
            self._warn_of_itself(findings)
        return replace(fabric, overlay=overlay, managed=managed) if findings.whole else None

    def _overlay(self, fabric: Fabric, intent: Intent, findings: Findings) -> Overlay:
        mine, subnet, tenants = self.mine, intent.site.management.subnet, fabric.overlay
        assert tenants is not None
        own = managed_overlay(mine, subnet, fabric.services, self.plugged.vlans, findings)
        _judge_apart(tenants, own, mine, findings)
        both = replace(
            tenants,
            vrfs={**tenants.vrfs, **own.vrfs},
            vlans=dict(sorted({**tenants.vlans, **own.vlans}.items())),
            ports={
                leaf: {**tenants.ports.get(leaf, {}), **own.ports.get(leaf, {})}
                for leaf in {**tenants.ports, **own.ports}
            },
            rules=tenants.rules if tenants.vlans else own.rules,
        )
        both = with_ways_out(both, mine, self.wired, fabric.routing, findings)
        return managed_zones(mine, both, intent, findings)

    def _warn_of_itself(self, findings: Findings) -> None:
        """Report which switches are managed through the fabric that they are."""
        own = [switch.name for switch in self.wired.topology.switches]
        through = [name for name in own if f"{name}-mgmt" in self.plugged.servers]
        if through:
            more = f" and {len(through) - 1} more" if through[1:] else ""
            findings.warn(
                Code.SINGLE_POINT,
                f"{through[0]}{more} of {self.mine.fabric.name} can be managed only while the "
                "fabric works, because their management ports are on its leafs",
                self.mine.here,
                "add consoles on another path, or use a fabric of kind access",
            )


def beside_tenants(
    others: Sequence[Fabric], intent: Intent, words: Frontend, wired: Wired, findings: Findings
) -> Beside | None:
    """Cable the racks to the cages that leafs keep for management ports, or stop; None for none."""
    mine, oob, switches = managing(words), words.oob, wired.topology.switches
    if mine is None or oob is None:
        return None
    for group in sorted(oob.cages.keys() - wired.faces.keys()):
        raise findings.stop(
            Code.UNKNOWN_REFERENCE,
            f"no leaf group {group!r}",
            mine.at("cages", group),
            did_you_mean(group, wired.faces),
        )
    findings.attempt(lambda: judge_servers(mine, intent, findings))
    leafs = {leaf.index: leaf for leaf in switches if leaf.is_leaf}
    kept = {number: len(wired.faces[leaf.group].managed) for number, leaf in leafs.items()}
    names = [switch.name for switch in switches]
    if not oob.external and not any(each.ports.vlan == SWITCHES for each in words.managed):
        findings.warn(
            Code.INTENT_WITHOUT_LINES,
            f"the VRF {oob.vrf} has no connection: it has no `external`, and no server has a port "
            f"in its VLAN {SWITCHES}",
            mine.here,
            "add `external`, or a management station with `vlan: switches`",
        )
    racks = filled(mine, others, intent, lambda _racks, _trial: names, findings)
    those = Leafs(
        noun="leaf",
        ports=lambda number: kept.get(number, 0),
        numbers=[number for number, ports in kept.items() if ports],
    )
    sockets = Sockets(managing=mine, leafs=those, findings=findings)
    sockets.fill(racks)
    if not findings.whole:
        raise Stop
    plugged = sockets.plugged(leafs, lambda leaf: wired.faces[leaf.group].managed, BEYOND)
    joined = wired._replace(topology=_joined(wired.topology, plugged))
    return Beside(mine=mine, wired=joined, plugged=plugged)


def _joined(topology: Topology, plugged: Plugged) -> Topology:
    """Return a topology with the management ports; a server of both is one object."""
    known = {server.name for server in topology.servers}
    more = (server for name, server in plugged.servers.items() if name not in known)
    return replace(
        topology,
        servers=(*topology.servers, *more),
        links=(*plugged.links, *topology.links),
        places={**topology.places, **plugged.places},
    )


def _judge_apart(tenants: Overlay, own: Overlay, mine: Managing, findings: Findings) -> None:
    """Report numbers and names that a tenant has as well: both would be one network."""
    for vlan in own.vlans.values():
        other = tenants.vlans.get(vlan.id)
        if other is not None:
            sentence = f"the VLAN id {vlan.id} is also used by {other.tenant}/{other.name}"
            findings.spoil(Code.DUPLICATE_ID, sentence, (*vlan.because.main, "id"))
    for vrf in own.vrfs.values():
        for theirs, sentence in vrf_clashes(vrf.name, vrf.id, tenants.vrfs.values()):
            here = mine.at("vrf" if theirs.name == vrf.name else "id")
            findings.spoil(Code.DUPLICATE_ID, sentence, here)

"""Finds what has no redundant path while switches are drained, and which ports stay shut."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.state import State
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Switch

_NAMED = 3  # servers


def redundant_switches(fabric: Fabric, switch: Switch) -> frozenset[str]:
    """Return the other switches of its tier, plane and pod, in any state."""
    place = switch.role, switch.plane, switch.pod
    return frozenset(
        each.name
        for each in fabric.topology.switches
        if (each.role, each.plane, each.pod) == place and each is not switch
    )


def traffic_without_path(fabric: Fabric, switch: Switch, away: Collection[str]) -> str:
    """Return the traffic that depends on a switch as a sentence; empty if there is none.

    `away`: switches that provide no redundancy.
    """
    if not switch.is_leaf:
        return (
            ""
            if redundant_switches(fabric, switch).difference(away)
            else "no switch is redundant with it"
        )
    links = fabric.topology.links_at[switch.name]
    servers = [it for it in links if it.to_server and it.standing is None]
    alone = [it.lower.name for it in servers if not _elsewhere(fabric, it, away)]
    reasons = [f"{_listed([*dict.fromkeys(alone)])} no bond with another active leaf"] * bool(alone)
    overlay = fabric.overlay
    if overlay is not None and overlay.external.get(switch.name):
        reasons.append("external routes have no other path")
    if overlay is not None and switch.name in overlay.gateways:
        reasons.append("routes of another site have no other path")
    return "; ".join(reasons)


def waits(
    fabric: Fabric, switch: Switch, link: Link, drained: Provenance | None
) -> Provenance | None:
    """Return the reason why a switch keeps its port of a link shut, if it does.

    Either the link or its remote switch is planned, or the switch is a `drained` leaf and the
    server has a bond to another leaf. LACP then moves traffic from the server, and EVPN traffic to
    it.
    """
    if link.standing is not None and link.standing.state is State.PLANNED:
        return link.standing.because
    other = link.upper if link.lower is switch else link.lower
    if isinstance(other, Switch):
        comes = fabric.in_state(other.name, State.PLANNED)
        return comes.because if comes is not None else None
    return drained if drained and _elsewhere(fabric, link, fabric.idle) else None


def waiting_port(port: Interface, why: Provenance) -> Interface:
    """Return a port that is shut until another switch is installed, or its own returns."""
    paths, rule = (*why.paths, *port.because.paths), f"{why.rule}, so the port waits"
    return replace(port, shut=True, because=Provenance(paths, f"{rule}; {port.because.rule}"))


def _elsewhere(fabric: Fabric, link: Link, away: Collection[str]) -> bool:
    """Return whether the bond of a server port has ports on another active leaf.

    Without a bond the server's traffic does not move to another port.
    """
    port = link.lower_port
    if not isinstance(port, Nic) or port.bond == "none":
        return False
    links = fabric.topology.links_at[link.lower.name]
    homes = {it.upper.name for it in links if getattr(it.lower_port, "network", "") == port.network}
    return bool(homes.difference(away, (link.upper.name,)))


def _listed(names: Sequence[str]) -> str:
    """Return the first of some servers as text: h1, h2, h3 and 4 more have."""
    more = len(names) - _NAMED
    if more > 0:
        return f"{', '.join(names[:_NAMED])} and {more:,} more have"
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'}"

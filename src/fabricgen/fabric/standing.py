"""A fabric and the states of its switches in; what stands in for one, and which ports wait, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.state import Standing, State
from fabricgen.fabric.topology import Nic, Switch

if TYPE_CHECKING:
    from fabricgen.fabric.switch import Fabric
    from fabricgen.fabric.topology import Link


def stand_ins(fabric: Fabric, switch: Switch) -> frozenset[str]:
    """Return the other switches of its tier, plane and pod, whatever their state."""
    place = switch.role, switch.plane, switch.pod
    return frozenset(
        each.name
        for each in fabric.topology.switches
        if (each.role, each.plane, each.pod) == place and each is not switch
    )


def elsewhere(fabric: Fabric, link: Link) -> bool:
    """Tell whether the bond that a port of a server is in has ports on another leaf that works.

    Without a bond nothing moves what the server sends to another of its ports.
    """
    port = link.lower_port
    if not isinstance(port, Nic) or port.bond == "none":
        return False
    links = fabric.topology.links_at[link.lower.name]
    homes = {it.upper.name for it in links if getattr(it.lower_port, "network", "") == port.network}
    return bool(homes - fabric.idle - {link.upper.name})


def waits(fabric: Fabric, switch: Switch, link: Link) -> Standing | None:
    """Return the standing for which a switch keeps its port of a link shut.

    Of a switch at the other end that is to come; or its own, of a drained leaf, where a bond of the
    server has another leaf: LACP moves what that sends, and EVPN what it is sent.
    """
    other = link.upper if link.lower is switch else link.lower
    if isinstance(other, Switch):
        return fabric.in_state(other.name, State.PLANNED)
    own = fabric.in_state(switch.name, State.DRAINED)
    return own if own is not None and elsewhere(fabric, link) else None

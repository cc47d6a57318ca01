"""The output of the script in, one look at the switch out; what could not be read is a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.facts import Vni
from fabricgen.fabric.observed import Observed, Part
from fabricgen.nos.linux.show import interfaces, queues
from fabricgen.nos.shared import lldp
from fabricgen.nos.shared.documents import VTYSH, Look
from fabricgen.nos.shared.frr import show as routing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.fabric.facts import Announced, Device, Routed

_VNIS, _BGP, _EVPN, _BFD = VTYSH


def parse(output: str) -> Observed:
    """Return what the output of the script says."""
    look: Look[Part] = Look(output)
    devices = look.json(Part.INTERFACES, "addresses", [])
    found = look.json(Part.INTERFACES, "addresses", [], interfaces.interfaces)
    found = look.json(Part.BRIDGE, "vlans", [], lambda ports: interfaces.bridged(found, ports))
    filters = look.text(Part.FILTERS, "filters", lambda said: queues.by_port(said.text), {})
    return Observed(
        interfaces=found,
        vrfs=interfaces.vrfs(devices),
        sessions=look.json(Part.BGP, _BGP, {}, routing.sessions),
        bfd=look.json(Part.BFD, _BFD, [], routing.bfd),
        vnis=_vnis(
            interfaces.tunnels(devices, found),
            look.json(Part.VNIS, _VNIS, [], routing.routed),
            look.json(Part.EVPN, _EVPN, {}, routing.announced),
        ),
        neighbours=look.json(Part.LLDP, "lldp", {}, lldp.neighbours),
        routes=look.json(Part.ROUTES, "routes", [], routing.routes),
        queues=look.json(Part.QUEUES, "queues", [], lambda said: queues.observed(said, filters)),
        unread=look.unread,
    )


def _vnis(
    devices: Mapping[int, Device], routed: Mapping[int, Routed], announced: Mapping[int, Announced]
) -> dict[int, Vni]:
    numbers = sorted(devices.keys() | routed.keys() | announced.keys())
    return {
        n: Vni(vni=n, device=devices.get(n), routed=routed.get(n), announced=announced.get(n))
        for n in numbers
    }

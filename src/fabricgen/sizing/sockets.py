"""A link in; the two cages that it joins, and how each is used, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.catalog.optics import Socket, modes_of
from fabricgen.fabric.topology import Nic, Port, Switch

if TYPE_CHECKING:
    from fabricgen.fabric.switch import Fabric
    from fabricgen.fabric.topology import Link


def socket_of(switch: Switch, port: Port) -> Socket:
    """Return the cage of a switch's port, and how it is used."""
    form = switch.model.cages[port.cage - 1].form
    return Socket(forms=(form,), modes=(f"{port.subs}x{port.speed}",))


def far_socket(fabric: Fabric, link: Link) -> Socket | None:
    """Return the lower end; None where nobody says what card a server has, or its cage."""
    if isinstance(link.lower, Switch):
        assert isinstance(link.lower_port, Port)
        return socket_of(link.lower, link.lower_port)
    assert isinstance(link.lower_port, Nic)
    plan = fabric.plan_of(link.lower, link.lower_port.network)
    model = plan.model if plan is not None else None
    forms = model.cages.get(plan.ports, ()) if plan is not None and model is not None else ()
    return Socket(forms=forms, modes=modes_of(link.speed)) if forms else None

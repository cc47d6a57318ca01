"""Lowers the slice of one switch to the view of its EOS configuration file."""

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.eos.interfaces import interfaces_of, ports_of, tracking_of
from fabricgen.nos.eos.memory import memory_of
from fabricgen.nos.eos.mlag import mlag_of
from fabricgen.nos.eos.monitoring import ptp_of
from fabricgen.nos.eos.qos import maps_of, policies_of, profiles_of
from fabricgen.nos.eos.routing import routing_of
from fabricgen.nos.eos.system import basis_of, services_of
from fabricgen.nos.eos.tenancy import snooping_of, tenancy_of
from fabricgen.nos.eos.view import EosView
from fabricgen.nos.eos.view.system import Reason, System
from fabricgen.nos.nos import Spell


def view_of(piece: SwitchSlice, spell: Spell) -> EosView:
    """Return the sections of one switch."""
    switch = piece.switch
    services = services_of(piece.services, basis_of(piece), piece.switch.release)
    memory = memory_of(piece)
    return EosView(
        system=System(
            because=switch.because,
            hostname=switch.name,
            services=services,
            tracking=tracking_of(piece),
            recovery=piece.recovery,
            snooping=snooping_of(piece.vlans),
            memory=memory,
            relay=next((Reason(each.because) for each in piece.relays if each.version == 4), None),
        ),
        services=services,
        ptp=ptp_of(piece),
        profiles=profiles_of(piece),
        maps=maps_of(piece.qos) if piece.qos is not None else None,
        policies=policies_of(piece),
        tenancy=tenancy_of(piece, services),
        ports=ports_of(piece, spell),
        interfaces=interfaces_of(piece),
        routing=routing_of(piece, spell),
        mlag=mlag_of(piece),
        memory=memory,
    )

"""Lower the slice of one switch to the view of its EOS configuration file."""

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


def view_of(switch_slice: SwitchSlice, spell: Spell) -> EosView:
    switch = switch_slice.switch
    services = services_of(
        switch_slice.services, basis_of(switch_slice), switch_slice.switch.release
    )
    memory = memory_of(switch_slice)
    return EosView(
        system=System(
            because=switch.because,
            hostname=switch.name,
            services=services,
            tracking=tracking_of(switch_slice),
            recovery=switch_slice.recovery,
            snooping=snooping_of(switch_slice.vlans),
            memory=memory,
            relay=next(
                (Reason(each.because) for each in switch_slice.relays if each.version == 4), None
            ),
        ),
        services=services,
        ptp=ptp_of(switch_slice),
        profiles=profiles_of(switch_slice),
        maps=maps_of(switch_slice.qos) if switch_slice.qos is not None else None,
        policies=policies_of(switch_slice),
        tenancy=tenancy_of(switch_slice, services),
        ports=ports_of(switch_slice, spell),
        interfaces=interfaces_of(switch_slice),
        routing=routing_of(switch_slice, spell),
        mlag=mlag_of(switch_slice),
        memory=memory,
    )

"""The output of the script in, one look at the switch out; what could not be read is a value."""

from fabricgen.nos.linux.show import interfaces, queues
from fabricgen.nos.shared import lldp
from fabricgen.nos.shared.documents import VTYSH, Look
from fabricgen.nos.shared.frr import show as routing
from fabricgen.nos.show import Observed, Part
from fabricgen.tree.facts import Facts, merged

_VNIS, _, _BGP, _EVPN, _BFD = VTYSH


def parse(output: str) -> Observed:
    """Return what the output of the script says."""
    look: Look[Part] = Look(output)
    facts: Facts = look.json(Part.INTERFACES, "addresses", [], interfaces.interfaces)
    look.json(Part.BRIDGE, "vlans", [], lambda ports: interfaces.bridged(facts, ports))
    filters = look.text(Part.FILTERS, "filters", lambda shown: queues.by_port(shown.text), {})
    for part, asked, empty, read in (
        (Part.BGP, _BGP, {}, routing.sessions),
        (Part.BFD, _BFD, [], routing.bfd),
        (Part.VNIS, _VNIS, [], routing.routed),
        (Part.EVPN, _EVPN, {}, routing.announced),
        (Part.LLDP, "lldp", {}, lldp.neighbours),
        (Part.ROUTES, "routes", [], routing.routes),
        (Part.QUEUES, "queues", [], lambda shown: queues.observed(shown, filters)),
    ):
        for key, own in look.json(part, asked, empty, read).items():
            facts[key] = merged(facts.get(key, {}), own)
    pulses = look.json(Part.BGP, _BGP, {}, routing.pulses)
    return Observed(facts=facts, pulses=pulses, unread=look.unread)

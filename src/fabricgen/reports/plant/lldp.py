"""A designed site in; which neighbour LLDP must show at each port of each switch, as JSON, out.

They are the neighbours that `fabricgen verify` compares with what it hears. Ports to the outside
are left out: who is there is not known here.
"""

import json
from collections import defaultdict
from collections.abc import Mapping

from fabricgen.fabric.switch import Site
from fabricgen.fabric.topology import Switch
from fabricgen.nos.lowering import heard_in, spell

FORMAT = 1
Neighbour = tuple[str, str, bool]
"""Name, port, and whether it must be heard: servers need not speak LLDP."""


def neighbours(site: Site) -> Mapping[str, Mapping[str, Neighbour]]:
    """Return who is behind each port, by switch and interface."""
    heard = heard_in(site)
    behind: dict[str, dict[str, Neighbour]] = defaultdict(dict)
    for link in (link for fabric in site.fabrics for link in fabric.topology.links):
        above, upper, below, lower = link.upper, link.upper_port, link.lower, link.lower_port
        both = isinstance(below, Switch)
        behind[above.name][spell(above, upper)] = (*heard(below, lower), both)
        if both:
            behind[below.name][spell(below, lower)] = (*heard(above, upper), True)
    return behind


def lldp(site: Site) -> str:
    """Return the neighbours as JSON, a line for each port."""
    rows = (
        (name, ",\n".join(map(_line, ports.items()))) for name, ports in neighbours(site).items()
    )
    switches = ",\n".join(f"  {json.dumps(name)}: {{\n{ports}\n  }}" for name, ports in rows)
    head = f'"format_version": {FORMAT},\n "site": {json.dumps(site.name)},\n "switches"'
    return f"{{{head}: {{\n{switches}\n }}}}\n"


def _line(port: tuple[str, Neighbour]) -> str:
    interface, (name, at, required) = port
    told = {"neighbour": name, "port": at, "required": required}
    return f"   {json.dumps(interface)}: {json.dumps(told)}"

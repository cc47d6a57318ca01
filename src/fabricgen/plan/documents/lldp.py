"""A designed site in; which neighbour LLDP must show at each port of each switch, as JSON, out.

They are the neighbours that `fabricgen verify` compares with what it hears. Ports to the outside
are left out: who is there is not known here.
"""

import json
from collections import defaultdict
from collections.abc import Mapping

from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Switch
from fabricgen.nos.lowering import heard_in, spell

FORMAT = 1
Neighbour = tuple[str, str, bool]
"""Name, port, and whether it must be heard: not a server, nor what is planned or dead."""


def neighbours(site: Site) -> Mapping[str, Mapping[str, Neighbour]]:
    """Return who is behind each port, by switch and interface."""
    heard = heard_in(site)
    behind: dict[str, dict[str, Neighbour]] = defaultdict(dict)
    every = ((fabric, link) for fabric in site.fabrics for link in fabric.topology.links)
    for fabric, link in every:
        above, upper, below, lower = link.upper, link.upper_port, link.lower, link.lower_port
        both = isinstance(below, Switch)
        speaks = both and _runs(fabric, link)
        behind[above.name][spell(above, upper)] = (*heard(below, lower), speaks)
        if both:
            behind[below.name][spell(below, lower)] = (*heard(above, upper), speaks)
    return behind


def _runs(fabric: Fabric, link: Link) -> bool:
    """Tell whether a cable and both of its switches are there."""
    there = link.standing is None or link.standing.runs
    return there and fabric.absent.isdisjoint((link.upper.name, link.lower.name))


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

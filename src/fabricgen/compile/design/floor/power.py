"""The floor in; each type of racks of which one may draw more watts than it has, said, out.

Counted is the largest draw: of switches with all that their cages may, and of servers what the
intent says. What has no watts is counted as none, and the bill names it.
"""

from collections import defaultdict

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import counted
from fabricgen.model.fabric.floor import Floor, Stand


def judge_power(floor: Floor, findings: Findings) -> None:
    """Say of each type the first rack whose power is not enough."""
    held: dict[str, list[Stand]] = defaultdict(list)
    for stand in floor.stands.values():
        held[stand.rack.name].append(stand)
    told: set[str] = set()
    for rack in floor.racks:
        watts = sum(stand.watts or 0 for stand in held[rack.name])
        if rack.watts is None or watts <= rack.watts or rack.type in told:
            continue
        told.add(rack.type)
        silent = sum(stand.watts is None for stand in held[rack.name])
        more = f", and {counted(silent, 'thing')} without known watts" if silent else ""
        findings.error(
            Code.RACK_POWER,
            f"what rack {rack.name} holds may draw {watts:,} W{more}; it has {rack.watts:,} W",
            (*rack.path, "power"),
            "fewer servers or switches in each, or racks with more power",
        )

"""Write the alert rules of the links between sites: silent ports, and ports near their rate."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fabricgen.core.record import record
from fabricgen.model.fabric.circuits import Circuit
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.lowering import spell
from fabricgen.nos.telemetry import RECEIVED, SENT, Telemetry
from fabricgen.operate.export.rule import Rule

BUSY = 0.8
"""Share of the rate of a link above which a rule reports it."""


class _Series(NamedTuple):
    """Metrics of one port: one that is not zero while it is up, and its sent bytes."""

    down: str
    sent: str


@record(kw_only=True)
class Reached:
    """Switches with metrics: by gNMI with their platform, and by SNMP with their address."""

    streamed: Mapping[str, Telemetry]
    polled: Mapping[str, str]

    def series(self, switch: Switch, port: Port) -> _Series | None:
        """Return the metrics of a port; None if nothing collects them.

        The sessions on a link between sites always send packets, so a silent port is down.
        """
        telemetry, name = self.streamed.get(switch.name), spell(switch, port)
        if telemetry is not None and all(telemetry.has(each) for each in (RECEIVED, SENT)):
            spelled = telemetry.spelled(switch, port) if telemetry.spelled is not None else name
            on = f'{{source="{switch.name}",{telemetry.port_label}="{spelled}"}}'
            return _Series(f"rate({RECEIVED}{on}[5m]) == 0", f"rate({SENT}{on}[15m])")
        address = self.polled.get(switch.name)
        if address is None:
            return None
        on = f'{{instance="{address}",ifDescr="{name}"}}'
        return _Series(f"ifOperStatus{on} != 1", f"rate(ifHCOutOctets{on}[15m])")


def site_link_rules(site: Site, reached: Reached) -> Iterator[Rule]:
    """Yield the rules of each link between sites whose ports have metrics."""
    switches = {each.name: each for fabric in site.fabrics for each in fabric.topology.switches}
    for circuit in site.circuits.values():
        ports = [
            series
            for end in circuit.ends.values()
            for port in end.ports
            if (series := reached.series(switches[end.leaf], port)) is not None
        ]
        if ports:
            yield from _rules(circuit, ports)


def _rules(circuit: Circuit, ports: Sequence[_Series]) -> Iterator[Rule]:
    one, other = circuit.fabrics
    number = f" ({circuit.number})" if circuit.number else ""
    what = f"link {circuit.name}{number} between {one} and {other}"
    labels = {"link": circuit.name, **({"circuit": circuit.number} if number else {})}
    down = " or ".join(each.down for each in ports)
    yield Rule("SiteLinkDown", down, 2, f"{what}: no packets arrive", labels)
    if circuit.rate is not None:
        share = int(circuit.rate) / max(len(end.ports) for end in circuit.ends.values())
        busy = " or ".join(f"{each.sent} * 8 > {BUSY * share:.0f}" for each in ports)
        says = f"{what}: a port sends more than {BUSY:.0%} of its rate"
        yield Rule("SiteLinkBusy", busy, 15, says, labels)

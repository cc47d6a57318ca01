"""What the compute side of a storage fabric needs, and its sizes, in; more than there is, said."""

from collections.abc import Iterator

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.routed_size import RoutedSize, SideSize
from fabricgen.core.diagnostics import Code
from fabricgen.intent.model.routed import Demand, Routed

_GIGABYTE = 8e9  # bits


def judge_demand(words: Routed, size: RoutedSize, findings: Findings) -> None:
    """Compare the demand with the links of both sides: as they are, and as growth has them."""
    demand = words.demand
    if demand is None:
        return
    sides = {side.name: side for side in size.sides}
    if len(sides) < 2:
        sentence = "the compute side asks, the storage side answers; one of the two is not there"
        findings.error(Code.MISSING_KEY, sentence, words.at("demand"), "add it to `sides`")
        return
    bought = {name: side.words.seated.count for name, side in sides.items()}
    grown = {name: side.servers for name, side in sides.items()}
    for servers, spines, when in ((bought, size.spines, ""), (grown, size.slots, ", with growth")):
        asking = servers["compute"]
        need = demand.rate * asking / demand.servers
        short = [
            (carried, f"{told} = {carried:,.6g} GB/s")
            for side in size.sides
            for carried, told in _carried(side, servers[side.name], spines, size.slots)
            if carried < need
        ]
        if short:
            carried, told = min(short)
            findings.error(
                Code.DEMAND_ABOVE_CAPACITY,
                f"{_asked(demand, asking)} = {need:,.6g} GB/s{when}; {told}",
                words.at("demand", "rate"),
                f"at most `rate: {carried * demand.servers / asking:.6g}`, or more ports there",
            )
            return


def _asked(demand: Demand, servers: int) -> str:
    per = f" / {demand.servers}" if demand.servers > 1 else ""
    return f"{servers} compute servers{per} x {demand.rate:g} GB/s"


def _carried(side: SideSize, servers: int, spines: int, slots: int) -> Iterator[tuple[float, str]]:
    """Yield what a side carries one way, in GB/s of line rate: at its servers, above its leafs."""
    words, links = side.words.seated, side.uplinks // slots * spines
    leafs = side.leafs(servers)
    yield (
        servers * words.ports * words.speed / _GIGABYTE,
        f"{servers} {side.name} servers x {words.ports} x {words.speed}",
    )
    yield (
        leafs * links * side.speed / _GIGABYTE,
        f"{leafs} {side.name} leafs x {links} uplinks x {side.speed}",
    )

"""A fabric and what the intent names in; everything that is to fail, one after the other, out."""

from collections.abc import Iterable, Iterator

from fabricgen.fabric.between import Outward
from fabricgen.fabric.survive import Fails, Together
from fabricgen.fabric.switch import Fabric
from fabricgen.fabric.topology import Link, Server
from fabricgen.record import record


@record(eq=False, kw_only=True)
class Failure:
    """What fails at once, and what people call it. cables: of those between sites.

    idle: switches that carried nothing before.
    """

    kind: Fails
    name: str
    switches: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    cables: tuple[Outward, ...] = ()
    idle: tuple[str, ...] = ()

    @property
    def gone(self) -> tuple[str, ...]:
        """Return all switches that carry nothing."""
        return (*self.switches, *self.idle)


def singles(fabric: Fabric) -> Iterator[Failure]:
    """Yield each switch, then each link, of those that carry traffic."""
    idle = tuple(sorted(fabric.idle))
    for switch in fabric.topology.switches:
        if switch.name not in fabric.idle:
            kind, one = Fails(switch.role.value), (switch.name,)
            yield Failure(kind=kind, name=switch.name, switches=one, idle=idle)
    for link in fabric.topology.links:
        if fabric.idle.isdisjoint((link.lower.name, link.upper.name)):
            kind = Fails.SERVER_LINK if isinstance(link.lower, Server) else Fails.LINK
            yield Failure(kind=kind, name=named(link), links=(link,), idle=idle)


def named(link: Link) -> str:
    """Return both ends of a link, as the model has them."""
    below, above = link.lower, link.upper
    return f"{below.name}:{link.lower_port.label} -- {above.name}:{link.upper_port.label}"


def together(fabric: Fabric, named_in_intent: Iterable[Together]) -> Iterator[Failure]:
    """Yield what the intent names, as far as it is of this fabric."""
    ports = ports_of(fabric)
    mine = {switch.name for switch in fabric.topology.switches}
    for each in named_in_intent:
        switches = tuple(name for name in each.switches if name in mine)
        links = tuple(ports[port] for port in each.ports if port in ports)
        if switches or links:
            idle = tuple(sorted(fabric.idle.difference(switches)))
            name, kind = each.name, each.kind
            yield Failure(kind=kind, name=name, switches=switches, links=links, idle=idle)


def ports_of(fabric: Fabric) -> dict[tuple[str, str], Link]:
    """Return the link at each port of a switch, by switch and label."""
    ends = {}
    for link in fabric.topology.links:
        ends[link.upper.name, link.upper_port.label] = link
        ends[link.lower.name, link.lower_port.label] = link
    return ends

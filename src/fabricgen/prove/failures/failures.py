"""Lists the failures to simulate in a fabric: switches, links and joint failures of the intent."""

from collections.abc import Iterable, Iterator

from fabricgen.core.record import record
from fabricgen.model.fabric.between import Outward
from fabricgen.model.fabric.failures import Fails, Together
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Server


@record(eq=False, kw_only=True)
class Failure:
    """Elements that fail together, and their name. `cables`: cables between sites.

    `idle`: switches that carried nothing before. `dark`: links that carried nothing before.
    """

    kind: Fails
    name: str
    switches: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    cables: tuple[Outward, ...] = ()
    idle: tuple[str, ...] = ()
    dark: tuple[Link, ...] = ()

    @property
    def gone(self) -> tuple[str, ...]:
        """Return all switches that carry nothing."""
        return (*self.switches, *self.idle)

    @property
    def cut(self) -> tuple[Link, ...]:
        """Return all links that carry nothing."""
        return (*self.links, *self.dark)


def dark_of(fabric: Fabric) -> tuple[Link, ...]:
    """Return the links between switches that carry nothing due to their state.

    Absent servers belong to no group (groups.py).
    """
    return tuple(it for it in fabric.topology.links if it.standing is not None and not it.to_server)


def singles(fabric: Fabric) -> Iterator[Failure]:
    """Yield each switch, then each link, of those that carry traffic."""
    idle, dark = tuple(sorted(fabric.idle)), dark_of(fabric)
    for switch in fabric.topology.switches:
        if switch.name not in fabric.idle:
            kind, one = Fails(switch.role.value), (switch.name,)
            yield Failure(kind=kind, name=switch.name, switches=one, idle=idle, dark=dark)
    for link in fabric.topology.links:
        ends = (link.lower.name, link.upper.name)
        if link.standing is None and fabric.idle.isdisjoint(ends):
            kind = Fails.SERVER_LINK if isinstance(link.lower, Server) else Fails.LINK
            yield Failure(kind=kind, name=named(link), links=(link,), idle=idle, dark=dark)


def named(link: Link) -> str:
    """Return both ends of a link, as the model names them."""
    below, above = link.lower, link.upper
    return f"{below.name}:{link.lower_port.label} -- {above.name}:{link.upper_port.label}"


def together(fabric: Fabric, named_in_intent: Iterable[Together]) -> Iterator[Failure]:
    """Yield the joint failures of the intent, as far as they concern this fabric."""
    ports = ports_of(fabric)
    mine, still = {switch.name for switch in fabric.topology.switches}, dark_of(fabric)
    for each in named_in_intent:
        switches = tuple(name for name in each.switches if name in mine)
        links = tuple(ports[port] for port in each.ports if port in ports)
        dark = tuple(link for link in still if link not in links)
        if switches or links:
            idle = tuple(sorted(fabric.idle.difference(switches)))
            name, kind = each.name, each.kind
            yield Failure(
                kind=kind, name=name, switches=switches, links=links, idle=idle, dark=dark
            )


def ports_of(fabric: Fabric) -> dict[tuple[str, str], Link]:
    """Return the link at each port of a switch, by switch and label."""
    ends = {}
    for link in fabric.topology.links:
        ends[link.upper.name, link.upper_port.label] = link
        ends[link.lower.name, link.lower_port.label] = link
    return ends

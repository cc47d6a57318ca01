"""Switches, links and classes of no site in particular, to ask the fabric's words about."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.fabric.topology import Link, Port, Role, Server, Switch

WHY = Provenance((("backend",),), "for a test")
FAST = BitsPerSecond.parse("400G")


def port(cage: int = 1, sub: int = 0, subs: int = 1) -> Port:
    """Return one interface of a cage."""
    return Port(cage=cage, sub=sub, subs=subs, lane=0, lanes=4, speed=FAST)


def switch(role: Role, ordinal: int, pod: int = 1) -> Switch:
    """Return the switch of a role with that ordinal."""
    return Switch(
        name=f"{role}{ordinal}",
        fabric="backend",
        role=role,
        plane=1,
        pod=pod,
        unit=1,
        index=1,
        ordinal=ordinal,
        model=SHIPPED.known("7060X6-64PE"),
        platform="eos",
        release="",
        ports=(port(),),
        rails=(),
        group="leaf",
        because=WHY,
    )


def server(number: int = 1) -> Server:
    """Return a server of the first unit."""
    return Server(name=f"gpu{number}", kind="", number=number, because=WHY)


def link(lower: Switch | Server, upper: Switch, slot: int = 0) -> Link:
    """Return a cable between two of them."""
    return Link(
        lower=lower,
        lower_port=port(),
        upper=upper,
        upper_port=port(2),
        speed=FAST,
        length=Meters(5),
        slot=slot,
        because=WHY,
    )

"""Chooses the optics, or the cable with fixed ends, for two ports and a length."""

from collections.abc import Iterator, Mapping, Sequence

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.cabling.lengths import Length
from fabricgen.model.catalog.optics import MediaOption, Optic, Socket, connectors, modes_of, ways
from fabricgen.model.fabric.floor import Media
from fabricgen.model.fabric.hosts import HostPlan
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Port, Switch

NAMES: Mapping[str, str] = {
    "copper": "twisted-pair",
    "DAC": "copper",
    "ACC": "active-copper",
    "AEC": "active-copper",
    "AOC": "AOC",
}
"""The intent's name of a cable medium, by its kind; for fiber, by the kind of fiber."""
TWINAX = frozenset({"copper", "active-copper"})
COPPER = TWINAX | {"twisted-pair"}


def socket_of(switch: Switch, port: Port) -> Socket:
    """Return the cage of a switch port, and its mode."""
    form = switch.model.cages[port.cage - 1].form
    return Socket(forms=(form,), modes=(f"{port.subs}x{port.speed}",))


@record()
class Place:
    """Location of a port: its cage, its index there from 0, and the ports that share the cage."""

    cage: int | str
    sub: int
    subs: int


def place_of(port: Port) -> Place:
    """Return the place of a switch's port."""
    return Place(port.cage, port.sub, port.subs)


def far_place(fabric: Fabric, link: Link) -> Place:
    """Return the place of the lower end; server ports share a cage if the catalog says so."""
    nic = link.lower_port
    if isinstance(nic, Port):
        return place_of(nic)
    subs = _shared(_plan(fabric, link))
    if subs == 1:
        return Place(nic.label, 0, 1)
    cage, place = divmod(nic.port - 1, subs)
    return Place(f"{nic.network} {nic.rail} {cage}", place, subs)


def _network(link: Link) -> str:
    return link.lower_port.network if isinstance(link.lower_port, Nic) else ""


def _plan(fabric: Fabric, link: Link) -> HostPlan | None:
    if isinstance(link.lower, Switch) or isinstance(link.lower_port, Port):
        return None
    return fabric.plan_of(link.lower, link.lower_port.network)


def _shared(plan: HostPlan | None) -> int:
    model = plan.model if plan is not None else None
    return model.ports_per_cage.get(plan.ports, 1) if plan is not None and model is not None else 1


_MANAGED_SPEED = BitsPerSecond.parse("1G")


def far_socket(fabric: Fabric, link: Link) -> Socket | None:
    """Return the lower end; None if the card of the server, or its cage, is unknown.

    Management ports up to 1G are RJ45, as the BMCs of NVIDIA's DGX H100 (DGX SuperPOD H100
    RA-11333-001 V11, table 8).
    """
    if isinstance(link.lower, Switch):
        assert isinstance(link.lower_port, Port)
        return socket_of(link.lower, link.lower_port)
    managed = fabric.managed.ends if fabric.managed is not None else ()
    if link.speed <= _MANAGED_SPEED and (link.lower.name, _network(link)) in managed:
        return Socket(forms=("RJ45",), modes=(f"1x{link.speed}",))
    plan = _plan(fabric, link)
    model = plan.model if plan is not None else None
    forms = model.cages.get(plan.ports, ()) if plan is not None and model is not None else ()
    subs = _shared(plan)
    modes = modes_of(link.speed) if subs == 1 else (f"{subs}x{link.speed}",)
    return Socket(forms=forms, modes=modes) if forms else None


def medium(optic: Optic) -> str:
    """Return the intent's name for the medium of an optic or cable."""
    return NAMES.get(optic.kind, optic.media)


@record(kw_only=True)
class Wanted:
    """One type of cable: its ends, length and allowed media.

    `apart`: interfaces of one cage end in different cages, so a cable with fixed ends would have to
    split at one end only.
    """

    near: Socket
    far: Socket | None
    meters: float
    media: tuple[str, ...]
    policy: Media
    apart: bool


def chosen(wanted: Wanted, optics: Sequence[Optic]) -> MediaOption | None:
    """Return the chosen option: a named one first, then the first medium that reaches.

    Among several optics of a medium, choose the shortest sufficient reach and the fewest fibers.
    """
    fits = [way for way in _allowed(wanted, optics) if _reach(way, wanted) >= wanted.meters]
    return min(fits, key=lambda way: _rank(way, wanted), default=None)


def farthest(wanted: Wanted, optics: Sequence[Optic]) -> tuple[MediaOption, float] | None:
    """Return the allowed option with the longest reach, and its meters; None if none is known."""
    best = max(_allowed(wanted, optics), key=lambda way: _reach(way, wanted), default=None)
    return (best, _reach(best, wanted)) if best is not None else None


def _allowed(wanted: Wanted, optics: Sequence[Optic]) -> Iterator[MediaOption]:
    """Yield the options of the allowed media, for any length.

    Coherent optics are for lines between sites: inside a site, only the intent chooses one by name.
    """
    for way in ways(wanted.near, wanted.far, optics):
        whole = way.near.is_cable and len(way.near.cages) == 1
        usual = medium(way.near) in wanted.media and not (way.near.coherent or way.far.coherent)
        if not usual and not _named(way, wanted):
            continue
        if not (wanted.apart and whole):
            yield way


def _reach(way: MediaOption, wanted: Wanted) -> float:
    """Return the reach of an option in meters; for copper at most the limit in the intent."""
    limit = wanted.policy.copper
    if limit is None or medium(way.near) not in COPPER:
        return way.reach
    return min(way.reach, limit)


@record(kw_only=True)
class Shortfall:
    """A cable that is longer than each allowed medium. `way`, `reach`: the longest medium."""

    length: Length
    way: MediaOption
    reach: float

    @property
    def explanation(self) -> str:
        """Return the optics with the longest reach, and their meters."""
        near, far = self.way.near.name, self.way.far.name
        optics = near if near == far else f"{near} to {far}"
        return f"of the allowed media, {optics} has the longest reach, {self.reach:g} m"


def _named(way: MediaOption, wanted: Wanted) -> bool:
    return {way.near.name, way.far.name} <= set(wanted.policy.best)


def _rank(way: MediaOption, wanted: Wanted) -> tuple[object, ...]:
    best = wanted.policy.best
    named = best.index(way.near.name) if _named(way, wanted) else len(best)
    what = medium(way.near)
    order = wanted.media.index(what) if what in wanted.media else len(wanted.media)
    fibers = (way.near.fibers or 0) + (way.far.fibers or 0)
    mixed = way.near is not way.far and (unlike_fiber(way) or unlike_polish(way))
    return named, order, mixed, way.reach, fibers, way.near.name, way.far.name


def unlike_fiber(way: MediaOption) -> bool:
    """Return whether the optics at both ends need different fiber."""
    return way.near.media != way.far.media


def unlike_polish(way: MediaOption) -> bool:
    """Return whether equal plugs at both ends have different polish, APC and UPC."""
    (one, polish), (other, its) = (plug_kind(optic) for optic in (way.near, way.far))
    return polish != its and one == other


@record()
class Plug:
    """The plug at one end. `family`: MPO or LC. `fibers`: active fibers of each plug."""

    family: str
    polish: str
    fibers: int


def plug_of(optic: Optic) -> Plug | None:
    """Return the fiber plug of an optic: `2x MPO-12/APC` is two plugs."""
    if optic.connector is None or optic.fibers is None:
        return None
    return Plug(*plug_kind(optic), optic.fibers // connectors(optic)[0])


def plug_kind(optic: Optic) -> tuple[str, str]:
    """Return MPO or LC, and its polish: `2x MPO-12/APC` is MPO and APC."""
    name, _, polish = connectors(optic)[1].rpartition("/")
    return "LC" if name.endswith("LC") else "MPO", polish

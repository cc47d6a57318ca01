"""Defines the physical topology of a fabric: switches, servers, ports and links."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.pins import ServerPin
from fabricgen.model.fabric.state import Standing, State
from fabricgen.model.settings.ports import NO_SETTINGS, PortSet


class Role(StrEnum):
    """The tier of a switch."""

    LEAF = "leaf"
    SPINE = "spine"
    SUPERSPINE = "superspine"

    @property
    def tier(self) -> int:
        """Height above the servers: leaf 1, spine 2, superspine 3."""
        return _TIERS[self]


_TIERS = {role: number for number, role in enumerate(Role, 1)}


@record(eq=False, kw_only=True)
class Port:
    """One interface of a cage: `sub` of `subs` (0 of 1 if not split). Switches share it.

    `cage`: faceplate number from 1. `lane`: first lane from 0. `lanes`: lanes of this interface.
    """

    cage: int
    sub: int
    subs: int
    lane: int
    lanes: int
    speed: BitsPerSecond
    service: bool = False

    @property
    def label(self) -> str:
        """A vendor-neutral label: cage 3, or 3/2 for the second interface of a broken-out cage."""
        return str(self.cage) if self.subs == 1 else f"{self.cage}/{self.sub + 1}"


@record()
class PortNote:
    """Entry of a port in the intent. `state`: dead, reserved, or empty if it may have a cable."""

    state: str
    text: str
    because: Provenance


@record(kw_only=True)
class Nic:
    """One port of a server: the NIC of `rail` (from 1), its port number (from 1), its OS name.

    `rail`: 0 without a rail. `network`: its set of ports in `servers.KIND.ports`. `bond`: bond mode
    of that set: none, lacp or active-backup. Servers share it. `ptp`: client or grandmaster, if it
    uses PTP. `settings`: leaf settings of the set.
    """

    rail: int
    port: int
    name: str
    network: str
    bond: str = "none"
    ptp: str = ""
    settings: PortSet = NO_SETTINGS

    @property
    def label(self) -> str:
        """The interface name on the server."""
        return self.name


@record()
class Domain:
    """An MLAG pair of leafs. `first`: ordinal of the leaf whose ASN and tunnel endpoint count."""

    name: str
    first: int


@record(eq=False, kw_only=True)
class Switch:
    """One switch and its coordinates, all counted from 1; `ordinal` counts its role in the fabric.

    ordinal is a pure function of the coordinates, from 0: every address and ASN follows from it.
    `release`: of its platform, as the intent names it; empty for the platform's default. `domain`:
    the MLAG pair of a leaf, one object for both. `said`: its name in the intent, if different.
    """

    name: str
    fabric: str
    role: Role
    plane: int
    pod: int
    unit: int
    index: int
    ordinal: int
    model: SwitchModel
    platform: str
    release: str
    ports: tuple[Port, ...]
    rails: tuple[int, ...]
    group: str
    because: Provenance
    domain: Domain | None = None
    said: str = ""

    @property
    def key(self) -> str:
        """Return its name in the intent."""
        return self.said or self.name

    @property
    def shared(self) -> int:
        """Return the ordinal of values that the leafs of an MLAG pair share."""
        return self.ordinal if self.domain is None else self.domain.first

    @property
    def is_leaf(self) -> bool:
        """Return whether servers are attached here."""
        return self.role is Role.LEAF

    @property
    def laid_out(self) -> int:
        """Count the ports that may ever have a cable of the fabric, used or not.

        Lines that depend on a number of ports use this one, so a new cable does not change them.
        """
        return sum(not port.service for port in self.ports)


@record()
class Equipment:
    """Equipment of every server of a kind: its GPUs and the fabrics of its ports."""

    gpus: int
    fabrics: frozenset[str]


@record(eq=False, kw_only=True)
class Server:
    """Server of the site, the same object in every fabric; `number` counts its kind from 1.

    `kind`: its name in `servers`; empty if a fabric's `servers` key defines it. `tool`: network
    configuration tool, netplan, networkd or networkmanager. `standing`: of an absent server. `pin`:
    its overrides. `equipment`: None without a kind, and if the intent of the kind has an error.
    """

    name: str
    kind: str
    number: int
    because: Provenance
    tool: str = "netplan"
    standing: Standing | None = None
    pin: ServerPin | None = None
    equipment: Equipment | None = None


@record()
class Place:
    """Place of the ports of one network of a server in a fabric.

    `unit`: its scalable unit, or the number of its first leaf. `group`: leaf group. `index`: from
    1, on its leafs; with rails through all units.
    """

    unit: int
    group: str
    index: int


@record(eq=False, kw_only=True)
class Link:
    """One cable. `lower` is nearer to the servers. `slot` numbers the links of its kind, from 0.

    `place`: from 1, among the cables of its two switches; for a server, its place in its unit.
    `standing`: of a link that carries no traffic: planned, drained, or dead.
    """

    lower: Switch | Server
    lower_port: Port | Nic
    upper: Switch
    upper_port: Port
    speed: BitsPerSecond
    length: Meters
    slot: int
    because: Provenance
    place: int = 1
    standing: Standing | None = None

    @property
    def dead(self) -> bool:
        """Return whether it is dead, so that no command waits for it."""
        return self.standing is not None and self.standing.state is State.DEAD

    @property
    def drained(self) -> bool:
        """Return whether it runs but is drained."""
        return self.standing is not None and self.standing.state is State.DRAINED

    @property
    def to_server(self) -> bool:
        """Return whether the lower end is a server."""
        return isinstance(self.lower, Server)

    @property
    def of_pair(self) -> bool:
        """Return whether it joins the leafs of an MLAG pair: bridged, and not an uplink."""
        domain = self.upper.domain
        return domain is not None and getattr(self.lower, "domain", None) is domain


@dataclass(frozen=True, kw_only=True)
class Topology:
    """Switches, servers and links of one fabric; places by name of a server and network.

    `notes`: entries of ports in the intent, by switch and port. `odd`: pairs of switches, the lower
    first, whose links differ from the design, with the place of the override.
    """

    fabric: str
    switches: tuple[Switch, ...] = ()
    servers: tuple[Server, ...] = ()
    links: tuple[Link, ...] = ()
    places: Mapping[tuple[str, str], Place] = field(default_factory=dict)
    notes: Mapping[tuple[str, str], PortNote] = field(default_factory=dict)
    odd: Mapping[tuple[str, str], IntentPath] = field(default_factory=dict)

    @cached_property
    def _platforms(self) -> frozenset[tuple[Role, str]]:
        return frozenset((each.role, each.platform) for each in self.switches)

    def one_platform(self, *roles: Role) -> bool:
        """Return whether all switches of some tiers run one platform."""
        return len({platform for role, platform in self._platforms if role in roles}) == 1

    @cached_property
    def links_at(self) -> Mapping[str, list[Link]]:
        """Links by the name of the switch or server at either end."""
        at: dict[str, list[Link]] = defaultdict(list)
        for link in self.links:
            at[link.lower.name].append(link)
            at[link.upper.name].append(link)
        return at

"""Defines an incident, the kinds of causes in their fixed order, and the input of the grouping."""

from collections.abc import Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Protocol

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Key
from fabricgen.nos.show import Observed
from fabricgen.prove.failures.groups import Group
from fabricgen.prove.failures.survey import Outcome
from fabricgen.prove.incidents.graph import Cable
from fabricgen.prove.runs import Expected


class Kind(StrEnum):
    """Kinds of causes. A finding goes to the first kind in this order that explains it."""

    SWITCH_DOWN = "switch down"
    SWITCH_UNREACHABLE = "switch unreachable"
    SWITCH_ISOLATED = "switch isolated"
    DAEMON = "daemon not running"
    FILTER = "packet filter"
    SWAPPED = "cables swapped"
    SHUT = "port shut"
    ERR_DISABLED = "port err-disabled"
    MISMATCH = "port setting that stops the link"
    OPTIC = "optic weak"
    SERVER = "server down"
    SERVER_PORT = "server port down"
    CABLE = "cable dead"
    ADDRESS = "wrong address or MTU of a port"
    SESSION = "session settings"
    ROUTING = "no routing with any neighbor"
    CABLE_SILENT = "cable without sessions"
    NETWORK = "VLAN, VRF or VNI"
    ACCESS_LIST = "access list"
    QUEUES = "queues, PFC or buffers"
    IDENTITY = "identity or release"
    ENVIRONMENT = "hardware component"
    TIME = "time"
    SERVICE = "management service"
    ROUTES = "routes lost"
    PAIR = "session or tunnel down"
    UNREAD = "state not read"
    OTHER = "other"


ORDER = {kind: number for number, kind in enumerate(Kind)}
Thing = tuple[str, ...]
"""A part of the network that a cause takes away and findings depend on, see parts.py."""


class Found(Protocol):
    """The part of a finding that the grouping reads; differences and results of checks have it."""

    @property
    def switch(self) -> str:
        """The switch that has it."""

    @property
    def key(self) -> Key:
        """The object, empty for unread state."""

    @property
    def attribute(self) -> str:
        """The attribute that differs."""

    @property
    def expected(self) -> str:
        """The expected value, for people."""

    @property
    def actual(self) -> str:
        """The value of the switch, for people."""

    @property
    def sentence(self) -> str:
        """The complete message."""


def is_unread(found: Found) -> bool:
    """Return whether a finding says that a part of the state could not be read.

    A finding with a value is not unread: its field may only be unverified.
    """
    unread = "unread" in (getattr(found, "kind", ""), getattr(found, "outcome", ""))
    return unread and not found.actual


def about(found: Found) -> str:
    """Return the subject of a finding without an object: the state, or the check."""
    return str(getattr(found, "what", "") or getattr(found, "check", "") or found.attribute)


@record(kw_only=True)
class Seen:
    """One switch that answered: its expected state, its snapshot and its findings."""

    expected: Expected
    observed: Observed
    findings: Sequence[Found]


@record(eq=False, kw_only=True)
class Cause:
    """One cause.

    Attributes:
        kind: Its kind.
        root: Names of its root objects, the switch first.
        sentence: What is wrong.
        lost: The parts of the network that it takes away.
        dead_switches: Switches without traffic.
        dead_cables: Cables without traffic.
        networks: VRFs of the cause, if no path is lost.
    """

    kind: Kind
    root: tuple[str, ...]
    sentence: str
    lost: frozenset[Thing] = frozenset()
    dead_switches: tuple[str, ...] = ()
    dead_cables: tuple[Cable, ...] = ()
    networks: tuple[str, ...] = ()

    @property
    def rank(self) -> tuple[int, tuple[str, ...]]:
        """Return its place in the order of explanation."""
        return ORDER[self.kind], self.root

    @property
    def id(self) -> str:
        """Return its identity, which depends on names only and not on findings or counts."""
        return sha256("\0".join((self.kind, *self.root)).encode()).hexdigest()[:12]


@record(kw_only=True)
class Impact:
    """Loss of servers by an incident.

    Attributes:
        failure: Name of the simulated failure, as `fabricgen failures` names it. Empty if the
            cause takes no path away, so nothing was simulated.
        outcomes: The result of each group in that failure.
        servers: Most servers of a fabric that keep less than all of their bandwidth.
        gpus: Their GPUs.
        lost: Servers that lose a fabric.
        tenants: Tenants with such servers, or of the networks that the cause concerns.
        rails: Rails with such servers.
        jobs: Jobs with such servers.
    """

    failure: str = ""
    outcomes: tuple[tuple[Group, Outcome], ...] = ()
    servers: int = 0
    gpus: int = 0
    lost: tuple[str, ...] = ()
    tenants: tuple[str, ...] = ()
    rails: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()

    @property
    def weight(self) -> tuple[float, ...]:
        """Return its place among impacts, worst first: the least is the worst."""
        kept = min((float(each.keeps) for _, each in self.outcomes), default=1.0)
        return -len(self.lost), kept, -self.servers, -self.gpus, -len(self.tenants)


@record(kw_only=True)
class Incident:
    """Findings with one root cause.

    Attributes:
        cause: The cause.
        findings: Every finding that it explains. Each finding is in one incident.
        impact: The loss of servers.
        since: Seconds since 1970 of the first look that shows it. None if unknown.
    """

    cause: Cause
    findings: tuple[Found, ...]
    impact: Impact = Impact()
    since: float | None = None

    @property
    def id(self) -> str:
        """Return its identity over time."""
        return self.cause.id

    @property
    def switches(self) -> tuple[str, ...]:
        """Return the switches with a finding."""
        return tuple(sorted({each.switch for each in self.findings}))

"""Define the interface of the state readers: questions to a switch, and one state snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes, Facts, Key, Topic
from fabricgen.model.fabric.switch import SwitchSlice

if TYPE_CHECKING:
    from fabricgen.nos.measures import Measure
    from fabricgen.nos.questions import Answers, Question
    from fabricgen.nos.spelling import Names

ESTABLISHED = "Established"
UP, ENABLED, SHUT = "up", "enabled", "shut"
"""States of a link: the other end answers, the port is not shut, the port is shut."""
BUNDLED, FORMED, SAVED = "bundled", "formed", "saved"
"""Good states of a member of a port-channel, of an MLAG pair, and of the configuration."""
OFF = "switched off"
"""Words in a reason of `Observed.unknown`: a setting of the switch hides the value."""


class Part(StrEnum):
    """A part of the state that is read separately, so that it can fail separately."""

    INTERFACES = "interfaces"
    BRIDGE = "VLANs of the bridge"
    ROUTES = "underlay routes"
    QUEUES = "queues"
    FILTERS = "DSCP filters and classes"
    LLDP = "LLDP neighbors"
    BGP = "BGP sessions"
    BFD = "BFD sessions"
    VNIS = "VNIs"
    EVPN = "route targets"
    WAYS = "routes of VRFs"
    PATHS = "routes to the asked addresses"
    RULES = "rules of routing"
    SETTINGS = "settings of interfaces"
    FLAGS = "bridge ports"
    ENTRIES = "neighbors and MACs"
    TC = "filters of tc"
    TABLES = "packet filters"
    IDENTITY = "identity and release"
    COUNTERS = "counters of ports"
    OPTICS = "optics"
    BUNDLES = "port-channels"
    PAIR = "MLAG pair"
    SEGMENTS = "Ethernet segments"
    VLANS = "VLANs"
    VRFS = "VRFs"
    FLOOD = "flood lists"
    ADDRESSES = "IP addresses"
    PREFIXES = "EVPN routes"
    HARDWARE = "routes in hardware"
    POLICIES = "BGP policies"
    ACLS = "access lists"
    QOS = "QoS maps and PFC"
    WATCHDOG = "PFC watchdog"
    BUFFERS = "packet buffers"
    MARKING = "ECN thresholds"
    QUEUE_COUNTERS = "counters of queues"
    WATERMARKS = "watermarks"
    CAPACITY = "capacity of hardware tables"
    DAEMONS = "daemons"
    ENVIRONMENT = "fans, power and temperature"
    TIME = "NTP and PTP"
    SERVICES = "management services"
    SAVED = "saved configuration"
    PENDING = "pending sessions"
    ERRDISABLED = "ports that were taken down"
    RELOAD = "pending reload"
    TCAM = "TCAM profile"
    CODEWORDS = "FEC counters"
    MARKS = "ECN marks"
    DROPS = "drops of queues"
    PRIORITIES = "PFC frames by priority"
    CERTIFICATES = "certificates"


@record(kw_only=True)
class BgpActivity:
    """Values that change while BGP works: equal values mean that nothing happened in between.

    Attributes:
        up: Milliseconds since the session came up.
        resets: Number of session starts and ends.
        prefixes: By family, the accepted and the sent prefixes.
        waiting: Messages in the two queues.
        ended: Address families whose End-of-RIB was received.
    """

    up: int
    resets: tuple[int, int]
    updates: tuple[int, int]
    prefixes: tuple[tuple[str, int, int], ...]
    waiting: int
    ended: tuple[str, ...]


@record()
class Source:
    """Place of a value in the answers of a switch.

    Attributes:
        asks: The command, or the database and key.
        at: The field in its answer.
        guess: Why no document or recording shows this field. Empty if one does. A guessed value
            fails no switch; it is reported as not verified.
    """

    asks: str
    at: str
    guess: str = ""

    @property
    def text(self) -> str:
        """Return the command and the field for a message."""
        return f"{self.asks}: {self.at}" if self.at else self.asks


@record(kw_only=True)
class Observed:
    """State snapshot of a switch, with measured values and reasons for unread parts.

    Attributes:
        facts: Neutral facts, as in the files, and facts that only a running switch has.
        pulses: Activity of the BGP sessions.
        unread: Parts that could not be read, with the reason.
        unknown: Topics and metrics that this release or model does not report, with the reason, as
            `("qos", "trust")` and `("ecn-marked",)`. Names of one object may follow.
        measures: Numbers that no design sets (nos/measures.py). An absent one is unknown.
        sampled: Seconds between two samples of a metric on the switch, by its name.
        clock: Time of the switch in seconds since 1970. None if unread. Rates need it.
        runs: The version that the release of an intent decides, as `FRR 8.4.4`, empty if unread.
    """

    facts: Facts = field(default_factory=dict)
    pulses: Mapping[Key, BgpActivity] = field(default_factory=dict)
    unread: Mapping[Part, str] = field(default_factory=dict)
    unknown: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    measures: Mapping[Measure, float] = field(default_factory=dict)
    sampled: Mapping[str, float] = field(default_factory=dict)
    clock: float | None = None
    runs: str = ""

    def of(self, kind: str) -> dict[Key, Attributes]:
        return {key: own for key, own in self.facts.items() if key[0] == kind}


Wanted = tuple[Key, Attributes, Provenance | None]
"""An object that a running switch has, its attributes, and their reason in the design."""


@record(kw_only=True)
class Reader:
    """The questions to a running switch of a platform, and the parser of its answers.

    Attributes:
        names: Names of objects that every design has. With `more` also objects of this platform
            alone.
        about: By topic of a fact, the part that it is read from.
        questions: Maps the expected facts of a switch to its questions. All are read-only.
        encode: Writes questions as the one request that `read` of the driver sends.
        decode: Splits the output of that request into answers, by the key of the question.
        parse: Reads the answers. It trusts nothing in them and raises nothing.
        measured: By name of a metric, the part that it is read from.
        sources: By topic, or by name of a metric as `(name,)`, the place in the answers.
        expects: More expected facts of a running switch of this platform, from the model alone,
            with their reason.
        runs: Version of a release, in the words of `Observed.runs`.
        omits: Of the expected objects, those that no look asks for.
        samples: Kinds of objects of which a look asks for a sample (nos/sample.py).
    """

    names: Names
    about: Mapping[Topic, Part]
    questions: Callable[[Facts], tuple[Question, ...]]
    encode: Callable[[Iterable[Question]], str]
    decode: Callable[[str], Answers]
    parse: Callable[[Answers], Observed]
    measured: Mapping[str, Part] = field(default_factory=dict)
    sources: Mapping[tuple[str, ...], Source] = field(default_factory=dict)
    expects: Callable[[SwitchSlice], Iterable[tuple[Key, Attributes, Provenance | None]]] | None = (
        None
    )
    runs: Callable[[str], str] | None = None
    omits: Callable[[Facts], frozenset[Key]] | None = None
    samples: tuple[str, ...] = ()

    def request(self, expected: Facts) -> str:
        """Return the request for a look at a switch with these expected facts."""
        return self.encode(self.questions(expected))

    def fast_questions(self, metrics: Iterable[str]) -> list[Question]:
        """Return the questions of a repeated look at some metrics, without slow ones."""
        parts = {self.measured[name] for name in metrics if name in self.measured}
        asked = (each for each in self.questions({}) if not each.slow)
        return [each for each in asked if not each.parts or parts.intersection(each.parts)]

    def read(self, output: str) -> Observed:
        """Return the state in the output of the request."""
        return self.parse(self.decode(output))

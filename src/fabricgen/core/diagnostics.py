"""Defines diagnostics: a code, a sentence and a place for each finding of a stage."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.core.record import record

if TYPE_CHECKING:
    from datetime import date

SHOWN = 20
"""Maximum findings of a check that are listed; the rest is counted."""
IntentPath = tuple[str | int, ...]


def dotted(path: IntentPath) -> str:
    """Return a path as dotted text: frontend.leaf_groups.cpu."""
    return ".".join(map(str, path))


class Severity(StrEnum):
    """Severity of a diagnostic. Only an error stops the compiler."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Code(StrEnum):
    """Every diagnostic code; each has a page in docs/diagnostics/ and a failing fixture."""

    UNREADABLE = "FG001"
    YAML_SYNTAX = "FG002"
    DUPLICATE_KEY = "FG003"
    KEY_IN_TWO_FILES = "FG004"
    TOO_DEEP_OR_LARGE = "FG005"
    YAML_FEATURE = "FG006"
    UNKNOWN_KEY = "FG101"
    MISSING_KEY = "FG102"
    BAD_VALUE = "FG103"
    UNSAFE_TEXT = "FG104"
    UNKNOWN_REFERENCE = "FG105"
    DUPLICATE_ID = "FG106"
    DESCRIPTION_PATTERN = "FG107"
    ACKNOWLEDGED_NOTHING = "FG108"
    PORTS_EXHAUSTED = "FG201"
    RADIX_EXCEEDED = "FG202"
    POOL_TOO_SMALL = "FG203"
    ASN_RANGE_TOO_SMALL = "FG204"
    ECMP_TOO_WIDE = "FG205"
    SPEED_NOT_ON_MODEL = "FG206"
    UPLINKS_NOT_DIVISIBLE = "FG207"
    GROWTH_TOO_SMALL = "FG208"
    NAME_NOT_UNIQUE = "FG209"
    BUFFER_EXCEEDED = "FG210"
    HEADROOM_DIFFERS = "FG211"
    BUFFER_UNKNOWN = "FG212"
    MARKING_RULE = "FG213"
    WATCHDOG_RULE = "FG214"
    PROFILE_GAP = "FG215"
    DEMAND_ABOVE_CAPACITY = "FG216"
    CABLE_BEYOND_REACH = "FG217"
    BOND_ROUTED = "FG218"
    PROFILE_LOOP = "FG219"
    JOB_WITHOUT_SLOT = "FG220"
    CLASS_CLASH = "FG221"
    SITES_DIFFER = "FG222"
    LOSSLESS_NOT_SHIPPED = "FG223"
    HEADROOM_UNKNOWN = "FG224"
    OWN_FIGURES = "FG225"
    LATENCY_ABOVE_BUDGET = "FG228"
    LATENCY_UNKNOWN = "FG229"
    JOB_ABOVE_QUOTA = "FG230"
    JOB_SPREAD = "FG231"
    GROWTH_ABOVE_CAPACITY = "FG232"
    BUFFER_TOO_SHALLOW = "FG233"
    TRIMMING_UNKNOWN = "FG234"
    ADDRESS_OVERLAP = "FG301"
    ASN_CLASH = "FG302"
    VNI_CLASH = "FG303"
    ROUTE_TARGET_CLASH = "FG304"
    PORT_USED_TWICE = "FG305"
    LINK_ENDS_DISAGREE = "FG306"
    SESSION_ENDS_DISAGREE = "FG307"
    CABLE_WITHOUT_INTERFACE = "FG308"
    INTENT_WITHOUT_LINES = "FG309"
    NIC_OFF_ITS_RAIL = "FG310"
    MESH_INCOMPLETE = "FG311"
    OVERSUBSCRIBED = "FG312"
    FABRICS_NOT_ISOLATED = "FG313"
    BACKEND_SPANS_SITES = "FG314"
    MTU_BROKEN = "FG315"
    QUEUES_INCOMPLETE = "FG316"
    NOTHING_EXAMINED = "FG317"
    DEADLOCK = "FG318"
    LOSSLESS_CHAIN = "FG319"
    OUT_OF_ORDER = "FG320"
    POLARISED = "FG321"
    TOO_FEW_FLOWS = "FG322"
    WRITTEN_FACT = "FG323"
    SINGLE_POINT = "FG324"
    HOST_NOT_APART = "FG325"
    MODELS_REFUSE = "FG326"
    SEGMENT_ENDS_DISAGREE = "FG327"
    PAIR_DISAGREES = "FG328"
    BUNDLE_UNLIKE = "FG329"
    LEAK_LOOP = "FG330"
    LEAKS_OVERLAP = "FG331"
    LIMIT_WITHOUT_ACTION = "FG332"
    TAG_CLASH = "FG333"
    SECRET_IN_CLEAR = "FG334"  # noqa: S105 - a code
    RULE_WITHOUT_EFFECT = "FG335"
    ZONE_BYPASSED = "FG336"
    ZONE_NOT_ENFORCED = "FG337"
    NOT_REACHED = "FG338"
    NOT_APART = "FG339"
    PROMISE_BROKEN = "FG340"
    PROMISE_OF_NOTHING = "FG341"
    SITES_NOT_APART = "FG342"
    STATIC_ROUTE = "FG343"
    NO_GATEWAY = "FG344"
    TUNNEL_IN_ITSELF = "FG345"
    DIAGNOSTICS_OVERLAP = "FG346"
    FIREWALL_NO_PAIR = "FG348"
    LAW_VLAN = "FG351"
    LAW_ROUTER_MAC = "FG352"
    LAW_FEC = "FG353"
    LAW_SWAPPED = "FG354"
    LAW_MEMORY = "FG355"
    LAW_DAEMON = "FG356"
    LAW_SKU = "FG357"
    LIMIT_MISSING = "FG360"
    ROUTE_PAST_FIREWALL = "FG361"
    OWN_SOURCES = "FG362"
    ODD_SPEED = "FG363"
    FACT_CONTRADICTS = "FG364"
    ADDRESS_STAYS = "FG369"
    VIP_NOT_ADVERTISED = "FG370"
    VIP_BYPASSED = "FG371"
    PROMISE_UNKNOWN = "FG372"
    UNSUPPORTED = "FG401"
    MODEL_NOT_ON_PLATFORM = "FG402"
    HWSKU_NOT_IN_RELEASE = "FG403"
    RELEASE_FLAW = "FG404"
    TIMER_REFUSED = "FG405"
    TEMPLATE_LIMIT = "FG406"
    OUTPUT_UNWRITABLE = "FG501"
    OUTPUT_STALE = "FG502"
    NO_SUCH_OBJECT = "FG503"
    SWITCHES_CHANGE = "FG504"
    EXTENSION_FAILED = "FG601"
    TEMPLATE_FAILED = "FG602"
    FACT_REFUSED = "FG603"
    RACK_FULL = "FG701"
    CABLE_TOO_SHORT = "FG702"
    RACK_POWER = "FG703"
    PRICE_REFUSED = "FG704"
    LOSS_TOO_HIGH = "FG705"
    ENDS_UNLIKE = "FG706"
    NO_MEDIUM = "FG707"
    COPPER_ACROSS_ROWS = "FG708"
    FIBERS_SHORT = "FG709"
    CROSS_CONNECT = "FG710"
    WRONG_AISLE = "FG711"
    LINE_TOO_LONG = "FG712"
    PANELS_TOO_MANY = "FG713"
    GENDERS_CLASH = "FG714"
    PIN_OUT_OF_PLACE = "FG801"
    PIN_CLASH = "FG802"
    PINS_APART = "FG803"
    PLAN_CLASH = "FG804"
    PLAN_OUT_OF_POOL = "FG805"
    MODEL_DOES_NOT_FIT = "FG806"
    NO_CABLE_JOINS = "FG807"
    NO_SUCH_PORT = "FG811"
    PORT_PINNED = "FG812"
    NO_SUCH_LINK = "FG813"
    OWN_LINES_REFUSED = "FG821"
    OWN_LINE_CLASHES = "FG822"
    OWN_LINE_IN_CLEAR = "FG823"
    OWN_LINES_UNCHECKED = "FG824"
    KEPT_IS_RENDERED = "FG825"
    KEPT_REFUSED = "FG826"
    NO_OTHER_WAY = "FG841"
    DEAD_AND_MISSED = "FG842"
    NOTHING_TO_ACCEPT = "FG843"
    NO_OTHER_LINK = "FG844"
    JUDGED_ASN = "FG861"
    JUDGED_NOBODY = "FG862"
    JUDGED_ONE_SIDED = "FG863"
    JUDGED_SESSION = "FG864"
    JUDGED_ADDRESS = "FG865"
    JUDGED_SUBNET = "FG866"
    JUDGED_LINK = "FG867"
    JUDGED_ROUTER_ID = "FG868"
    JUDGED_TUNNEL = "FG869"
    JUDGED_VNI = "FG870"
    JUDGED_TARGET = "FG871"
    JUDGED_RAIL = "FG872"
    JUDGED_QUEUES = "FG873"
    CONFIG_UNREADABLE = "FG874"
    JUDGED_NAME = "FG875"
    JUDGED_VALUE = "FG876"
    LAW_VRF = "FG877"
    LAW_GATEWAY = "FG878"
    LAW_SESSION = "FG879"
    LAW_BUNDLE = "FG880"
    INVENTORY_UNREADABLE = "FG881"
    INVENTORY_VALUE = "FG882"
    INVENTORY_MODEL = "FG883"
    INVENTORY_DISAGREES = "FG884"
    ADOPT_UNSAID = "FG885"
    ADOPT_ASSUMED = "FG886"
    ADOPT_MODEL = "FG887"
    ADOPT_LEFT_OUT = "FG888"
    ADOPT_PORT = "FG889"
    ADOPT_DROPPED = "FG890"
    UNLIKE_ITS_CLASS = "FG891"
    NO_EFFECT = "FG892"
    SAVED_DIFFERS = "FG893"
    SAVED_MISSING = "FG894"
    QUEUES_UNREAD = "FG895"


class Position(NamedTuple):
    """A place in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        """Return file:line:column."""
        return f"{self.file}:{self.line}:{self.column}"


@record()
class Acknowledged:
    """Reason, owner and last day of an acknowledgment."""

    why: str
    owner: str
    until: date


@record()
class Diagnostic:
    """One finding. `path` is its place in the intent, `position` a raw place in a file.

    `code`: a `Code`; a check of another package has its own code.
    """

    code: str
    message: str
    path: IntentPath = ()
    hint: str = ""
    severity: Severity = Severity.ERROR
    position: Position | None = None
    at_key: bool = False
    acknowledged: Acknowledged | None = None


class Stop(Exception):  # noqa: N818 - not an error: the findings say what is wrong
    """Ends one step of the design, whose findings are already reported; other steps continue."""


class Failure(Exception):  # noqa: N818 - it carries the diagnostic a person reads
    """Ends the current command; the diagnostic gives the reason."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic

    def __reduce__(self) -> tuple[type[Failure], tuple[Diagnostic]]:
        """Make it picklable for other processes."""
        return type(self), (self.diagnostic,)


@record(kw_only=True)
class Examined:
    """Result of a check: number of examined objects, and findings.

    `not_run`: reason why it examined nothing, if it lacks its input.
    """

    check: str
    objects: int
    noun: str
    findings: tuple[Diagnostic, ...]
    not_run: str = ""


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether a finding stops the compiler."""
    return any(item.severity is Severity.ERROR for item in diagnostics)


def shortened(findings: Sequence[Diagnostic], what: str) -> tuple[Diagnostic, ...]:
    """Return the first findings, and one that counts the rest; `what` names them."""
    left = len(findings) - SHOWN
    if left <= 0:
        return tuple(findings)
    more = Diagnostic(findings[0].code, f"{left:,} more {what}", path=findings[0].path)
    return (*findings[:SHOWN], more)


def nearest(word: str, known: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """Return the known word that is most similar, if any; case does not count."""
    plain = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower(), plain, n=1, cutoff=likeness)
    return plain[near[0]] if near else None


def did_you_mean(word: str, known: Iterable[str], *, likeness: float = 0.6, most: int = 12) -> str:
    """Return a hint that names the nearest known word, or lists the known words.

    `likeness`: minimum share of common letters of a similar word. `most`: maximum number of listed
    words.
    """
    names = sorted(set(known))  # a key of every kind of fabric appears several times
    near = nearest(word, names, likeness=likeness)
    if near is not None:
        return f"did you mean {near!r}?"
    if not names or not most:
        return ""
    return f"known: {', '.join(names[:most])}" + (", …" if len(names) > most else "")


def did_you_mean_model(word: str, known: Iterable[str]) -> str:
    """Return such a hint for a product: numbers distinguish products, so all are listed sooner.

    DS5000 is two letters away from SN5600 and is another vendor's product.
    """
    return did_you_mean(word, known, likeness=0.8, most=100)

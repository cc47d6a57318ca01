"""Defines the routing of a fabric: ASNs, link type, BFD, ECMP width and advertised prefixes."""

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import Milliseconds
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.numbering import NO_PLAN, Formula, Plan, seat_of, shares
from fabricgen.model.fabric.pins import NO_PINS, Pins
from fabricgen.model.fabric.topology import Role, Switch

FROM_ABOVE = "64512:100"
"""Community of routes from the upper tier, which a switch never sends back up: no valleys."""

PEER_GROUPS = (
    *("UNDERLAY-ABOVE", "UNDERLAY-BELOW", "UNDERLAY-PEER"),
    *("EVPN-ABOVE", "EVPN-BELOW", "VRF-PEER"),
)
"""Peer groups inside a fabric. A platform may encrypt a password with its group name."""

OSPF_AREA = "0.0.0.0"  # noqa: S104 - the backbone area (RFC 2328 section 3.1), no address to bind
OSPF_COST = 10
"""Cost of every link: the path with the fewest links is the shortest, whatever a port's speed."""
OSPF_AVOIDED = 65_535
"""Cost of a drained link: MaxLinkMetric (RFC 6987 section 2)."""

VXLAN_OVERHEAD = 50
"""Bytes: outer Ethernet, IPv4, UDP and VXLAN headers (RFC 7348 section 5)."""


@record(kw_only=True)
class AsnPlan:
    """ASNs: leafs count up from `first`; spines and superspines count down from `last`.

    `shared`: RFC 7938 section 5.2.1 (superspines share one ASN, spines of a pod and plane share
    one). `pins`: of switches with an ASN override. `plan`: the formulas in the intent.
    """

    first: int
    last: int
    shared: bool
    pins: Pins = NO_PINS
    plan: Plan = NO_PLAN

    def asn(self, switch: Switch) -> int:
        """Return the ASN of a switch."""
        pin = self.pins.get(switch.name)
        return self.computed(switch) if pin is None or pin.asn is None else pin.asn

    def computed(self, switch: Switch) -> int:
        """Return the ASN of a switch without an override."""
        return self.formula(switch.role).at(seat_of(switch, shared=True))

    def formula(self, role: Role) -> Formula:
        """Return the formula of the ASNs of a role."""
        return self.plan.get("asn", role.value) or self._designed(role)

    def _designed(self, role: Role) -> Formula:
        if role is Role.LEAF:
            return Formula(self.first, (("number", 1),))
        top = role is Role.SUPERSPINE
        if self.shared:
            return Formula(self.last) if top else Formula(self.last - 1, (("pod", -1),))
        return Formula(self.last - top, (("number", -2),))

    def shares(self, role: Role) -> bool:
        """Return whether a tier has one ASN: the spines of a pod, or all superspines."""
        return shares(self.formula(role), role)


@record()
class Bfd:
    """BFD timers of the underlay sessions."""

    interval: Milliseconds
    multiplier: int


@record(kw_only=True)
class AllowedPrefix:
    """A prefix that may be advertised, with the permitted lengths inside it.

    `sequence`: its number in the list of a fabric. `why`: its reason, if it is not a pool.
    """

    prefix: Ip
    longest: int
    shortest: int
    sequence: int = 0
    why: Provenance | None = None

    @property
    def count(self) -> int:
        """Return the number of prefixes that it permits."""
        first, last = self.shortest - self.prefix.length, self.longest - self.prefix.length
        return (1 << last + 1) - (1 << first)


@record(kw_only=True)
class Routing:
    """The routing design of one fabric; `path` is its place in the intent.

    `password`: the reference to the password of its BGP sessions. `ospf`: OSPF and not eBGP carries
    the routes between switches.
    """

    path: IntentPath
    links: str  # numbered | numbered-v6 | unnumbered
    asns: AsnPlan
    bfd: Bfd | None
    mtu: int
    ecmp: int
    allowed: tuple[AllowedPrefix, ...]
    overlay: bool
    password: str | None = None
    ospf: bool = False

    @property
    def place(self) -> IntentPath:
        """Place of the fabric in the intent."""
        return self.path[:-1]

    @property
    def why(self) -> Provenance:
        """Provenance of the sessions of a switch with its neighbors."""
        if self.ospf:
            return Provenance(((*self.path, "protocol"),), "OSPF on every switch link")
        return Provenance((self.path, (*self.path, "asn")), "eBGP on every switch link")

    @property
    def tenant_mtu(self) -> int:
        """The IP MTU of server traffic: with an overlay it must fit into a tunnel."""
        return self.mtu - VXLAN_OVERHEAD if self.overlay else self.mtu

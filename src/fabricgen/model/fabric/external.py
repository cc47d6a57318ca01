"""Defines external connections: cables that VRFs share by tags, and eBGP sessions."""

from typing import NamedTuple

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.leaks import joinable
from fabricgen.model.fabric.routing import AllowedPrefix
from fabricgen.model.fabric.topology import Port
from fabricgen.model.settings.sessions import MaxPrefixes


class PrefixRule(NamedTuple):
    """A permitted prefix; `sequence` is its number in a prefix list.

    The number is stable: an advertised prefix has the id of its VLAN, an accepted one ten times its
    position in the intent. So a new rule renumbers no other. `least`, `most`: permitted lengths
    inside the prefix; None if only the prefix passes.
    """

    sequence: int
    prefix: Ip
    least: int | None = None
    most: int | None = None

    @property
    def allowed(self) -> AllowedPrefix:
        """Return it with both lengths."""
        length = self.prefix.length
        least, most = self.least or length, self.most or length
        return AllowedPrefix(prefix=self.prefix, shortest=least, longest=most)


USUAL_LIMIT = MaxPrefixes(count=12_000, action="end")
"""Prefix limit of each session without its own, for both families and every platform.

EOS has this default and prints it in its running configuration (`maximum-routes 12000`). FRR has no
limit of its own (doc/user/bgp.rst, `maximum-prefix`).
"""


@record(kw_only=True)
class Border:
    """Rules of a session besides its prefixes, the same for both families of a peer.

    `password`: a reference. `require`, `mark`, `send`: communities that must be present, that are
    set on import, and that are set on export. `origins`: permitted origin ASNs; empty for all.
    `own_sources`: packets with a source inside the VRF may enter. `prefer`: primary or backup,
    replica for servers of a backup replica, empty for none. `local_asn`: the leaf's ASN that the
    peer sees.
    """

    password: str | None = None
    max_prefixes: MaxPrefixes | None = None
    require: tuple[str, ...] = ()
    mark: tuple[str, ...] = ()
    send: tuple[str, ...] = ()
    origins: tuple[int, ...] = ()
    prefer: str = ""
    local_asn: int | None = None
    hides_private: bool = False
    own_sources: bool = False

    @property
    def preference(self) -> int | None:
        """Return the local preference of imported routes; None for the default 100 (RFC 4271)."""
        return {"primary": 200, "backup": 50}.get(self.prefer)


PLAIN = Border()
USUAL = Border(max_prefixes=USUAL_LIMIT)
"""Session rules if the intent has none."""
_LONGER = 5
"""Number of prepended ASNs on a backup path: a path over three tiers has four more than another."""
_REPLICA = 10
"""Number of prepended ASNs on a path from servers of a backup replica.

With their own ASN the path has 11. A path to the other site has at most 3 + 1 + 1 + 3 + 1 + 1 = 10:
three tiers, a border leaf, the other site, its three tiers, its leaf and its servers. A local
preference holds on one leaf only, so two leafs with such servers would each prefer the other.
"""


@record(eq=False, kw_only=True)
class EdgeLink:
    """A cable, or the LACP port-channel `lag`, from a border leaf to the outside."""

    name: str
    leaf: str
    ports: tuple[Interface, ...]
    lag: int | None
    because: Provenance

    @property
    def cages(self) -> tuple[Port, ...]:
        """Return its ports on the faceplate."""
        return tuple(each.port for each in self.ports)


@record(eq=False, kw_only=True)
class ExternalPeer:
    """One connection of a VRF to an external router, of one family; only listed prefixes pass.

    `protocol`: bgp, a session; ospf, a neighbor in an `area`; or static, where accepted prefixes
    are static routes and the router needs static routes for announced ones. `peer_asn`: 0 without a
    session. `interface`: its port, or its tagged share of one; both families of a peer have the
    same. `bfd`: with the timers of the underlay. `policy`: the name of its lists, if many peers
    share them. `default`: it always receives the default route. `inside`: a server of the site on a
    leaf port.
    """

    vrf: str
    name: str
    interface: Interface
    local: Ip
    remote: Ip
    peer_asn: int
    accept: tuple[PrefixRule, ...]
    announce: tuple[PrefixRule, ...]
    bfd: bool
    because: Provenance
    border: Border = PLAIN
    policy: str = ""
    default: bool = False
    inside: bool = False
    protocol: str = "bgp"
    area: str = ""

    @property
    def speaks(self) -> bool:
        """Return whether there is a BGP session."""
        return self.protocol == "bgp"

    @property
    def floods(self) -> bool:
        """Return whether it is an OSPF neighbor."""
        return self.protocol == "ospf"

    @property
    def tells(self) -> bool:
        """Return whether it exchanges routes by a protocol."""
        return self.speaks or self.floods

    @property
    def version(self) -> int:
        """Return the IP version of the session and of its prefixes."""
        return self.remote.version

    @property
    def joins(self) -> str:
        """Return the link between two sites of this end; empty for an external router."""
        kind, *name = self.because.main[:2]
        return str(name[0]) if kind == "dci" and name else ""

    @property
    def label(self) -> str:
        """Name of the session on its switch; no peer has `_` in its own name."""
        return f"{joinable(self.vrf)}_{self.policy or self.name}" + (
            "_6" if self.version == 6 else ""
        )

    @property
    def longer_in(self) -> str:
        """Return the ASNs that lengthen paths imported from a backup, or nothing."""
        if self.border.prefer == "replica":
            return " ".join([str(self.peer_asn)] * _REPLICA)
        return self._longer(self.peer_asn)

    def longer_out(self, asn: int) -> str:
        """Return the ASNs that lengthen paths exported to a backup. `asn`: of the leaf."""
        return self._longer(self.border.local_asn or asn)

    def _longer(self, asn: int) -> str:
        return " ".join([str(asn)] * _LONGER) if self.border.prefer == "backup" else ""

    @property
    def inward(self) -> str:
        """Name of the import list and route map."""
        return f"IN-{self.label}"

    @property
    def outward(self) -> str:
        """Name of the export list and route map."""
        return f"OUT-{self.label}"

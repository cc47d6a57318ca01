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
    """A prefix that passes; `sequence` is its number in a prefix list.

    It follows from what stays: an announced prefix has the id of its VLAN, an accepted one ten
    times its place in the intent. So a new rule moves no other. least, most: of the lengths that
    pass inside it; None where only the prefix itself does.
    """

    sequence: int
    prefix: Ip
    least: int | None = None
    most: int | None = None

    @property
    def allowed(self) -> AllowedPrefix:
        """Return it with both lengths said."""
        length = self.prefix.length
        least, most = self.least or length, self.most or length
        return AllowedPrefix(prefix=self.prefix, shortest=least, longest=most)


USUAL_LIMIT = MaxPrefixes(count=12_000, action="end")
"""The limit of each session whose peer has none, of both families and on every platform.

EOS has it by itself and prints it in its running configuration (`maximum-routes 12000`); FRR has no
limit of its own (doc/user/bgp.rst, `maximum-prefix`).
"""


@record(kw_only=True)
class Border:
    """What a session keeps to beside its prefixes; alike for both families of a peer.

    password: a reference. require, mark, send: communities that must be there, that are set on the
    way in, and on the way out. origins: who may stand at the end of a path; empty for anyone.
    own_sources: packets with a source inside the VRF may come in.
    prefer: primary or backup, empty for neither. local_asn: what the outside sees as the leaf's.
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
        """Return the local preference of what comes in; None for the usual 100 (RFC 4271)."""
        return {"primary": 200, "backup": 50}.get(self.prefer)


PLAIN = Border()
USUAL = Border(max_prefixes=USUAL_LIMIT)
"""What a session keeps to where the intent has no word about it."""
_LONGER = 5
"""How often a backup's path repeats an ASN: a way over three tiers has four more than another's."""


@record(eq=False, kw_only=True)
class EdgeLink:
    """A cable, or the LACP bundle `lag`, from a border leaf to the outside."""

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
    """One way of a VRF to a router outside, of one family; nothing passes but what is listed.

    protocol: bgp, a session; ospf, a neighbor in an `area`; or static, where what is accepted are
    static routes and what is announced is what the router has to know by itself. peer_asn: 0
    without a session.
    interface: its port, or its tagged share of one; the two families of a peer have the same.
    bfd: with the timers of the underlay. policy: the name of its lists, where many share them.
    default: it is told the default route, whether there is one or not. inside: a server of the
    site, on a port to it.
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
        """Tell whether there is a BGP session."""
        return self.protocol == "bgp"

    @property
    def floods(self) -> bool:
        """Tell whether it is a neighbor in OSPF."""
        return self.protocol == "ospf"

    @property
    def tells(self) -> bool:
        """Tell whether it announces by itself, and hears what is announced to it."""
        return self.speaks or self.floods

    @property
    def version(self) -> int:
        """Return the IP version of the session and of its prefixes."""
        return self.remote.version

    @property
    def joins(self) -> str:
        """Return the link between two sites that it is an end of; empty for a router outside."""
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
        """Return the ASNs that make what comes in by a backup a longer way, or nothing."""
        return self._longer(self.peer_asn)

    def longer_out(self, asn: int) -> str:
        """Return the ASNs that make the way in by a backup longer. asn: that of the leaf."""
        return self._longer(self.border.local_asn or asn)

    def _longer(self, asn: int) -> str:
        return " ".join([str(asn)] * _LONGER) if self.border.prefer == "backup" else ""

    @property
    def inward(self) -> str:
        """Name of the list and the map of what comes in."""
        return f"IN-{self.label}"

    @property
    def outward(self) -> str:
        """Name of the list and the map of what goes out."""
        return f"OUT-{self.label}"

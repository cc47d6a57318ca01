"""Build the prefix lists, community lists, AS-path lists and route maps of external peers.

Every platform has the same five objects under the same names. Of a session, `IN-` names the
permitted routes and `OUT-` the advertised ones. A route that no list permits is dropped, and a
permitted route loses its communities. Otherwise an external peer could put a route into the VRF of
another tenant by its route target. With the fabric's own mark, a route would never reach the
spines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.routing import AllowedPrefix

if TYPE_CHECKING:
    from fabricgen.core.provenance import Provenance
    from fabricgen.model.fabric.state import Detour
    from fabricgen.model.fabric.switch import Session, SwitchSlice


@record(kw_only=True)
class PrefixLine:
    name: str
    seq: int
    allowed: AllowedPrefix
    because: Provenance

    @property
    def prefix(self) -> str:
        return self.allowed.prefix.prefix

    @property
    def lengths(self) -> str:
        return lengths_of(self.allowed)


def lengths_of(allowed: AllowedPrefix) -> str:
    """Spell the lengths inside a prefix, without equal ones: FRR requires length < ge <= le."""
    length = allowed.prefix.length
    shortest = f" ge {allowed.shortest}" if allowed.shortest > length else ""
    return shortest + (f" le {allowed.longest}" if allowed.longest > length else "")


@record(kw_only=True)
class ListLine:
    """One line of a community list or of an AS-path list."""

    name: str
    seq: int
    text: str
    because: Provenance


@record(kw_only=True)
class BorderMap:
    """A route map of an external peer.

    Attributes:
        family: Family of its prefix list, `ip` or `ipv6`.
        required, origins: Whether it also has a community list and an AS-path list.
        communities: Communities that replace received ones. Empty for OSPF, which has none.
        prepend: ASNs before the path.
        preference: Local preference.
    """

    name: str
    family: str
    required: bool
    origins: bool
    communities: str
    prepend: str
    preference: int | None
    because: Provenance


@record(eq=False, kw_only=True)
class BorderPolicy:
    """Objects of the border policy of a switch, ordered by name and number."""

    prefixes: tuple[PrefixLine, ...]
    prefixes6: tuple[PrefixLine, ...]
    communities: tuple[ListLine, ...]
    paths: tuple[ListLine, ...]
    maps: tuple[BorderMap, ...]


def border_policy(peers: tuple[ExternalPeer, ...], asn: int) -> BorderPolicy:
    """Return the policy of a switch. A backup prepends the local `asn` in its exports.

    Servers share their objects, so each label counts once.
    """
    alone = tuple({peer.label: peer for peer in peers}.values())
    six = {version: [p for p in alone if p.version == version] for version in (4, 6)}
    origins = {peer: [f"_{asn}$" for asn in peer.border.origins] for peer in alone}
    return BorderPolicy(
        prefixes=_prefixes(six[4]),
        prefixes6=_prefixes(six[6]),
        communities=_lists({peer: list(peer.border.require) for peer in alone}),
        paths=_lists(origins),
        maps=tuple(
            sorted(
                (each for peer in alone for each in _maps(peer, asn)), key=lambda each: each.name
            )
        ),
    )


def _prefixes(peers: list[ExternalPeer]) -> tuple[PrefixLine, ...]:
    lines = (
        PrefixLine(name=name, seq=rule.sequence, allowed=rule.allowed, because=peer.because)
        for peer in peers
        for name, rules in ((peer.inward, peer.accept), (peer.outward, peer.announce))
        for rule in rules
    )
    return tuple(sorted(lines, key=lambda line: (line.name, line.seq)))


def _lists(told: dict[ExternalPeer, list[str]]) -> tuple[ListLine, ...]:
    lines = (
        ListLine(name=peer.inward, seq=5 * number, text=text, because=peer.because)
        for peer, texts in told.items()
        for number, text in enumerate(texts, 1)
    )
    return tuple(sorted(lines, key=lambda line: (line.name, line.seq)))


def _maps(peer: ExternalPeer, asn: int) -> tuple[BorderMap, BorderMap]:
    border, family = peer.border, "ip" if peer.version == 4 else "ipv6"
    return (
        BorderMap(
            name=peer.inward,
            family=family,
            required=bool(border.require),
            origins=bool(border.origins),
            communities="" if peer.floods else _set(border.mark),
            prepend=peer.longer_in,
            preference=border.preference,
            because=peer.because,
        ),
        BorderMap(
            name=peer.outward,
            family=family,
            required=False,
            origins=False,
            communities="" if peer.floods else _set(border.send),
            prepend=peer.longer_out(asn),
            preference=None,
            because=peer.because,
        ),
    )


def _set(communities: tuple[str, ...]) -> str:
    """Spell the communities of a map in the order that a switch shows: by number."""
    ordered = sorted(communities, key=lambda each: [int(half) for half in each.split(":")])
    return " ".join(ordered) or "none"


def taken_lines(takers: tuple[Vrf, ...], version: int) -> tuple[PrefixLine, ...]:
    """Return the prefix-list lines of one family, by list name and number."""
    lines = (
        PrefixLine(
            name=taken.list_of(taker.name, version),
            seq=rule.sequence,
            allowed=rule.allowed,
            because=taken.because,
        )
        for taker in takers
        for taken in taker.takes
        for rule in taken.of(version)
    )
    return tuple(sorted(lines, key=lambda line: (line.name, line.seq)))


# All peers of a group share a route map. A session over a drained link has a separate map, which
# overrides the group's: FRRouting/frr bgpd/bgpd.h, filter_override; EOS: aristanetworks/avd
# eos_designs underlay/router_bgp.py, which sets it at a neighbor of a group.


@record()
class Outward:
    """An export route map towards peers. `detour`: ASNs before each path, if drained.

    `because`: the reason for the map of a drained link; other maps have the policy's reason.
    """

    name: str
    detour: Detour | None
    because: Provenance | None = None


def outward(switch_slice: SwitchSlice, *, up: bool) -> tuple[Outward, ...]:
    """Return the export maps of one side: for all peers there, and for drained links."""
    peers = [it for it in switch_slice.bgp_sessions if it.up is up and not it.overlay]
    side = [Outward(_side(up), switch_slice.detour)] if peers else []
    alone = [each for it in peers if (each := of_link(switch_slice, it)) is not None]
    return (*side, *alone[:1])


def of_link(switch_slice: SwitchSlice, session: Session) -> Outward | None:
    """Return the export map of a session over a drained link."""
    if session.drained is None:
        return None
    name = f"{_side(session.up)}-DRAINED"
    return Outward(name, switch_slice.detour_of(session), session.drained)


def _side(up: bool) -> str:  # noqa: FBT001 - a side
    return "TO-ABOVE" if up else "TO-BELOW"

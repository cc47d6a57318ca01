"""A site and what changes on its switches in; each term that changes, with all its ends, out.

The cables of the site say who is at the other end, its overlay who has the same VLAN. What an end
says that does not change is the design's; of a switch that is not looked at nothing is known but
what the other end works with now.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from typing import TYPE_CHECKING, Any

from fabricgen.deploy.choreography.terms import (
    ADDRESS,
    ASN,
    EVPN,
    EXPORT,
    IMPORT,
    LINK,
    MAC,
    MTU,
    PEER,
    PORT,
    SWITCH,
    TUNNEL,
    VLAN,
    VNI,
    VRF,
    Item,
    Terms,
    terms_of,
)
from fabricgen.design.slices import Slicer
from fabricgen.fabric.topology import Port, Switch
from fabricgen.fabric.transition import ANY_ASN, AS_DESIGNED, Transition
from fabricgen.nos.lowering import spell
from fabricgen.proof.written import judge_of
from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from fabricgen.deploy.choreography.terms import Changed
    from fabricgen.fabric.overlay import Overlay
    from fabricgen.fabric.switch import Fabric, Site
    from fabricgen.fabric.topology import Link
    from fabricgen.tree.facts import Value

NOTHING: Mapping[str, Transition] = {}
Values = tuple["Value | None", "Value | None"]


@record(kw_only=True)
class End:
    """What one switch says: `was` until its batch, `will` from then on.

    outside: it is not in the plan; it is taken as agreeing with what the other end says now.
    """

    switch: str
    was: Value | None
    will: Value | None
    outside: bool = False


@record(kw_only=True)
class Term:
    """What its ends must agree on. of: whose ASN, address or session; a VLAN's id, a VRF's name.

    Of two ends where one is what the other expects, the first is the one that is it.
    """

    fabric: str
    kind: str
    word: str
    of: str
    ends: tuple[End, ...]


def agree(word: str, one: Value | None, other: Value | None) -> bool:
    """Tell whether two ends work together."""
    if word == ASN:
        return other in (one, ANY_ASN)
    if word == ADDRESS:
        if one is None or other is None:  # a link without addresses has a session by its port
            return one == other
        return str(other) in {str(each).partition("/")[0] for each in one}
    if word == VNI and isinstance(one, tuple) and isinstance(other, tuple):
        return one[0] == other[0] and _imports(one, other) and _imports(other, one)
    return one == other


def _imports(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Tell whether one side takes what the other exports: a route target in common is enough."""
    return not {*(one[1] or ())}.isdisjoint(other[2] or ())


def designed(fabric: Fabric, kept: Mapping[str, Transition]) -> Callable[[str], Terms]:
    """Return what says the terms of a switch as it is designed, with what it keeps in a step.

    Each is asked for once for every VLAN and neighbour, so all are kept, without ports to servers.
    """
    slicer = Slicer(fabric)
    switches = {switch.name: switch for switch in fabric.topology.switches}
    cabled = {
        (switch.name, spell(switch, port))
        for link in fabric.topology.links
        for switch, port in ((link.lower, link.lower_port), (link.upper, link.upper_port))
        if isinstance(link.lower, Switch)
    }

    @cache
    def of(name: str) -> Terms:
        piece = slicer.slice(switches[name], kept.get(name, AS_DESIGNED))
        judge = judge_of(piece.switch.platform)
        every = terms_of(judge.expectation.of(piece)) if judge is not None else {}
        return {
            item: value
            for item, value in every.items()
            if item.kind != LINK or (name, item.name) in cabled
        }

    return of


def terms(
    site: Site,
    looks: Mapping[str, Changed],
    known: Collection[str],
    kept: Mapping[str, Transition] = NOTHING,
) -> Iterator[Term]:
    """Yield every term that changes at one of its ends at least.

    looks: what changes, of the switches that change. known: every switch that was looked at.
    kept: what switches keep in a step.
    """
    for fabric in site.fabrics:
        mine = {
            switch.name: looks[switch.name]
            for switch in fabric.topology.switches
            if looks.get(switch.name)
        }
        if mine:
            yield from _Ends(fabric, mine, frozenset(known), kept).terms()


class _Ends:
    """The terms of one fabric."""

    def __init__(
        self,
        fabric: Fabric,
        looks: Mapping[str, Changed],
        known: frozenset[str],
        kept: Mapping[str, Transition],
    ) -> None:
        self._fabric, self._looks, self._known = fabric, looks, known
        self._designed = designed(fabric, kept)
        self._cables: dict[str, dict[str, Link]] = defaultdict(dict)
        for link in fabric.topology.links:
            if isinstance(link.lower, Switch):
                assert isinstance(link.lower_port, Port)
                ends = ((link.lower, link.lower_port), (link.upper, link.upper_port))
                for switch, port in ends:
                    if switch.name in looks:
                        self._cables[switch.name][spell(switch, port)] = link
        self._owner = {
            fabric.addresses.loopback(switch).host: switch.name
            for switch in fabric.topology.switches
        }
        for name, changes in looks.items():
            for item, (was, _) in changes.items():
                if item.kind == EVPN and item.word == ADDRESS:
                    for address in was or ():
                        self._owner.setdefault(str(address).partition("/")[0], name)
        self._hosts: dict[str, list[str]] = defaultdict(list)
        for host, name in self._owner.items():
            self._hosts[name].append(host)

    def terms(self) -> Iterator[Term]:
        yield from self._pairs()
        yield from self._shared()

    def _end(self, name: str, item: Item) -> End:
        """Return what a switch says: as looked at, else as designed; nothing where it was not."""
        if name not in self._known:
            return End(switch=name, was=None, will=None, outside=True)
        was, will = self._values(name, item)
        return End(switch=name, was=was, will=will)

    def _values(self, name: str, item: Item) -> Values:
        changes = self._looks.get(name, {})
        if item in changes:
            return changes[item]
        value = self._designed(name).get(item)
        return value, value

    def _pairs(self) -> Iterator[Term]:
        seen = set()
        for name, changes in self._looks.items():
            for item in changes:
                for term, key in self._sessions(name, item):
                    if key not in seen:
                        seen.add(key)
                        yield term

    def _sessions(self, name: str, item: Item) -> Iterator[tuple[Term, tuple[object, ...]]]:
        """Yield the terms that an item of a switch is an end of, each with what names it."""
        if item.kind == SWITCH:
            for link in self._cables[name].values():
                far, port = _far(link, name)
                yield self._pair(LINK, ASN, name, (name, item), (far, Item(LINK, port, ASN)))
            for far in self._peers(name):
                yield self._expected(name, far)
        elif item.kind == LINK:
            yield from self._linked(name, item)
        elif item.kind == EVPN:
            yield from self._overlay(name, item)

    def _linked(self, name: str, item: Item) -> Iterator[tuple[Term, tuple[object, ...]]]:
        link = self._cables[name].get(item.name)
        ended = self._looks[name].get(item._replace(word=ASN), ("", ""))[1] is None
        if link is None or (ended and item.word != MTU):
            return
        far, port = _far(link, name)
        if item.word == ASN:
            yield self._pair(LINK, ASN, far, (far, Item(SWITCH, "", ASN)), (name, item))
        elif item.word == PEER:
            there = (far, Item(LINK, port, ADDRESS))
            yield self._pair(LINK, ADDRESS, far, there, (name, item))
        elif item.word == ADDRESS:
            there = (far, Item(LINK, port, PEER))
            yield self._pair(LINK, ADDRESS, name, (name, item), there)
        else:
            both = sorted(((name, item), (far, Item(LINK, port, item.word))))
            yield self._pair(LINK, item.word, both[0][0], *both)

    def _overlay(self, name: str, item: Item) -> Iterator[tuple[Term, tuple[object, ...]]]:
        """Yield the terms of a session between loopbacks, named by an address that may change."""
        far = self._owner.get(item.name)
        if far is None:
            return
        if item.word == ASN:
            yield self._expected(far, name)
        elif item.word == ADDRESS:
            yield self._called(name, far)
            yield self._called(far, name)
        else:
            one, other = sorted((name, far))
            ends = self._saying(one, other, item.word), self._saying(other, one, item.word)
            yield self._term(EVPN, item.word, one, *ends), (EVPN, item.word, one, other)

    def _expected(self, name: str, far: str) -> tuple[Term, tuple[object, ...]]:
        """Return the ASN of a switch, and what the other end of an EVPN session expects."""
        here = self._end(name, Item(SWITCH, "", ASN))
        return self._term(EVPN, ASN, name, here, self._saying(far, name, ASN)), (ASN, name, far)

    def _called(self, name: str, far: str) -> tuple[Term, tuple[object, ...]]:
        """Return the loopback of a switch, and the address by which another one calls it."""
        here, host = self._saying(name, far, ADDRESS), self._hosts[name][0]
        if far in self._known:
            was, will = self._keys(far, name)
            claim = End(switch=far, was=was or self._unknown(far), will=will)
        else:  # where the loopback stays, so does what it is called by
            stays = host if here.was is not None and agree(ADDRESS, here.was, host) else None
            claim = End(switch=far, was=stays, will=stays, outside=True)
        return self._term(EVPN, ADDRESS, name, here, claim), (ADDRESS, name, far)

    def _unknown(self, name: str) -> Value | None:
        """Return empty where a session of now leads to nobody known, None where all are known.

        A switch that has no session by a known address had none then.
        """
        items = self._looks.get(name, {}).items()
        lost = (
            host
            for (kind, host, word), (_, will) in items
            if (kind, word, will) == (EVPN, ASN, None)
        )
        return None if all(host in self._owner for host in lost) else ""

    def _keys(self, name: str, far: str) -> tuple[str, str]:
        """Return by which address a switch calls another one now, and will; empty if unknown."""
        hosts, changes = self._hosts[far], self._looks.get(name, {})
        said = {host: changes[Item(EVPN, host, ASN)] for host in hosts if self._says(name, host)}
        gone = next((host for host, (_, will) in said.items() if will is None), "")
        come = next((host for host, (was, _) in said.items() if was is None), "")
        return (gone, come) if gone or come else (hosts[0], hosts[0])

    def _says(self, name: str, host: str) -> bool:
        return Item(EVPN, host, ASN) in self._looks.get(name, {})

    def _saying(self, name: str, far: str, word: str) -> End:
        """Return what a switch says of its session to another one, by whichever address."""
        if name not in self._known:
            return End(switch=name, was=None, will=None, outside=True)
        now, then = self._keys(name, far)
        _, will = self._values(name, Item(EVPN, then or now, word))
        if now:
            was, _ = self._values(name, Item(EVPN, now, word))
        else:  # it called the other end by an address that is not known any more
            was = self._source(name) if word == ADDRESS else will
        return End(switch=name, was=was, will=will)

    def _source(self, name: str) -> Value | None:
        """Return the loopback that a switch's EVPN sessions had, whoever the peer."""
        items = self._looks[name].items()
        mine = (was for (kind, _, word), (was, _) in items if (kind, word) == (EVPN, ADDRESS))
        return next((was for was in mine if was is not None), None)

    def _pair(
        self, kind: str, word: str, of: str, one: tuple[str, Item], other: tuple[str, Item]
    ) -> tuple[Term, tuple[object, ...]]:
        return self._term(kind, word, of, self._end(*one), self._end(*other)), (
            kind,
            word,
            one,
            other,
        )

    def _term(self, kind: str, word: str, of: str, one: End, other: End) -> Term:
        return Term(fabric=self._fabric.name, kind=kind, word=word, of=of, ends=(one, other))

    def _peers(self, name: str) -> list[str]:
        if not self._fabric.routing.overlay:
            return []
        return sorted({_far(link, name)[0] for link in self._cables[name].values()})

    def _shared(self) -> Iterator[Term]:
        """Yield what every leaf must say alike: of VLANs, of VRFs, and of all tunnels."""
        subjects: dict[tuple[str, str], None] = {}
        for changes in self._looks.values():
            for item in changes:
                if item.kind in (VLAN, VRF) or item.kind == TUNNEL:
                    subjects[item.kind, item.name if item.kind != TUNNEL else item.word] = None
        leafs = self._leafs() if subjects else {}
        for kind, name in subjects:
            ends = [self._stated(leaf, kind, name) for leaf in leafs.get((kind, name), ())]
            told = _mirrored([end for end in ends if end is not None])
            if len(told) > 1:
                word = name if kind == TUNNEL else VNI
                yield Term(
                    fabric=self._fabric.name, kind=kind, word=word, of=name, ends=tuple(told)
                )

    def _stated(self, leaf: str, kind: str, name: str) -> End | None:
        """Return what a leaf says of a VLAN or VRF as a whole; None when it did not have it.

        One that a leaf has no more is no end of it: whoever keeps it is not cut by that.
        """
        if leaf not in self._known:
            return End(switch=leaf, was=None, will=None, outside=True)
        if kind == TUNNEL:
            was, will = self._values(leaf, Item(TUNNEL, "", name))
            return None if was is None else End(switch=leaf, was=was, will=will)
        values = [self._values(leaf, Item(kind, name, word)) for word in (VNI, IMPORT, EXPORT)]
        old, new = (tuple(side) for side in zip(*values, strict=True))
        if old[0] is None:
            return None
        return End(switch=leaf, was=old, will=None if new[0] is None else new)

    def _leafs(self) -> dict[tuple[str, str], list[str]]:
        """Return the leafs that have each VLAN, each VRF and a tunnel, now or by design."""
        found: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        if self._fabric.overlay is not None:
            for subject, leaf in _having(self._fabric.overlay):
                found[subject][leaf] = None
        for name, changes in self._looks.items():
            for item in changes:
                if item.kind in (VLAN, VRF):
                    found[item.kind, item.name][name] = None
        everyone = dict.fromkeys(name for names in found.values() for name in names)
        found[TUNNEL, PORT] = found[TUNNEL, MAC] = everyone
        return {key: list(names) for key, names in found.items()}


def _having(overlay: Overlay) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield each VLAN with a VNI, and each VRF, with a leaf that has it."""
    for leaf, ports in overlay.ports.items():
        for carries in {id(each): each for each in ports.values()}.values():
            for vlan in carries.vlans:
                if vlan.vni is not None:
                    yield (VLAN, str(vlan.id)), leaf
                if vlan.vrf is not None:
                    yield (VRF, vlan.vrf), leaf
    for leaf, peers in overlay.external.items():
        for peer in peers:
            yield (VRF, peer.vrf), leaf


def _far(link: Link, name: str) -> tuple[str, str]:
    """Return the switch at the other end of a cable, and its port."""
    assert isinstance(link.lower, Switch)
    assert isinstance(link.lower_port, Port)
    if link.lower.name == name:
        return link.upper.name, spell(link.upper, link.upper_port)
    return link.lower.name, spell(link.lower, link.lower_port)


def _mirrored(ends: list[End]) -> list[End]:
    """Take leafs that are not in the plan as running what most of the others run now."""
    usual = Counter(end.was for end in ends if not end.outside).most_common(1)
    if not usual:
        return []
    value = usual[0][0]
    return [
        End(switch=end.switch, was=value, will=value, outside=True) if end.outside else end
        for end in ends
    ]

"""Find each changing term on the switches of a site, with all its ends.

The cables of the site give the switch at the other end, and its overlay gives the switches with the
same VLAN. An unchanged end has the design's value. For a switch without a state snapshot, only the
value that the other end works with now is known.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from fabricgen.core.tree.facts import Value
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Port, Switch
from fabricgen.model.fabric.transition import Transition
from fabricgen.nos.lowering import spell
from fabricgen.operate.deploy.coordination.agreement import End, Term, agree
from fabricgen.operate.deploy.coordination.statements import Statements, shared
from fabricgen.operate.deploy.coordination.terms import (
    ADDRESS,
    AREA,
    ASN,
    EVPN,
    LINK,
    MTU,
    PEER,
    SWITCH,
    Changed,
    Item,
)

NOTHING: Mapping[str, Transition] = {}


def terms(
    site: Site,
    looks: Mapping[str, Changed],
    known: Collection[str],
    kept: Mapping[str, Transition] = NOTHING,
) -> Iterator[Term]:
    """Yield each term that changes at one or more ends.

    Args:
        site: The site.
        looks: Changed settings by switch.
        known: All switches with a snapshot.
        kept: Retained settings by switch in a step.
    """
    for fabric in site.fabrics:
        mine = {
            switch.name: looks[switch.name]
            for switch in fabric.topology.switches
            if looks.get(switch.name)
        }
        if mine:
            yield from _Ends(fabric, Statements(fabric, mine, frozenset(known), kept)).terms()


class _Ends:
    """The terms of one fabric."""

    def __init__(self, fabric: Fabric, say: Statements) -> None:
        self._fabric, self._say = fabric, say
        self._looks, self._known = say.looks, say.known
        self._cables: dict[str, dict[str, Link]] = defaultdict(dict)
        for link in fabric.topology.links:
            if isinstance(link.lower, Switch):
                assert isinstance(link.lower_port, Port)
                ends = ((link.lower, link.lower_port), (link.upper, link.upper_port))
                for switch, port in ends:
                    if switch.name in say.looks:
                        self._cables[switch.name][spell(switch, port)] = link
        self._owner = {
            fabric.addresses.loopback(switch).host: switch.name
            for switch in fabric.topology.switches
        }
        for name, changes in say.looks.items():
            for item, (was, _) in changes.items():
                if item.kind == EVPN and item.word == ADDRESS:
                    for address in was or ():
                        self._owner.setdefault(str(address).partition("/")[0], name)
        self._hosts: dict[str, list[str]] = defaultdict(list)
        for host, name in self._owner.items():
            self._hosts[name].append(host)

    def terms(self) -> Iterator[Term]:
        yield from self._pairs()
        yield from shared(self._fabric, self._say)

    def _pairs(self) -> Iterator[Term]:
        seen = set()
        for name, changes in self._looks.items():
            for item in changes:
                for term, key in self._sessions(name, item):
                    if key not in seen:
                        seen.add(key)
                        yield term

    def _sessions(self, name: str, item: Item) -> Iterator[tuple[Term, tuple[object, ...]]]:
        """Yield the terms in which an item is an end, with a key of each."""
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
        if link is None or (ended and item.word not in (MTU, AREA)):
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
        """Yield the terms of a session between loopbacks, whose address may change."""
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
        """Return the ASN of a switch with the expected ASN at the other end of an EVPN session."""
        here = self._say.end(name, Item(SWITCH, "", ASN))
        return self._term(EVPN, ASN, name, here, self._saying(far, name, ASN)), (ASN, name, far)

    def _called(self, name: str, far: str) -> tuple[Term, tuple[object, ...]]:
        """Return the loopback of a switch with its address in another switch's EVPN session."""
        here, host = self._saying(name, far, ADDRESS), self._hosts[name][0]
        if far in self._known:
            was, will = self._keys(far, name)
            claim = End(switch=far, was=was or self._unknown(far), will=will)
        else:  # an unchanged loopback has an unchanged neighbor address
            stays = host if here.was is not None and agree(ADDRESS, here.was, host) else None
            claim = End(switch=far, was=stays, will=stays, outside=True)
        return self._term(EVPN, ADDRESS, name, here, claim), (ADDRESS, name, far)

    def _unknown(self, name: str) -> Value | None:
        """Return empty if a current session has an unknown peer, None if all peers are known.

        A switch without a session to a known address had none.
        """
        items = self._looks.get(name, {}).items()
        lost = (
            host
            for (kind, host, word), (_, will) in items
            if (kind, word, will) == (EVPN, ASN, None)
        )
        return None if all(host in self._owner for host in lost) else ""

    def _keys(self, name: str, far: str) -> tuple[str, str]:
        """Return the current and future neighbor address for another switch; empty if unknown."""
        hosts, changes = self._hosts[far], self._looks.get(name, {})
        said = {host: changes[Item(EVPN, host, ASN)] for host in hosts if self._says(name, host)}
        gone = next((host for host, (_, will) in said.items() if will is None), "")
        come = next((host for host, (was, _) in said.items() if was is None), "")
        return (gone, come) if gone or come else (hosts[0], hosts[0])

    def _says(self, name: str, host: str) -> bool:
        return Item(EVPN, host, ASN) in self._looks.get(name, {})

    def _saying(self, name: str, far: str, word: str) -> End:
        """Return the value of a switch for its session to another one, at either address."""
        if name not in self._known:
            return End(switch=name, was=None, will=None, outside=True)
        now, then = self._keys(name, far)
        _, will = self._say.values(name, Item(EVPN, then or now, word))
        if now:
            was, _ = self._say.values(name, Item(EVPN, now, word))
        else:  # the earlier address of the other end is no longer known
            was = self._source(name) if word == ADDRESS else will
        return End(switch=name, was=was, will=will)

    def _source(self, name: str) -> Value | None:
        """Return the loopback that a switch used in its EVPN sessions."""
        items = self._looks[name].items()
        mine = (was for (kind, _, word), (was, _) in items if (kind, word) == (EVPN, ADDRESS))
        return next((was for was in mine if was is not None), None)

    def _pair(
        self, kind: str, word: str, of: str, one: tuple[str, Item], other: tuple[str, Item]
    ) -> tuple[Term, tuple[object, ...]]:
        return self._term(kind, word, of, self._say.end(*one), self._say.end(*other)), (
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


def _far(link: Link, name: str) -> tuple[str, str]:
    """Return the switch at the other end of a cable, and its port."""
    assert isinstance(link.lower, Switch)
    assert isinstance(link.lower_port, Port)
    if link.lower.name == name:
        return link.upper.name, spell(link.upper, link.upper_port)
    return link.lower.name, spell(link.lower, link.lower_port)

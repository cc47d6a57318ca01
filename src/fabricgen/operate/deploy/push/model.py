"""Finds new deviations of running switches from the design.

A fabric with an old defect can still be changed. A deviation that existed before a batch, of an
object whose configuration the batch leaves unchanged, is reported and does not fail the health
check.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from fabricgen.core.tree.facts import GLOBAL, Key
from fabricgen.model.fabric.own_lines import OwnPlan
from fabricgen.model.fabric.switch import Session, Site, SwitchSlice
from fabricgen.nos.health import Health
from fabricgen.nos.lowering import Heard, heard_in, spell
from fabricgen.nos.registry import reader_of
from fabricgen.operate.deploy.coordination.terms import is_drained, terms_of
from fabricgen.operate.deploy.plan.switch_preview import files_of
from fabricgen.operate.deploy.push.design_mismatch import subnets_of, wrong
from fabricgen.operate.deploy.push.renamed_state import Present
from fabricgen.operate.deploy.push.routes import Routes, drained_links, ports_of, still_sent
from fabricgen.operate.deploy.texts import Texts
from fabricgen.prove.designed import peer_of
from fabricgen.prove.differences import Kind, compare
from fabricgen.prove.left import LEFT, is_left, named
from fabricgen.prove.runs import expected
from fabricgen.prove.underlay import Underlay
from fabricgen.prove.written import judge_of

_COMPARED = {"interface", "vrf", "vni", "session", "queues", "fib", *LEFT}
"""What the proof of `verify` compares here: what a switch has by itself, not what others bring."""
_ALONE = Underlay({}, {})
DRAINED: Key = ("drained",)
"""Told to a switch that others are to pass by from now on; no file names it."""

Wrong = dict[str, "Key"]
"""Sentences, and the object that each is about; empty for what has none in the files."""


@dataclass(frozen=True)
class Model:
    """What a push of a plan knows. there: every switch that runs."""

    site: Site
    texts: Texts
    there: frozenset[str]

    @cached_property
    def _subnets(self) -> dict[str, dict[str, set[str]]]:
        return {fabric.name: subnets_of(fabric) for fabric in self.site.fabrics}

    @cached_property
    def _keeps(self) -> dict[str, OwnPlan]:
        return {fabric.name: fabric.unmanaged for fabric in self.site.fabrics}

    @cached_property
    def _heard(self) -> Heard:
        return heard_in(self.site)

    @cached_property
    def present(self) -> Present:
        """Return what the design has, to read looks by."""
        return Present.of(self.site)

    @cached_property
    def routes(self) -> Routes:
        """Return the routes of the design."""
        return Routes(self.site, self.there, self.texts.slice)

    def wrong(self, name: str, health: Health) -> Wrong:
        """Return what of a look is not as designed."""
        switch_slice = self.texts.slice(name)
        found: Wrong = dict.fromkeys(
            wrong(switch_slice, health.traffic, self._subnets[switch_slice.switch.fabric]), ()
        )
        reader = reader_of(switch_slice.switch.platform)
        if reader is None or health.observed is None:
            return found
        others = named(switch_slice, self._keeps[switch_slice.switch.fabric].of(name))
        wanted = replace(expected(switch_slice, _ALONE, reader, self.there), others=others)
        for each in compare(wanted, health.observed):
            if each.kind is Kind.WRONG and each.key[0] in _COMPARED:
                found[each.sentence.removeprefix(f"{name}: ")] = each.key
        return found

    def left(self, name: str, health: Health) -> list[str]:
        """Return what of a look no configuration of ours brings or takes away."""
        return [said for said, key in self.wrong(name, health).items() if is_left(key)]

    def changes(self, name: str, running: str) -> frozenset[Key]:
        """Return the objects of which a switch is told something new. running: what it runs."""
        platform = self.texts.slice(name).switch.platform
        judge = judge_of(platform)
        if judge is None:
            return frozenset()
        before, _ = judge.facts(files_of(platform, running))
        after, _ = judge.facts(self.texts.of(name).files)
        told = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
        if self.texts.slice(name).detour and not is_drained(terms_of(before)):
            told.add(DRAINED)
        told.update(drained_links(self.texts.slice(name), before))
        return frozenset(told)

    def open(self, name: str, before: Health) -> Health:
        """Return the look at a switch without what its design shuts.

        That is bundles of which every port is shut, sessions to who is not there any more, and
        cables that are not its own.
        """
        switch_slice = self.texts.slice(name)
        away = {peer_of(switch_slice, each) for each in switch_slice.sessions} - self._awaited(
            switch_slice
        )
        shut = {
            spell(switch_slice.switch, item.port) for item in switch_slice.interfaces if item.closed
        }
        bundles = [member.split() for member in before.traffic.bundles]
        stays = {bundle for bundle, port in bundles if port not in shut}
        gone = {bundle for bundle, _ in bundles} - stays
        kept = {it: up for it, up in before.traffic.bundles.items() if it.split()[1] not in shut}

        def stay(sessions: Mapping[str, bool]) -> dict[str, bool]:
            return {each: up for each, up in sessions.items() if away.isdisjoint(each.split())}

        return replace(
            before,
            sessions=stay(before.sessions),
            bfd=stay(before.bfd),
            links={each: up for each, up in before.links.items() if each not in gone},
            cables=frozenset(filter(self._meant(switch_slice), before.cables)),
            traffic=replace(before.traffic, bundles=kept),
        )

    def beside(self, name: str, before: Health) -> Health:
        """Return the look at a neighbor without what the design takes from it later.

        Its sessions and ports to a switch that the batch removes go down, and are no loss.
        """
        switch_slice = self.texts.slice(name)
        known = _known(switch_slice) | self._awaited(switch_slice)

        def kept(name: str) -> bool:
            return not known.isdisjoint(name.split())

        return replace(
            before,
            sessions={each: up for each, up in before.sessions.items() if kept(each)},
            bfd={each: up for each, up in before.bfd.items() if kept(each)},
            pairs=before.pairs if switch_slice.pair is not None else {},
            links={each: up for each, up in before.links.items() if kept(each)},
            cables=frozenset(filter(self._meant(switch_slice), filter(kept, before.cables))),
            routes={each: count for each, count in before.routes.items() if kept(each)},
        )

    def _meant(self, switch_slice: SwitchSlice) -> Callable[[str], bool]:
        """Return whether a cable is the design's, as far as that knows its port and neighbor.

        Of a box that went, LLDP forgets the port when its time to live is over (IEEE 802.1AB).
        """
        ends = {
            spell(switch_slice.switch, item.port): self._heard(item.peer, item.peer_port)
            for item in switch_slice.interfaces
            if item.peer is not None and item.peer_port is not None
        }

        def meant(cable: str) -> bool:
            port, host, *far = cable.split()
            name, wanted = ends.get(port, ("", ""))
            return host.partition(".")[0] != name or far == [wanted]

        return meant

    def _awaited(self, switch_slice: SwitchSlice) -> frozenset[str]:
        """Return the names of sessions within the fabric that can be up."""
        return frozenset(
            peer_of(switch_slice, each)
            for each in switch_slice.sessions
            if each.peer.name in self.there and self._led(switch_slice, each)
        )

    def _led(self, switch_slice: SwitchSlice, session: Session) -> bool:
        """Tell whether anything leads to the other end: its link, or to a loopback some way.

        Routes are asked for where a link to that switch waits, since all of a big fabric take long.
        """
        if session.interface is not None:
            return not session.interface.silent
        links = [it for it in switch_slice.interfaces if it.peer == session.peer]
        if session.remote is None or not any(it.silent for it in links):
            return True
        return self.routes.more(switch_slice.switch.name, session.remote.prefix, 0)


def _known(switch_slice: SwitchSlice) -> frozenset[str]:
    """Return the names of ports, and of who is not of the fabric, that a switch has by design."""
    ports = {
        spell(switch_slice.switch, item.port) for item in switch_slice.interfaces if not item.closed
    }
    outside = {peer.remote.host for peer in switch_slice.peers}
    other = {switch_slice.pair.remote.host} if switch_slice.pair is not None else set()
    return frozenset(ports | outside | other)


@dataclass(kw_only=True)
class BatchComparison:
    """One batch held against the model. changed: of each of its switches, what it is told anew.

    old: by the last look, what is not as designed and was so before; left: of that what no
    configuration of ours brings or takes away.
    """

    model: Model
    before: Mapping[str, Health]
    changed: Mapping[str, frozenset[Key]]
    old: dict[str, list[str]] = field(default_factory=dict)
    left: dict[str, list[str]] = field(default_factory=dict)

    @cached_property
    def _earlier(self) -> dict[str, Wrong]:
        return {name: self.model.wrong(name, self.before[name]) for name in self.changed}

    def new(self, after: Mapping[str, Health]) -> dict[str, list[str]]:
        """Return what is not as designed and was not so before, by switch; `old` has what was."""
        found: dict[str, list[str]] = {}
        drained = [name for name, told in self.changed.items() if DRAINED in told]
        links = {key for told in self.changed.values() for key in told}
        for name, now in after.items():
            found[name] = self._routes(name, now, drained)
            ports, looks = ports_of(name, links), (self.before[name], now)
            found[name] += still_sent(name, ports, looks, self.model.routes)
            self.old[name], self.left[name] = [], []
            for each, key in self.model.wrong(name, now).items() if name in self.changed else ():
                before = self.left if is_left(key) else self.old
                (before if self._old(name, each, key) else found)[name].append(each)
        return found

    def owed(self, name: str, now: Health) -> Health:
        """Return the look before without EVPN routes that the design has nobody left to bring."""
        then, brought = self.before[name], dict[str, int]()
        for each, count in then.routes.items():
            vrf, peer, *_ = each.split()
            if vrf != GLOBAL or now.routes.get(each) or self.model.routes.told(name, peer):
                brought[each] = count
        return replace(then, routes=brought)

    def _old(self, name: str, sentence: str, key: Key) -> bool:
        return sentence in self._earlier[name] and key not in self.changed[name]

    def _routes(self, name: str, now: Health, drained: Sequence[str]) -> list[str]:
        """Say which VTEPs and loopbacks of the design a switch no longer has all its ways to.

        Fewer ways are one less for each session that went, which is said of the session; and
        for each switch that was drained, of which a neighbor must use none any more. What the
        design has no way to, or no more ways than are left, is as intended.
        """
        then, lost = self.before[name], list[str]()
        all_up = all(now.sessions.get(each) for each, up in then.sessions.items() if up)
        sessions = self.model.texts.slice(name).sessions if drained else ()
        passed = [it.peer.name for it in sessions if it.peer.name in drained and not it.overlay]
        for prefix in sorted(then.traffic.fib.keys() & self.model.routes.addresses):
            had, has = then.traffic.fib[prefix], now.traffic.fib.get(prefix, 0)
            less = has < had and (not has or (all_up and not drained))
            if less and self.model.routes.more(name, prefix, has):
                few = f"{has} ways to {prefix}, there were {had}"
                lost.append(few if has else f"no route to {prefix} any more")
            elif has == had > len(passed) > 0:
                lost.append(f"still {has} ways to {prefix}, over {' and '.join({*passed})} too")
        return lost

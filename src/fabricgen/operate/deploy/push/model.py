"""Find new deviations of running switches from the design.

A fabric with an old defect can still be changed. A deviation that existed before a batch, of an
object whose configuration the batch leaves unchanged, is reported and does not fail the health
check.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from fabricgen.core.tree.facts import GLOBAL, Key
from fabricgen.model.fabric.switch import Session, Site, SwitchSlice
from fabricgen.nos.health import Health
from fabricgen.nos.lowering import spell
from fabricgen.operate.deploy.coordination.terms import is_drained, terms_of
from fabricgen.operate.deploy.plan.switch_preview import files_of
from fabricgen.operate.deploy.push.checked import GateChecks
from fabricgen.operate.deploy.push.design_mismatch import subnets_of, wrong
from fabricgen.operate.deploy.push.renamed_state import Present
from fabricgen.operate.deploy.push.routes import Routes, drained_links, ports_of, still_sent
from fabricgen.operate.deploy.texts import Texts
from fabricgen.prove.designed import peer_of
from fabricgen.prove.left import is_left
from fabricgen.prove.written import judge_of

DRAINED: Key = ("drained",)
"""Change of a switch that becomes drained; no file names it."""

Wrong = dict[str, "Key"]
"""Sentences with their object; the object is empty for a difference without one in the files."""


@dataclass(frozen=True)
class Model:
    """Design of a push. there: all running switches."""

    site: Site
    texts: Texts
    there: frozenset[str]

    @cached_property
    def _subnets(self) -> dict[str, dict[str, set[str]]]:
        return {fabric.name: subnets_of(fabric) for fabric in self.site.fabrics}

    @cached_property
    def checks(self) -> GateChecks:
        """Return the checks of the catalogue that stop a push."""
        return GateChecks(self.site, self.texts, self.there)

    @cached_property
    def present(self) -> Present:
        """Return the names of the design for the translation of snapshots."""
        return Present.of(self.site)

    @cached_property
    def routes(self) -> Routes:
        """Return the routes of the design."""
        return Routes(self.site, self.there, self.texts.slice)

    def wrong(self, name: str, health: Health, before: Health | None = None) -> Wrong:
        """Return the differences of a snapshot from the design.

        before: an earlier snapshot, for counters that must not grow.
        """
        switch_slice, seen = self.texts.slice(name), health.observed
        about = self.checks.about(name, seen)
        subnets = self._subnets[switch_slice.switch.fabric]
        found: Wrong = dict.fromkeys(wrong(switch_slice, health.traffic, subnets, about), ())
        return {**found, **self.checks.failed(name, health, before)}

    def unverified(self, name: str, health: Health) -> tuple[str, ...]:
        """Return sentences about values of a snapshot that nothing proves."""
        return tuple(self.checks.unverified(name, health.observed))

    def left(self, name: str, health: Health) -> list[str]:
        """Return state in a snapshot that no rendered configuration creates or removes."""
        return [said for said, key in self.wrong(name, health).items() if is_left(key)]

    def changes(self, name: str, running: str) -> frozenset[Key]:
        """Return the objects whose configuration changes. running: the running configuration."""
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
        """Return a snapshot of a switch without state that its design removes.

        These are LAGs with only closed ports, sessions to removed neighbors, and unplanned cables.
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
        """Return a snapshot of a neighbor without state that the design removes.

        Its sessions and ports to a switch that the batch removes go down, which is not a loss.
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
        """Return a filter for designed cables, as far as the design knows the port and neighbor.

        LLDP forgets the port of a removed device when its time to live expires (IEEE 802.1AB).
        """
        ends = {
            spell(switch_slice.switch, item.port): self.checks.heard(item.peer, item.peer_port)
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
        """Check for a path to the remote end: its link, or a route to its loopback.

        Routes are computed only where a link to that switch is silent, because all routes of a big
        fabric take long.
        """
        if session.interface is not None:
            return not session.interface.silent
        links = [it for it in switch_slice.interfaces if it.peer == session.peer]
        if session.remote is None or not any(it.silent for it in links):
            return True
        return self.routes.more(switch_slice.switch.name, session.remote.prefix, 0)


def _known(switch_slice: SwitchSlice) -> frozenset[str]:
    """Return the names of ports and external peers that a switch has by design."""
    ports = {
        spell(switch_slice.switch, item.port) for item in switch_slice.interfaces if not item.closed
    }
    outside = {peer.remote.host for peer in switch_slice.peers}
    other = {switch_slice.pair.remote.host} if switch_slice.pair is not None else set()
    return frozenset(ports | outside | other)


@dataclass(kw_only=True)
class BatchComparison:
    """Comparison of one batch with the model.

    Attributes:
        changed: Objects with a changed configuration, by switch.
        old: Differences from the design that existed before.
        left: Old differences in state that no rendered configuration creates or removes.
        unread: Sentences about values that the last snapshot does not prove.
    """

    model: Model
    before: Mapping[str, Health]
    changed: Mapping[str, frozenset[Key]]
    old: dict[str, list[str]] = field(default_factory=dict)
    left: dict[str, list[str]] = field(default_factory=dict)
    unread: dict[str, list[str]] = field(default_factory=dict)

    @cached_property
    def _earlier(self) -> dict[str, Wrong]:
        return {name: self.model.wrong(name, self.before[name]) for name in self.changed}

    def new(self, after: Mapping[str, Health]) -> dict[str, list[str]]:
        """Return the new differences from the design by switch; `old` has the earlier ones."""
        found: dict[str, list[str]] = {}
        drained = [name for name, told in self.changed.items() if DRAINED in told]
        links = {key for told in self.changed.values() for key in told}
        for name, now in after.items():
            found[name] = self._routes(name, now, drained)
            ports, looks = ports_of(name, links), (self.before[name], now)
            found[name] += still_sent(name, ports, looks, self.model.routes)
            self.old[name], self.left[name], self.unread[name] = [], [], []
            if name in self.changed:
                self._compare(name, now, found[name])
        return found

    def _compare(self, name: str, now: Health, found: list[str]) -> None:
        """Add the new differences of a switch of the batch."""
        for each, key in self.model.wrong(name, now, self.before[name]).items():
            before = self.left if is_left(key) else self.old
            (before[name] if self._old(name, each, key) else found).append(each)
        self.unread[name] += self.model.unverified(name, now)

    def unseen(self) -> dict[str, list[str]]:
        """Return the switches of each value that the last snapshot does not prove."""
        names: dict[str, list[str]] = {}
        for name, sentences in self.unread.items():
            for each in sentences:
                names.setdefault(each, []).append(name)
        return names

    def owed(self, name: str, now: Health) -> Health:
        """Return the earlier snapshot without EVPN routes that no remaining switch advertises."""
        then, brought = self.before[name], dict[str, int]()
        for each, count in then.routes.items():
            vrf, peer, *_ = each.split()
            if vrf != GLOBAL or now.routes.get(each) or self.model.routes.told(name, peer):
                brought[each] = count
        return replace(then, routes=brought)

    def _old(self, name: str, sentence: str, key: Key) -> bool:
        return sentence in self._earlier[name] and key not in self.changed[name]

    def _routes(self, name: str, now: Health, drained: Sequence[str]) -> list[str]:
        """Report VTEPs and loopbacks to which a switch lost routes.

        Fewer ECMP paths without a failed session are a loss. They are expected next to a drained
        switch, where a neighbor must use fewer paths. A prefix without a route in the design, or
        with as many paths as are left, is as intended.
        """
        then, lost = self.before[name], list[str]()
        all_up = all(now.sessions.get(each) for each, up in then.sessions.items() if up)
        sessions = self.model.texts.slice(name).sessions if drained else ()
        passed = [it.peer.name for it in sessions if it.peer.name in drained and not it.overlay]
        for prefix in sorted(then.traffic.fib.keys() & self.model.routes.addresses):
            had, has = then.traffic.fib[prefix], now.traffic.fib.get(prefix, 0)
            less = has < had and (not has or (all_up and not drained))
            if less and self.model.routes.more(name, prefix, has):
                few = f"{has} paths to {prefix}, previously {had}"
                lost.append(few if has else f"no route to {prefix} any more")
            elif has == had > len(passed) > 0:
                lost.append(
                    f"still {has} paths to {prefix}, also through the drained "
                    f"{' and '.join({*passed})}"
                )
        return lost

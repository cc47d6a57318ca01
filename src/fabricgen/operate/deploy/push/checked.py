"""Runs the checks of the catalogue that stop a push on the snapshots of a batch."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from fabricgen.core.tree.facts import Key, Topic
from fabricgen.model.fabric.own_lines import OwnPlan
from fabricgen.model.fabric.switch import Site
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.health import Health
from fabricgen.nos.lowering import Heard, heard_in
from fabricgen.nos.registry import reader_of
from fabricgen.nos.show import UP, Observed
from fabricgen.operate.deploy.texts import Texts
from fabricgen.prove.catalogue.engine import run
from fabricgen.prove.catalogue.growth import growth
from fabricgen.prove.catalogue.growth import named as words_of
from fabricgen.prove.catalogue.load import chosen
from fabricgen.prove.catalogue.model import Check, Finding, Outcome, Result, Subject
from fabricgen.prove.left import named
from fabricgen.prove.running_overlay import Around
from fabricgen.prove.runs import Expected, expected, topic
from fabricgen.prove.underlay import Underlay

GATE = "gate"
"""Tag of the checks whose new failure stops a push. Other checks depend on further switches."""
OTHERWISE = {
    "Bfd": "sessions that worked before must work",
    "BfdTimers": "both ends agree on them, and the other end may change later",
    "Cables": "neighbors that LLDP saw before must be seen, with their new names",
    "Ecmp": "routes to VTEPs and loopbacks that existed before must exist, with as many paths",
    "EvpnImet": "routes of type 3 that existed before must exist",
    "EvpnPrefixes": "each end of a VRF whose subnets arrived before must still be there",
    "FloodLists": "ends that were flooded before must be flooded, if they still have the VLAN",
    "HardwareFib": "paths that the hardware had before must be there",
    "Identity": "the push compares the name and the serial number before it changes a switch",
    "MlagPair": "a pair that worked before must work; its leafs change one after the other",
    "Release": "a push installs no software",
    "TenantIsolation": "subnets in a VRF are compared with the subnets of other tenants",
}
"""Checks with the severity of an error without the tag of the gate: how the push compares."""
LOSSLESS = "lossless"
"""Tag of the checks that only a switch with traffic classes needs."""
ERRORS = 10
"""Errors that a counter may gain in the meantime: a link that comes up loses some frames."""
_NO_ROUTES = Underlay({}, {})
_AGENTS = frozenset({"acl-rule"})
"""Kinds whose missing state an agent of the switch alone brings."""


_COUNTERS = ("receive-errors", "transmit-errors", "fec-uncorrected", "watchdog-storms")
"""Measures that should not grow on any switch, whatever its design."""


def gate_checks() -> tuple[Check, ...]:
    """Return the checks that stop a push."""
    return chosen(tags=(GATE,))


def counted(before: Observed | None, after: Observed | None) -> Iterator[str]:
    """Yield a sentence for each error counter that grew, on a switch without a design."""
    if before is None or after is None:
        return
    for metric in _COUNTERS:
        for names, more in growth(before, after, metric):
            if more > ERRORS:
                yield f"{metric} of {words_of(metric, names)} grew by {more:,}"


@dataclass(frozen=True)
class GateChecks:
    """The checks of one push. there: all running switches."""

    site: Site
    texts: Texts
    there: frozenset[str]
    _expected: dict[str, Expected] = field(default_factory=dict, init=False)

    @cached_property
    def _keeps(self) -> Mapping[str, OwnPlan]:
        return {fabric.name: fabric.unmanaged for fabric in self.site.fabrics}

    @cached_property
    def heard(self) -> Heard:
        """Return the LLDP names of each port."""
        return heard_in(self.site)

    @cached_property
    def _limits(self) -> WatchLimits:
        limits = self.site.limits or WatchLimits()
        return replace(limits, error_frames=max(limits.error_frames, ERRORS))

    @cached_property
    def _around(self) -> Mapping[str, Around]:
        return {
            fabric.name: Around(identities=fabric.identities, running=self.there)
            for fabric in self.site.fabrics
        }

    def about(self, name: str, observed: Observed | None) -> frozenset[Topic]:
        """Return the topics that the checks compare on a switch."""
        reader = reader_of(self.texts.slice(name).switch.platform)
        return frozenset(reader.about if reader is not None and observed is not None else ())

    def failed(self, name: str, health: Health, before: Health | None = None) -> dict[str, Key]:
        """Return the object of each failure, by its sentence without the switch.

        A warning stops a push only if its check has the tag of the gate. A value from a guessed
        field fails no push, and neither does a protocol result that may still arrive. The health
        check compares those with the earlier snapshot.
        """
        earlier = before.observed if before is not None else None
        return {
            each.sentence.removeprefix(f"{name}: "): each.key
            for result in self._results(name, health.observed, earlier)
            for each in result.findings
            if stops(each) or _fell(each, health, earlier)
        }

    def unverified(self, name: str, observed: Observed | None) -> Iterator[str]:
        """Yield a sentence for each check with values that nothing proves: unread is not passed.

        The model needs these values, and the release or model of the switch does not report them,
        or a guessed field has them. The snapshot itself names unread parts.
        """
        if observed is None:
            return
        for check, result in zip(gate_checks(), self._results(name, observed, None), strict=False):
            values = [it for it in result.findings if it.outcome is Outcome.UNREAD and it.key]
            if values:
                first = values[0].sentence.removeprefix(f"{name}: ")
                more = f" and {len(values) - 1} more" if len(values) > 1 else ""
                yield f"{result.check}: {first}{more}"
            elif self._is_blind(name, check, result, observed):
                yield f"{result.check}: {result.reason}"

    def _is_blind(self, name: str, check: Check, result: Result, observed: Observed) -> bool:
        """Return whether the model needs values that the platform or the release does not report.

        A topic without any reader is needed by each switch with traffic classes.
        """
        switch_slice = self.texts.slice(name)
        absent = check.absent.get(switch_slice.switch.platform)
        if result.reason not in {*observed.unknown.values(), absent}:
            return False
        facts = self._wanted(name).facts.items()
        needed = {topic(key, word) for key, own in facts for word in own}
        qos = switch_slice.qos
        lossless = LOSSLESS in check.tags and qos is not None and bool(qos.lossless)
        return lossless or not needed.isdisjoint(check.topics)

    def _results(
        self, name: str, observed: Observed | None, before: Observed | None
    ) -> tuple[Result, ...]:
        reader = reader_of(self.texts.slice(name).switch.platform)
        if reader is None or observed is None:
            return ()
        subject = Subject(
            expected=self._wanted(name), observed=observed, before=before, limits=self._limits
        )
        return run(gate_checks(), subject, reader)

    def _wanted(self, name: str) -> Expected:
        """Return the expected state of a switch without the routes of other switches."""
        if name not in self._expected:
            switch_slice = self.texts.slice(name)
            reader = reader_of(switch_slice.switch.platform)
            fabric = switch_slice.switch.fabric
            assert reader is not None
            wanted = expected(
                switch_slice,
                _NO_ROUTES,
                reader,
                self.there,
                heard=self.heard,
                there=self._around[fabric],
            )
            others = named(switch_slice, self._keeps[fabric].of(name))
            self._expected[name] = replace(wanted, others=others)
        return self._expected[name]


def stops(each: Finding) -> bool:
    """Return whether a finding of such a check stops a push."""
    late = each.outcome is Outcome.NOT_YET and each.key[0] in _AGENTS
    return each.outcome is Outcome.FAILED or late


def _fell(each: Finding, health: Health, before: Observed | None) -> bool:
    """Return whether an interface was up before, and is no port of the health."""
    if before is None or each.outcome is not Outcome.NOT_YET or each.key[0] != "interface":
        return False
    was = before.facts.get(each.key, {}).get(each.attribute)
    return was == UP and each.key[1] not in health.links

"""Resolve the failure groups and the availability requirements of the intent."""

from collections.abc import Iterator, Sequence
from fnmatch import filter as like
from fractions import Fraction

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.core.units import Milliseconds
from fabricgen.intent.model.failures import FailureWords, PromiseWords
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.paths import at
from fabricgen.model.fabric.between import outward, ways_between
from fabricgen.model.fabric.failures import (
    NO_FAILURES,
    Fails,
    FailureModel,
    Figures,
    Promise,
    Together,
)
from fabricgen.model.fabric.switch import Fabric
from fabricgen.nos.registry import platforms


def resolve_failures(
    intent: Intent, fabrics: Sequence[Fabric], findings: Findings, *, whole: bool
) -> FailureModel:
    """Return the failure groups and requirements; report unknown names if all else is known."""
    words: FailureWords | None = intent.unless_refused("failures")
    if words is None or not words.whole or not whole:
        return NO_FAILURES
    known = _Known(fabrics=fabrics, intent=intent, findings=findings)
    together = (*known.zones(words), *known.doubles(words))
    promises = [known.promise(name, each) for name, each in words.promises.items()]
    return FailureModel(
        together=together,
        promises=tuple(each for each in promises if each is not None),
        figures=known.figures(words),
    )


@record(eq=False, kw_only=True)
class _Known:
    """Names that the intent may use."""

    fabrics: Sequence[Fabric]
    intent: Intent
    findings: Findings

    def zones(self, words: FailureWords) -> Iterator[Together]:
        """Yield the power zones."""
        names = [each.name for fabric in self.fabrics for each in fabric.topology.switches]
        for zone, held in words.power_zones.items():
            path = at("failures", "power_zones", zone, "switches")
            there: dict[str, None] = {}
            for pattern in held.switches:
                some = like(names, pattern)
                there.update(dict.fromkeys(some))
                if not some:
                    self._missing("switch", pattern, names, path)
            yield Together(kind=Fails.POWER_ZONE, name=zone, switches=tuple(there), ports=())

    def doubles(self, words: FailureWords) -> Iterator[Together]:
        """Yield the named double failures."""
        ports = {
            (switch.name, port.label)
            for fabric in self.fabrics
            for switch in fabric.topology.switches
            for port in switch.ports
        }
        used = {
            f"{end.name}:{port.label}"
            for fabric in self.fabrics
            for link in fabric.topology.links
            for end, port in ((link.lower, link.lower_port), (link.upper, link.upper_port))
        }
        between = outward(ways_between(self.fabrics))
        used |= {f"{leaf}:{label}" for each in between for leaf, label in each.ends}
        switches = {name for name, _ in ports}
        for number, named in enumerate(words.double_failures):
            path = at("failures", "double_failures", number)
            for name in named:
                if name not in switches and name not in used:
                    self._missing("switch or cabled port", name, [*switches, *used], path)
            yield Together(
                kind=Fails.DOUBLE,
                name=" and ".join(named),
                switches=tuple(name for name in named if name in switches),
                ports=tuple(_port(name) for name in named if name in used),
            )

    def figures(self, words: FailureWords) -> dict[str, Figures]:
        """Return the stated times by platform."""
        for name in words.recovery.keys() - set(platforms()):
            self._missing("platform", name, platforms(), at("failures", "recovery", name))
        return {
            name: Figures(
                source=each.source,
                link_down=_time(each.link_down),
                withdrawal=_time(each.withdrawal),
                fib_update=_time(each.fib_update),
            )
            for name, each in words.recovery.items()
        }

    def promise(self, name: str, words: PromiseWords) -> Promise | None:
        """Return a requirement; None if its fabric or tenant is unknown."""
        path = at("failures", "promises", name)
        kind, of = ("tenant", words.tenant) if words.tenant else ("fabric", words.fabric)
        known = [fabric.name for fabric in self.fabrics]
        if words.between is not None:
            return self._between(name, words, words.between, path)
        if kind == "tenant":
            known = list(self.intent.tenants)
        if of not in known:
            self._missing(kind, str(of), known, (*path, kind))
            return None
        return Promise(
            name=name,
            kind="rail" if words.rails else kind,
            of=str(of),
            keeps=_share(words.keeps),
            each=_share(words.each_server_keeps),
            stays=words.no_server_loses_it,
            within=_time(words.recovers_within),
            silent=words.silent is not False,
            after=frozenset(map(Fails, words.after or Fails)),
            path=path,
        )

    def _between(
        self, name: str, words: PromiseWords, sites: Sequence[str], path: IntentPath
    ) -> Promise | None:
        """Return a requirement for two sites; None if a fabric is unknown."""
        known = [fabric.name for fabric in self.fabrics]
        unknown = [each for each in sites if each not in known]
        for each in unknown:
            self._missing("fabric", each, known, (*path, "between"))
        if unknown:
            return None
        return Promise(
            name=name,
            kind="sites",
            of=" -- ".join(sites),
            keeps=_share(words.keeps),
            each=None,
            stays=words.no_vrf_loses_it,
            after=frozenset(map(Fails, words.after or Fails)),
            path=path,
            between=tuple(sites),
        )

    def _missing(self, what: str, name: str, known: Sequence[str], path: IntentPath) -> None:
        self.findings.unknown(f"no {what} {name!r}", path, name, known)


def _port(name: str) -> tuple[str, str]:
    switch, _, label = name.partition(":")
    return switch, label


def _share(percent: float | None) -> Fraction | None:
    """Return a percentage as a fraction: 87.5 is seven eighths."""
    return Fraction(str(percent)) / 100 if percent is not None else None


def _time(milliseconds: int | None) -> Milliseconds | None:
    return Milliseconds(milliseconds) if milliseconds is not None else None

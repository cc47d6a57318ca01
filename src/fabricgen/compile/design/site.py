"""Design a whole site from a validated intent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.compile.design.custom_config import with_own_lines
from fabricgen.compile.design.demand import demand_of, judge_demand
from fabricgen.compile.design.descriptions import descriptions_of
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.floor.floor import floor_of, measured, with_lengths
from fabricgen.compile.design.homes import judge_homes
from fabricgen.compile.design.identity import judge_identities
from fabricgen.compile.design.kinds.evpn import design_evpn
from fabricgen.compile.design.lossless_rules import judge_depth, judge_exchange
from fabricgen.compile.design.pinned_models import judge_hwskus, judge_models
from fabricgen.compile.design.pins import apart_managed, judge_pins
from fabricgen.compile.design.plan_clashes import judge_plan
from fabricgen.compile.design.port_profiles import judge_profiles
from fabricgen.compile.design.reach import judge_reach
from fabricgen.compile.design.server_placement import judge_servers, judge_sets
from fabricgen.compile.design.services import judge_time, services_in, services_of
from fabricgen.compile.design.share import judge_shares, numbered
from fabricgen.compile.design.wiring.faceplate import judge_meeting
from fabricgen.compile.design.zones.judge import judge_zones
from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.core.late import Late
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.intent.model.access import Access
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.model.routed import Routed
from fabricgen.intent.paths import at
from fabricgen.model.fabric.failures import NO_FAILURES
from fabricgen.model.fabric.floor import NO_FLOOR, Floor
from fabricgen.model.fabric.redundancy import traffic_without_path
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.state import Standing, State
from fabricgen.model.fabric.switch import Fabric, Site

if TYPE_CHECKING:
    from fabricgen.intent.model.fabric import FabricWords
    from fabricgen.intent.model.intent import AnyFabric, Intent

    Design = Callable[[Intent, Any, Services, Findings], Fabric | None]
    """The site, the words of one fabric, services and findings to the fabric; None for no whole."""
    Serves = Callable[[Sequence[Fabric], Intent, Any, Services, Findings], Fabric | None]
    """The same, with the fabrics that its switches serve first."""


@record()
class _Rare:
    """A step for sites with any of some keys. For other sites it is not even imported."""

    keys: tuple[str, ...]
    step: Late[Any]

    def __call__(self, intent: Intent, *more: Any, otherwise: Any = None, **named: Any) -> Any:
        """Return the result of the step, or `otherwise` for a site without the keys."""
        asked = any(map(intent.unless_refused, self.keys))
        return self.step.load()(intent, *more, **named) if asked else otherwise


_JOIN = _Rare(("dci", "applications"), Late("fabricgen.compile.design.dci:joined"))
_SPEEDS = _Rare(("dci",), Late("fabricgen.compile.design.dci:judge_speeds"))
_CIRCUITS = _Rare(("dci",), Late("fabricgen.compile.design.circuits:circuits_of"))
_BUDGETS = _Rare(("applications",), Late("fabricgen.compile.design.budgets:judge_budgets"))
_REPLICAS = _Rare(("applications",), Late("fabricgen.compile.design.replicas:applications_of"))
_CABLE = _Rare(("gateways",), Late("fabricgen.compile.design.gateways:cabled"))
_GATEWAYS = _Rare(("gateways",), Late("fabricgen.compile.design.gateways:with_gateways"))
_JOBS = _Rare(("jobs",), Late("fabricgen.compile.design.job_rules:judge_jobs"))
_PLANS = _Rare(("jobs",), Late("fabricgen.compile.design.job_plans:plan_jobs"))
_LIMITS = _Rare(("watch",), Late("fabricgen.compile.design.watching:limits_of"))
_FAILURES = _Rare(("failures",), Late("fabricgen.compile.design.failures:resolve_failures"))


class Kind(NamedTuple):
    """Kind of fabric: its intent model and its design function."""

    words: type[FabricWords]
    design: Design


class ServingKind(NamedTuple):
    """Kind of fabric that serves others: its intent model and its design function."""

    words: type[FabricWords]
    design: Serves


KINDS = (
    Kind(Frontend, partial(design_evpn, ())),
    Kind(Backend, Late("fabricgen.compile.design.kinds.rails:design_rails")),
    Kind(Routed, Late("fabricgen.compile.design.kinds.routed:design_routed")),
)
"""Model and design of each kind, in the order of checks and rendering."""

LATER = (
    ServingKind(Frontend, design_evpn),
    ServingKind(Access, Late("fabricgen.compile.design.kinds.access:design_access")),
)
"""Those that have management ports of the others, which are designed by then."""


_RULES = {
    State.PLANNED: "a planned switch is not installed yet",
    State.DRAINED: "a drained switch advertises every path as longer than any other",
    State.DEAD: "a push does not wait for a dead switch",
}


def states_of(words: AnyFabric, fabric: Fabric) -> Mapping[str, Standing]:
    """Return the state of each switch that is not simply active, by name."""
    found = {}
    for switch in fabric.topology.switches:
        said = words.switches.get(switch.key)
        state = State(said.state) if said is not None and said.state else State.ACTIVE
        if state is not State.ACTIVE:
            path = (*at(*fabric.place, "switches"), switch.key, "state")
            found[switch.name] = Standing(state=state, because=Provenance((path,), _RULES[state]))
    return found


def judge_states(words: AnyFabric, fabric: Fabric, findings: Findings) -> None:
    """Report lost traffic where all redundant switches are planned, drained or dead."""
    for switch in fabric.topology.switches:
        own = fabric.states.get(switch.name)
        if own is None or own.state is State.PLANNED:
            continue
        path, why = own.because.main, traffic_without_path(fabric, switch, fabric.idle)
        accepted = words.switches[switch.key].accept_loss
        if own.state is State.DEAD and why:
            findings.warn(Code.DEAD_AND_MISSED, f"{switch.name} is dead: {why}", path)
        elif own.state is State.DRAINED and why and not accepted:
            hint = "set `accept_loss: true` next to it to permit this, or drain the others later"
            hint = hint if switch.is_leaf else "drain them one after the other"
            findings.error(Code.NO_OTHER_WAY, f"{switch.name} cannot be drained: {why}", path, hint)
        elif accepted and not why:
            text = f"draining {switch.name} loses no traffic, so `accept_loss` has no effect"
            findings.error(
                Code.NOTHING_TO_ACCEPT, text, (*path[:-1], "accept_loss"), "leave it out"
            )


def design_site(intent: Intent) -> tuple[Site, list[Diagnostic]]:
    """Design every fabric of the intent; report and omit a fabric with an error.

    If racks need other cable lengths than assumed, everything is designed once more.
    """
    site, findings = _design(intent)
    if not intent.unless_refused("racks") or not findings.whole:
        return site, findings.items
    longest = measured(list(intent.each_fabric()), site.fabrics, site.floor)
    judged = Findings()
    laid = with_lengths(intent, longest, judged)
    if laid is not intent:
        site, findings = _design(laid)
    return site, [*findings.items, *judged.items]


def _design(intent: Intent) -> tuple[Site, Findings]:
    findings = Findings()
    services = services_of(intent.site, findings)
    intent = _JOIN(intent, findings, otherwise=intent)
    intent = _CABLE(intent, findings, otherwise=intent)
    every = list(intent.each_fabric())
    apart = judge_shares(every, intent.site.management.unless_refused("subnet"), findings)
    step = _Step(intent=intent, services=services, fabrics=apart, findings=findings)
    fabrics = step.designed(KINDS, manages=False)
    for kind, serve in LATER:
        fabrics += step.designed([Kind(kind, partial(serve, tuple(fabrics)))], manages=True)
    fabrics = apart_managed(fabrics, services.gateway, findings)
    order = [words.name for kind, _ in (*KINDS, *LATER) for words in apart if type(words) is kind]
    fabrics.sort(key=lambda fabric: order.index(fabric.name))
    fabrics = with_own_lines(intent, _GATEWAYS(intent, fabrics, findings, otherwise=fabrics))
    _SPEEDS(intent, fabrics, findings)
    with findings.going_on():
        _judge_count(intent, findings)
    with findings.going_on():
        judge_homes(intent, every, findings)
        judge_profiles(intent, findings)
    judges = (partial(_JOBS, intent), partial(judge_zones, intent, fabrics))
    for judge in (*judges, partial(judge_sets, intent, every), partial(judge_identities, fabrics)):
        with findings.going_on():
            judge(findings)
    jobs = findings.attempt(lambda: tuple(_PLANS(intent, fabrics, findings, otherwise=())))
    judge_time(services, every, findings)
    judge_servers(fabrics, findings)
    judge_exchange(fabrics, findings)
    whole = findings.whole and len(fabrics) == len(apart)
    failures = _FAILURES(intent, fabrics, findings, whole=whole, otherwise=NO_FAILURES)
    floor = _floor(intent, fabrics, findings, whole=whole)
    said = {words.name: words for words in apart}
    for fabric in fabrics:
        judge_reach(said[fabric.name], fabric, floor, findings)
    circuits = _CIRCUITS(intent, fabrics, floor.optics, findings, otherwise={})
    _BUDGETS(intent, circuits, findings)
    return Site(
        name=services.site,
        services=services,
        fabrics=tuple(fabrics),
        failures=failures,
        floor=floor,
        circuits=circuits,
        applications=_REPLICAS(intent, otherwise=()),
        jobs=jobs or (),
        limits=_LIMITS(intent),
    ), findings


def _judge_count(intent: Intent, findings: Findings) -> None:
    """Report a site without any fabric; stop where one was refused."""
    if not (intent.backend or intent.frontend or intent.fabrics):
        hint = "add `backend:` or `frontend:`, or other fabrics in `fabrics:`"
        findings.error(Code.MISSING_KEY, "the site has no fabric", ("site",), hint)


def _floor(intent: Intent, fabrics: Sequence[Fabric], findings: Findings, *, whole: bool) -> Floor:
    """Return the places of devices in racks, without repeated findings.

    whole: every fabric is designed. Otherwise racks are incomplete, so only findings that more
    content would not remove are kept, and no cable is measured.
    """
    mine = Findings()
    floor = mine.attempt(lambda: floor_of(intent, fabrics, mine))
    sure = (item for item in mine.items if whole or item.code in _SURE)
    findings.items.extend(item for item in sure if item not in findings.items)
    findings.whole = findings.whole and mine.whole
    return floor if whole and floor is not None else NO_FLOOR


_SURE = (Code.RACK_FULL, Code.WRONG_AISLE, Code.DUPLICATE_ID)
"""Findings about racks that stay true when another fabric adds content."""


def _as_said(words: AnyFabric, fabric: Fabric, findings: Findings) -> bool:
    """Check the pinned devices and numbers; return whether they have no fault."""
    fits = judge_models(words, fabric, findings)
    fits = judge_meeting(words, fabric.topology, findings) and fits
    return judge_plan(fabric, findings) and judge_pins(words, fabric, findings) and fits


@record(kw_only=True)
class _Step:
    """Input of the design of every kind."""

    intent: Intent
    services: Services
    fabrics: Sequence[AnyFabric]
    findings: Findings

    def designed(self, kinds: Iterable[Kind], *, manages: bool) -> list[Fabric]:
        """Design the fabrics of some kinds: those that manage others, or the rest."""
        fabrics = []
        for kind, design in kinds:
            for words in self.fabrics:
                if not isinstance(words, kind) or words.manages is not manages:
                    continue
                mine = Findings()
                with mine.going_on():
                    judge_hwskus(words, mine)
                    services = services_in(words, self.services, mine)
                    fabric = design(self.intent, numbered(words), services, mine)
                    if fabric is not None and _as_said(words, fabric, mine):
                        texts = descriptions_of(self.intent.site, words)
                        states = states_of(words, fabric)
                        stands, asked = words.stands(self.intent.site), demand_of(words)
                        fabric = replace(fabric, descriptions=texts, states=states, demand=asked)
                        fabric = replace(fabric, site=stands)
                        fabrics.append(fabric)
                        judge_states(words, fabric, mine)
                        judge_demand(fabric, mine)
                        judge_depth(words, fabric, mine)
                self.findings.items.extend(mine.items)
        return fabrics

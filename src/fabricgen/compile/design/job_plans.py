"""Plan the running jobs of a designed site, and report jobs that span scalable units."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.jobs import RunningJob, kind_of, running
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import spans
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.paths import at
from fabricgen.model.fabric.jobs import JobPlan
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Server, Switch, Topology


def plan_jobs(intent: Intent, fabrics: Sequence[Fabric], findings: Findings) -> Iterator[JobPlan]:
    """Yield the jobs that name servers; report the cost of their placement."""
    designed = {fabric.name: fabric for fabric in fabrics}
    homes = [name for name, each in designed.items() if _bridges(each)]
    for job in running(intent):
        kind, rails = kind_of(intent, job.pool), job.pool.rails
        if not job.numbers or kind is None:
            continue
        names = _names(job, fabrics)
        under = designed.get(rails.fabric) if rails is not None else None
        units = _units(under.topology, names) if under is not None else {}
        plan = JobPlan(
            name=job.name,
            pool=job.pool_name,
            fabric=job.pool.fabric or (homes[0] if homes else ""),
            rails=rails.fabric if rails is not None else "",
            storage=job.pool.storage.fabric if job.pool.storage is not None else "",
            servers=tuple(names),
            gpus=kind.gpus,
            units=tuple(units.values()),
            ratio=_ratio(under.topology, set(units.values())) if under is not None else 0.0,
            because=Provenance((at(*job.path, *job.key),), f"servers of job {job.name}"),
        )
        if under is not None and len(plan.spread) > 1:
            _judge(plan, job, _largest(under.topology, job), findings)
        yield plan


def _bridges(fabric: Fabric) -> bool:
    return fabric.overlay is not None and fabric.addresses.nics is None


def _names(job: RunningJob, fabrics: Sequence[Fabric]) -> list[str]:
    """Return the names of its servers, by number."""
    found = {
        server.number: server.name
        for fabric in fabrics
        for server in fabric.topology.servers
        if server.kind == job.pool.servers and server.number in job.numbers
    }
    return [found[number] for number in sorted(found)]


def _units(topology: Topology, names: Collection[str]) -> dict[str, int]:
    """Return the scalable unit of each server."""
    units = {
        link.lower.name: link.upper.unit
        for link in topology.links
        if isinstance(link.lower, Server)
    }
    return {name: units[name] for name in names if name in units}


def _ratio(topology: Topology, units: Collection[int]) -> float:
    """Return the highest ratio of server bandwidth to uplink bandwidth of leafs in some units."""
    down: dict[str, int] = defaultdict(int)
    up: dict[str, int] = defaultdict(int)
    for link in topology.links:
        if isinstance(link.lower, Switch) and link.lower.unit in units and link.lower.is_leaf:
            up[link.lower.name] += link.speed
        elif isinstance(link.lower, Server) and link.upper.unit in units:
            down[link.upper.name] += link.speed
    return max((down[name] / speed for name, speed in up.items()), default=0.0)


def _largest(topology: Topology, job: RunningJob) -> int:
    """Return the servers of its kind in the fullest unit."""
    names = [each.name for each in topology.servers if each.kind == job.pool.servers]
    return max(Counter(_units(topology, names).values()).values(), default=0)


def _judge(plan: JobPlan, job: RunningJob, room: int, findings: Findings) -> None:
    """Report what a job in several units costs; with local VRFs its units never meet."""
    path = plan.because.main
    start = f"job {plan.name} spans units {spans(plan.spread)} of the {plan.rails}"
    if job.pool.rails is not None and job.pool.rails.local:
        text = f"{start}, but its VRF is local to each leaf, so the units never meet"
        hint = "place it in one unit, or remove `local`"
        findings.error(Code.JOB_SPREAD, text, path, hint)
        return
    fits = len(plan.servers) <= room
    findings.add(
        Diagnostic(
            Code.JOB_SPREAD,
            f"{start}: {100 * plan.leaving:.0f} % of its all-to-all leaves a unit, bandwidth of "
            f"servers to uplinks {plan.ratio:.3g} : 1",
            path=path,
            hint=f"a unit has {room} servers of {job.pool.servers}, so one unit is enough"
            if fits
            else f"a unit has {room} servers of {job.pool.servers}: keep all-to-all inside a unit "
            "and data parallelism between units",
            severity=Severity.WARNING if fits else Severity.NOTE,
        )
    )

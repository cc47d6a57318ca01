"""Turn each job into tenants, one on each of its networks."""

from collections.abc import Iterator
from typing import Any

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.rail_kinds import RailKind, sized_kinds
from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.jobs import Job, JobPool, Subnets
from fabricgen.intent.model.servers import ServerKind
from fabricgen.intent.model.tenants import Attachment, Tenant, Vlan, Vrf
from fabricgen.intent.paths import at

IDLE = "idle"
"""VRF and tenant of the servers of rails that no job has."""


@record(kw_only=True)
class RunningJob:
    """One valid job of a pool. `numbers`: empty if only its attachments name its servers."""

    pool_name: str
    pool: JobPool
    name: str
    job: Job
    slot: int
    numbers: tuple[int, ...]

    @property
    def path(self) -> IntentPath:
        """Return its place in the intent."""
        return at("jobs", self.pool_name, "jobs", self.name)

    @property
    def key(self) -> IntentPath:
        """Return the key that names its servers; empty without one."""
        if not self.numbers:
            return ()
        return ("unit",) if self.job.unit is not None else ("servers",)


def pools(intent: Intent) -> Iterator[tuple[str, JobPool]]:
    """Yield the valid pools by name."""
    every: dict[str, JobPool] = intent.unless_refused("jobs") or {}
    return ((name, pool) for name, pool in every.items() if pool.whole)


def holders_of(pool: JobPool) -> dict[int | None, str]:
    """Return the owner of each slot: the first job that names it."""
    holders: dict[int | None, str] = {}
    for name, job in pool.jobs.items():
        if job.slot is not None and job.slot <= pool.slots:
            holders.setdefault(job.slot, name)
    return holders


def kind_of(intent: Intent, pool: JobPool) -> ServerKind | None:
    """Return the kind of servers of a pool; None if it is unknown or has errors."""
    kind = (intent.unless_refused("servers") or {}).get(pool.servers)
    return kind if kind is not None and kind.whole else None


def numbers_of(intent: Intent, pool: JobPool, job: Job) -> tuple[int, ...] | None:
    """Return the servers of a job by number; None if some do not exist."""
    kind, said = kind_of(intent, pool), job.servers
    if said is None and job.unit is None:
        return ()
    if kind is None:
        return None
    if said is not None:
        return tuple(sorted(said)) if max(said) <= kind.count else None
    return in_unit(intent, pool, job.unit or 0) or None


def in_unit(intent: Intent, pool: JobPool, unit: int) -> tuple[int, ...]:
    """Return the servers of a kind in a scalable unit of its rails; empty without any."""
    rails = [
        words
        for words in intent.each_fabric()
        if isinstance(words, Backend) and pool.rails and words.name == pool.rails.fabric
    ]
    for each in (laid for words in rails for laid in _units(words)):
        if each.group == pool.servers and each.first <= unit <= each.last:
            first = (unit - each.first) * each.per_unit + 1
            last = min(first + each.per_unit - 1, each.words.servers.count)
            return tuple(range(first, last + 1))
    return ()


def _units(words: Backend) -> list[RailKind]:
    """Return the kinds of servers of rails by their units; none after an error."""
    kinds = sorted(map(words.with_servers, words.served), key=lambda each: each.unit)
    sized = Findings().attempt(lambda: sized_kinds(kinds, Findings())) if kinds else None
    return sized[1] if sized is not None else []


def running(intent: Intent) -> Iterator[RunningJob]:
    """Yield the jobs with a slot, a name and servers that no other job has."""
    names = set(intent.unless_refused("tenants") or {}) | {IDLE}
    taken: set[tuple[str | None, int]] = set()
    for pool_name, pool in pools(intent):
        holders = holders_of(pool)
        for name, job in pool.jobs.items():
            numbers = numbers_of(intent, pool, job)
            mine = {(pool.servers, number) for number in numbers or ()}
            if job.slot is None or name in names or holders.get(job.slot) != name:
                continue
            if numbers is None or mine & taken:
                continue
            names.add(name)
            taken |= mine
            yield RunningJob(
                pool_name=pool_name,
                pool=pool,
                name=name,
                job=job,
                slot=job.slot,
                numbers=numbers,
            )


def jobs_of(intent: Intent) -> Iterator[tuple[str, Tenant]]:
    """Yield the tenants of jobs by name: of a job one on each network, and one of idle rails."""
    for each in running(intent):
        yield each.name, _bridged(each, each.pool.fabric, each.pool.port, each.pool, [])
        storage, rails = each.pool.storage, each.pool.rails
        if storage is not None and each.numbers:
            exports = [name for name in storage.exports if name in vrfs_on(intent, storage.fabric)]
            own = _bridged(each, storage.fabric, storage.port, storage, exports)
            yield each.name, own
        if rails is not None and each.numbers:
            vrf = Vrf.model_construct(id=each.pool.vrf_ids + each.slot - 1, local=rails.local)
            item = _attachment(each, vrf=each.name)
            yield each.name, _tenant(each, rails.fabric, vrf, [item])
    yield from _idle(intent)


def vrfs_on(intent: Intent, fabric: str) -> list[str]:
    """Return the VRFs of tenants that name a fabric, or none."""
    every = (intent.unless_refused("tenants") or {}).values()
    own = [each for each in every if each.unless_refused("fabric") in (None, fabric)]
    return [name for each in own for name in each.unless_refused("vrfs") or ()]


def _idle(intent: Intent) -> Iterator[tuple[str, Tenant]]:
    """Yield the tenant of the idle servers of each fabric of rails, of the first pool there."""
    seen = set()
    for pool_name, pool in pools(intent):
        if pool.rails is None or pool.rails.fabric in seen:
            continue
        seen.add(pool.rails.fabric)
        vrf = Vrf.model_construct(id=pool.rails.idle_vrf, local=pool.rails.local)
        idle = Tenant.model_construct(
            fabric=pool.rails.fabric, description=None, vrfs={IDLE: vrf}, attachments=[]
        )
        yield IDLE, idle.of_job(at("jobs", pool_name, "rails"), numbers=("idle_vrf",))


def _bridged(
    each: RunningJob, fabric: str | None, port: str | None, subnets: Subnets, exports: list[str]
) -> Tenant:
    """Return the tenant of a job with one VLAN, whose numbers all follow from the slot."""
    vlan = Vlan.model_construct(
        id=each.pool.vlan_ids + each.slot - 1, subnet=subnets.subnet(each.slot)
    )
    vrf = Vrf.model_construct(
        id=each.pool.vrf_ids + each.slot - 1, vlans={each.name: vlan}, share_routes=exports
    )
    way = "addresses" if subnets.subnets.version == 4 else "addresses6"
    home = subnets is each.pool
    route = each.name if home else None
    item = _attachment(each, access=each.name, port=port, default_route=route, **{way: "static"})
    items = [item if home else item.reaching()]
    more = each.job.attachments if home else []
    made = _tenant(each, fabric, vrf, [*(items if each.numbers else ()), *more])
    if home:
        return made
    return made.of_job(
        each.path, each.key, exports=at("jobs", each.pool_name, "storage", "exports")
    )


def _attachment(each: RunningJob, **keys: Any) -> Attachment:
    return Attachment.model_construct(servers=each.pool.servers, numbers=each.numbers, **keys)


def _tenant(each: RunningJob, fabric: str | None, vrf: Vrf, items: list[Attachment]) -> Tenant:
    tenant = Tenant.model_construct(
        fabric=fabric,
        description=each.job.description,
        vrfs={each.name: vrf},
        attachments=items,
    )
    return tenant.of_job(each.path, each.key)

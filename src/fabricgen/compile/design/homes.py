"""Find the fabric of each tenant and turn jobs into tenants.

Rails are always named by their tenants: without tenants all their servers share one routing table.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath, dotted
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import AnyFabric, Intent
from fabricgen.intent.model.jobs import Job, JobPool
from fabricgen.intent.model.tenants import Tenant, Vlan, Vrf
from fabricgen.intent.paths import at


def jobs_of(intent: Intent) -> dict[str, Tenant]:
    """Return each job as a tenant of its name; without a slot or name of its own it is none."""
    made: dict[str, Tenant] = {}
    taken = intent.unless_refused("tenants") or {}
    for pool_name, pool in _pools(intent):
        holders = _holders(pool)
        for name, job in pool.jobs.items():
            if name not in made and name not in taken and holders.get(job.slot) == name:
                made[name] = _tenant(pool, name, job, at("jobs", pool_name, "jobs", name))
    return made


def _pools(intent: Intent) -> Iterator[tuple[str, JobPool]]:
    pools: dict[str, JobPool] = intent.unless_refused("jobs") or {}
    return ((name, pool) for name, pool in pools.items() if pool.whole)


def _holders(pool: JobPool) -> dict[int | None, str]:
    """Return the owner of each slot: the first job that names it."""
    holders: dict[int | None, str] = {}
    for name, job in pool.jobs.items():
        if job.slot is not None and job.slot <= pool.slots:
            holders.setdefault(job.slot, name)
    return holders


def _tenant(pool: JobPool, name: str, job: Job, path: IntentPath) -> Tenant:
    """Return a tenant of one VRF with one VLAN, whose numbers all follow from the slot."""
    assert job.slot is not None
    before = job.slot - 1
    vlan = Vlan.model_construct(id=pool.vlan_ids + before, subnet=pool.subnet(job.slot))
    vrf = Vrf.model_construct(id=pool.vrf_ids + before, vlans={name: vlan})
    tenant = Tenant.model_construct(
        fabric=pool.fabric,
        description=job.description,
        vrfs={name: vrf},
        attachments=job.attachments,
    )
    return tenant.of_job(path)


def judge_jobs(intent: Intent, findings: Findings) -> None:
    """Report jobs without a slot or a name of their own, and ids of a pool that others have."""
    names = {name: at("tenants", name) for name in intent.unless_refused("tenants") or {}}
    for pool_name, pool in _pools(intent):
        _judge_slots(pool_name, pool, findings)
        for name in pool.jobs:
            path = at("jobs", pool_name, "jobs", name)
            if name in names:
                what = f"the name {name} is already used by {dotted(names[name])}"
                findings.error(
                    Code.DUPLICATE_ID,
                    what,
                    path,
                    "choose another name, because a job becomes a tenant",
                )
            names.setdefault(name, path)
    _judge_ids(intent, findings)


def _judge_slots(pool_name: str, pool: JobPool, findings: Findings) -> None:
    """Refuse a job that has no slot of its own, and say which is free."""
    holders = _holders(pool)
    free = next((slot for slot in range(1, pool.slots + 1) if slot not in holders), None)
    hint = f"`slot: {free}` is free" if free else "remove a job, or raise `slots`"
    for name, job in pool.jobs.items():
        path = at("jobs", pool_name, "jobs", name)
        if holders.get(job.slot) == name:
            continue
        if free is None:
            sentence = f"the pool {pool_name} has no free slot: all {pool.slots} are taken"
        elif job.slot is None:
            sentence = f"the job {name} has no slot in the pool {pool_name}"
        elif job.slot > pool.slots:
            sentence = f"the pool {pool_name} has {pool.slots} slots, but no slot {job.slot}"
        else:
            sentence = f"slot {job.slot} is already used by {holders[job.slot]}"
        place = path if job.slot is None else (*path, "slot")
        findings.error(Code.JOB_WITHOUT_SLOT, sentence, place, hint)


def _judge_ids(intent: Intent, findings: Findings) -> None:
    """Refuse ids that a pool keeps for its slots: a job would clash on the day that it starts."""
    pools = list(_pools(intent))
    for (one, mine), (other, theirs) in combinations(pools, 2):
        for key in ("vrf_ids", "vlan_ids") if mine.shares(theirs.fabric) else ():
            first, second = getattr(mine, key), getattr(theirs, key)
            if first < second + theirs.slots and second < first + mine.slots:
                sentence = f"its slots use the same `{key}` as slots of {one}"
                findings.error(Code.DUPLICATE_ID, sentence, at("jobs", other, key))
    for what, path, fabric, number in _ids(intent):
        for name, pool in pools:
            first = pool.vlan_ids if what == "VLAN" else pool.vrf_ids
            if number in range(first, first + pool.slots) and pool.shares(fabric):
                sentence = (
                    f"the {what} id {number} is reserved for slot {number - first + 1} of {name}"
                )
                findings.error(Code.DUPLICATE_ID, sentence, path, "use an id outside its slots")


def _ids(intent: Intent) -> Iterator[tuple[str, IntentPath, str | None, int]]:
    """Yield every id of tenants, with its object, its place and its fabric."""
    tenants: dict[str, Tenant] = intent.unless_refused("tenants") or {}
    for name, tenant in tenants.items():
        if not tenant.whole:
            continue
        for vrf_name, vrf in tenant.vrfs.items():
            here = at("tenants", name, "vrfs", vrf_name)
            yield "VRF", (*here, "id"), tenant.fabric, vrf.id
            for vlan_name, vlan in vrf.vlans.items():
                yield "VLAN", (*here, "vlans", vlan_name, "id"), tenant.fabric, vlan.id
        for vlan_name, vlan in tenant.vlans.items():
            path = at("tenants", name, "vlans", vlan_name, "id")
            yield "VLAN", path, tenant.fabric, vlan.id


def tenants_on(intent: Intent, fabric: str) -> dict[str, Tenant]:
    """Return the tenants of one fabric; a tenant without `fabric` is on the only one."""
    homes = _homes(list(intent.each_fabric()))
    every: dict[str, Tenant] = {**(intent.unless_refused("tenants") or {}), **jobs_of(intent)}
    return {name: tenant for name, tenant in every.items() if _home(tenant, homes) == fabric}


def judge_homes(intent: Intent, fabrics: Sequence[AnyFabric], findings: Findings) -> None:
    """Report tenants without a fabric: unknown, of another kind, or not named."""
    _ = intent.frontend, intent.fabrics  # stops where one was refused: tenants may live there
    homes, names = _homes(fabrics), {words.name: words for words in fabrics}
    rails = [words.name for words in fabrics if isinstance(words, Backend)]
    tenants = {
        (key, name): words
        for key in ("tenants", "jobs")
        for name, words in (intent.unless_refused(key) or {}).items()
    }
    if tenants and not homes and not rails:
        findings.error(Code.UNKNOWN_REFERENCE, "tenants need a frontend", ("tenants",))
        return
    for (key, name), tenant in tenants.items():
        fabric, path = tenant.unless_refused("fabric"), (key, name, "fabric")
        may = [*homes, *rails] if key == "tenants" else homes
        if fabric in rails and fabric in may:
            continue
        if fabric in names and fabric not in homes:
            where = (
                "tenants need a fabric of kind evpn or rails"
                if key == "tenants"
                else ("jobs need a fabric of kind evpn")
            )
            sentence = f"{fabric} is of kind {names[fabric].kind}, but {where}"
            findings.error(Code.BAD_VALUE, sentence, path, f"use one of {', '.join(may)}")
        elif fabric is not None and fabric not in homes:
            findings.unknown(f"no fabric {fabric!r} in the site", path, fabric, may)
        elif _home(tenant, homes) is None and "fabric" in vars(tenant):
            whose = f"the tenant {name}" if key == "tenants" else f"the pool {name}"
            findings.error(
                Code.MISSING_KEY,
                f"{whose} does not name its fabric; "
                + ("several are possible" if homes else "a fabric of kind rails must be named"),
                path[:-1],
                f"add `fabric:` with one of {', '.join(homes or may)}",
            )


def _homes(fabrics: Sequence[AnyFabric]) -> list[str]:
    return [words.name for words in fabrics if isinstance(words, Frontend)]


def _home(tenant: Tenant | JobPool, homes: Sequence[str]) -> str | None:
    """Return the fabric of a tenant, None where it is not known."""
    if "fabric" not in vars(tenant):
        return None  # it was refused
    return tenant.fabric or (homes[0] if len(homes) == 1 else None)

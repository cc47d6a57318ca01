"""Check jobs: slots, names, ids, servers, networks and quotas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from fabricgen.compile.design.jobs import (
    IDLE,
    holders_of,
    kind_of,
    numbers_of,
    pools,
    vrfs_on,
)
from fabricgen.core.diagnostics import Code, IntentPath, dotted
from fabricgen.core.units import spans
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.paths import at

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.intent import AnyFabric, Intent
    from fabricgen.intent.model.jobs import Job, JobPool, Quota
    from fabricgen.intent.model.tenants import Tenant


def judge_jobs(intent: Intent, findings: Findings) -> None:
    """Report the faults of jobs and of their pools."""
    names = {name: at("tenants", name) for name in intent.unless_refused("tenants") or {}}
    for pool_name, pool in pools(intent):
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
        _judge_networks(intent, pool_name, pool, findings)
        _judge_quotas(intent, pool_name, pool, findings)
    _judge_idle(intent, names, findings)
    _judge_servers(intent, findings)
    _judge_ids(intent, findings)


def _judge_slots(pool_name: str, pool: JobPool, findings: Findings) -> None:
    """Refuse a job that has no slot of its own, and say which is free."""
    holders = holders_of(pool)
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


def _judge_networks(intent: Intent, pool_name: str, pool: JobPool, findings: Findings) -> None:
    """Report unknown servers of a pool, and networks on which tenants cannot be separated."""
    kinds, path = intent.unless_refused("servers"), at("jobs", pool_name)
    if pool.servers is not None and kinds is not None and pool.servers not in kinds:
        text = f"no kind of servers is named {pool.servers!r}"
        findings.unknown(text, (*path, "servers"), pool.servers, kinds)
    for place, name in enumerate(pool.storage.exports if pool.storage is not None else ()):
        known = vrfs_on(intent, pool.storage.fabric) if pool.storage is not None else []
        if name not in known:
            text = f"no tenant of the storage fabric has a VRF {name!r}"
            findings.unknown(text, (*path, "storage", "exports", place), name, known)
    every: dict[str, AnyFabric] = {words.name: words for words in intent.each_fabric()}
    for key, kind in (("rails", Backend), ("storage", Frontend)):
        network, word = getattr(pool, key), str(kind.model_fields["kind"].default)
        if network is None or isinstance(every.get(network.fabric), kind):
            continue
        able = [name for name, words in every.items() if isinstance(words, kind)]
        here, found = (*path, key, "fabric"), every.get(network.fabric)
        if found is None:
            text = f"no fabric {network.fabric!r} in the site"
            findings.unknown(text, here, network.fabric, able)
            continue
        findings.error(
            Code.BAD_VALUE,
            f"{found.name} is of kind {found.kind}, but `{key}` of jobs needs kind {word}, which "
            "separates tenants",
            here,
            f"use one of {', '.join(able)}" if able else f"add a fabric of kind {word}",
        )


def _judge_idle(intent: Intent, names: Mapping[str, IntentPath], findings: Findings) -> None:
    """Report a tenant or job with the reserved name, and pools that disagree about idle servers."""
    known: dict[str, int] = {}
    for pool_name, pool in pools(intent):
        if pool.rails is None:
            continue
        here = at("jobs", pool_name, "rails", "idle_vrf")
        if known.setdefault(pool.rails.fabric, pool.rails.idle_vrf) != pool.rails.idle_vrf:
            findings.error(
                Code.BAD_VALUE,
                f"another pool has idle_vrf {known[pool.rails.fabric]} for the {pool.rails.fabric}",
                here,
                "use the same id: idle servers are in one VRF",
            )
        for other, theirs in pools(intent):
            first = theirs.vrf_ids
            if pool.rails.idle_vrf in range(first, first + theirs.slots) and theirs.shares(
                pool.rails.fabric, vlans=False
            ):
                text = f"the VRF id {pool.rails.idle_vrf} is reserved for a slot of {other}"
                findings.error(Code.DUPLICATE_ID, text, here, "use an id outside its slots")
    if known and IDLE in names:
        text = f"{IDLE} is the tenant of the rails' idle servers"
        findings.error(Code.DUPLICATE_ID, text, names[IDLE], "choose another name")


def _judge_servers(intent: Intent, findings: Findings) -> None:
    """Report servers of jobs that do not exist or that two jobs have."""
    owners: dict[tuple[str | None, int], str] = {}
    for pool_name, pool in pools(intent):
        for name, job in pool.jobs.items():
            path = at("jobs", pool_name, "jobs", name)
            numbers = numbers_of(intent, pool, job)
            if numbers is None:
                _missing(intent, pool, job, path, findings)
                continue
            taken = [each for each in numbers if (pool.servers, each) in owners]
            if taken:
                findings.error(
                    Code.PORT_USED_TWICE,
                    f"{pool.servers} {spans(taken)} of job {name} already belong to job "
                    f"{owners[pool.servers, taken[0]]}",
                    (*path, "unit" if job.unit is not None else "servers"),
                    "a server is in one job at a time",
                )
            owners.update({(pool.servers, each): name for each in numbers if each not in taken})


def _missing(intent: Intent, pool: JobPool, job: Job, path: IntentPath, findings: Findings) -> None:
    """Report why the servers of a job are not known."""
    kind = kind_of(intent, pool)
    if pool.servers is None:
        findings.error(
            Code.MISSING_KEY,
            "the job names servers, but its pool has no kind of servers",
            path,
            "add `servers:` with a kind to the pool",
        )
    elif kind is not None and job.unit is not None:
        where = (
            f"the {pool.rails.fabric}" if pool.rails is not None else "the pool, without `rails`"
        )
        text = f"{where} has no servers of {pool.servers} in unit {job.unit}"
        findings.error(Code.UNKNOWN_REFERENCE, text, (*path, "unit"))
    elif kind is not None and job.servers is not None:
        text = f"there are {kind.count} servers of {pool.servers}, but no number {max(job.servers)}"
        findings.error(Code.UNKNOWN_REFERENCE, text, (*path, "servers"))


def _judge_quotas(intent: Intent, pool_name: str, pool: JobPool, findings: Findings) -> None:
    """Report jobs above their quota, and a pool whose jobs together are above its quota."""
    kind, total = kind_of(intent, pool), 0
    for name, job in pool.jobs.items():
        count = len(numbers_of(intent, pool, job) or ())
        total += count
        if kind is not None and job.quota is not None:
            path = at("jobs", pool_name, "jobs", name, "quota")
            _above(f"job {name}", job.quota, count, kind.gpus, path, findings)
    if kind is not None and pool.quota is not None:
        path = at("jobs", pool_name, "quota")
        _above(f"the jobs of {pool_name}", pool.quota, total, kind.gpus, path, findings)


def _above(
    who: str, quota: Quota, servers: int, each: int, path: IntentPath, findings: Findings
) -> None:
    for key, used in (("servers", servers), ("gpus", servers * each)):
        limit, noun = getattr(quota, key), "GPUs" if key == "gpus" else key
        if limit is not None and used > limit:
            verb = "has" if who.startswith("job ") else "have"
            findings.error(
                Code.JOB_ABOVE_QUOTA,
                f"{who} {verb} {used} {noun}, but the quota is {limit}",
                (*path, key),
                "end a job, take fewer servers, or raise the quota",
            )


def _judge_ids(intent: Intent, findings: Findings) -> None:
    """Refuse ids that a pool keeps for its slots: a job would clash on the day that it starts."""
    every = list(pools(intent))
    for (one, mine), (other, theirs) in combinations(every, 2):
        for key in ("vrf_ids", "vlan_ids"):
            first, second = getattr(mine, key), getattr(theirs, key)
            met = mine.meets(theirs, vlans=key == "vlan_ids")
            if met and first < second + theirs.slots and second < first + mine.slots:
                sentence = f"its slots use the same `{key}` as slots of {one}"
                findings.error(Code.DUPLICATE_ID, sentence, at("jobs", other, key))
    for what, path, fabric, number in _ids(intent):
        for name, pool in every:
            first = pool.vlan_ids if what == "VLAN" else pool.vrf_ids
            held = number in range(first, first + pool.slots)
            if held and pool.shares(fabric, vlans=what == "VLAN"):
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

"""Tenants and the fabrics of a site in, the fabric on which each tenant lives out.

Rails are named by who lives there: without tenants all their servers share one table.
"""

from collections.abc import Sequence

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.jobs import jobs_of
from fabricgen.core.diagnostics import Code, did_you_mean
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import AnyFabric, Intent
from fabricgen.intent.model.jobs import JobPool
from fabricgen.intent.model.tenants import Tenant


def tenants_on(intent: Intent, fabric: str) -> dict[str, Tenant]:
    """Return the tenants of one fabric; one that names none lives on the only one there is."""
    homes = _homes(list(intent.each_fabric()))
    every: dict[str, Tenant] = {**(intent.unless_refused("tenants") or {}), **jobs_of(intent)}
    return {name: tenant for name, tenant in every.items() if _home(tenant, homes) == fabric}


def judge_homes(intent: Intent, fabrics: Sequence[AnyFabric], findings: Findings) -> None:
    """Report who lives nowhere: the fabric is not there, of another kind, or not named."""
    _ = intent.frontend, intent.fabrics  # stops where one was refused: tenants may live there
    homes, names = _homes(fabrics), {words.name: words for words in fabrics}
    rails = [words.name for words in fabrics if isinstance(words, Backend)]
    tenants = {
        (key, name): words
        for key in ("tenants", "jobs")
        for name, words in (intent.unless_refused(key) or {}).items()
    }
    if tenants and not homes and not rails:
        findings.error(Code.UNKNOWN_REFERENCE, "tenants need a frontend to live on", ("tenants",))
        return
    for (key, name), tenant in tenants.items():
        fabric, path = tenant.unless_refused("fabric"), (key, name, "fabric")
        may = [*homes, *rails] if key == "tenants" else homes
        if fabric in rails and fabric in may:
            continue
        if fabric in names and fabric not in homes:
            where = "tenants live on evpn or on rails" if key == "tenants" else "jobs live on evpn"
            sentence = f"{fabric} is of kind {names[fabric].kind}; {where}"
            findings.error(Code.BAD_VALUE, sentence, path, f"one of {', '.join(may)}")
        elif fabric is not None and fabric not in homes:
            hint = did_you_mean(fabric, may)
            findings.error(Code.UNKNOWN_REFERENCE, f"no fabric {fabric!r} in the site", path, hint)
        elif _home(tenant, homes) is None and "fabric" in vars(tenant):
            whose = f"the tenant {name}" if key == "tenants" else f"the pool {name}"
            findings.error(
                Code.MISSING_KEY,
                f"{whose} does not say which fabric it lives on; "
                + ("several may have it" if homes else "rails are named"),
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

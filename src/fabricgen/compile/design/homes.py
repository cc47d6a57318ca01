"""Find the fabric of each tenant.

Rails are always named by their tenants: without tenants all their servers share one routing table.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code
from fabricgen.core.late import Late
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.intent import AnyFabric, Intent
from fabricgen.intent.model.tenants import Tenant

if TYPE_CHECKING:
    from fabricgen.intent.model.jobs import JobPool

_JOBS: Late[Any] = Late("fabricgen.compile.design.jobs:jobs_of")


def tenants_on(intent: Intent, fabric: str) -> dict[str, Tenant]:
    """Return the tenants of one fabric; a tenant without `fabric` is on the only one."""
    homes = _homes(list(intent.each_fabric()))
    told: dict[str, Tenant] = intent.unless_refused("tenants") or {}
    every = list(told.items())
    if intent.unless_refused("jobs"):
        every += _JOBS(intent)
    return {name: tenant for name, tenant in every if _home(tenant, homes) == fabric}


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


def _home(tenant: "Tenant | JobPool", homes: Sequence[str]) -> str | None:
    """Return the fabric of a tenant, None where it is not known."""
    if "fabric" not in vars(tenant):
        return None  # it was refused
    return tenant.fabric or (homes[0] if len(homes) == 1 else None)

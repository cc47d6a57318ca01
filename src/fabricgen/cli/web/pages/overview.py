"""Makes the data of the overview: fabrics, counts, findings and checks."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from fabricgen.api import is_installed
from fabricgen.api.findings import as_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import Fabric, Site


def chunks(site: Site) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the chunk of the overview. Every page loads it first."""
    yield "site", partial(_site, site)


def _site(site: Site) -> dict[str, Any]:
    return {
        "name": site.name,
        "ok": site.ok,
        "findings": [as_row(finding) for finding in site.findings],
        "checks": checks(site),
        "fabrics": [_fabric(fabric) for fabric in site.fabrics.values()] if site.ok else [],
        "servers": len(site.servers) if site.ok else 0,
        "lossless": any(each.is_lossless for each in site.fabrics.values()) if site.ok else False,
        "planned": is_installed("plan"),
    }


def checks(site: Site) -> list[dict[str, Any]]:
    """Return each check with the number of examined objects and their noun."""
    return [{"check": check, "objects": count, "noun": noun} for check, count, noun in site.checks]


def _fabric(fabric: Fabric) -> dict[str, Any]:
    roles = Counter(switch.role for switch in fabric.switches.values())
    return {
        "name": fabric.name,
        "design": fabric.design,
        "lossless": fabric.is_lossless,
        "roles": dict(roles),
        "platforms": sorted({switch.platform for switch in fabric.switches.values()}),
        "models": dict(Counter(switch.model for switch in fabric.switches.values())),
        "cables": sum(1 for _ in fabric.cables()),
        "ratios": dict(fabric.ratios),
    }

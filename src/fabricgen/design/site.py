"""The design stage: a validated Intent in, the designed Site and everything to say about it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.design.backend import design_backend
from fabricgen.design.findings import Findings
from fabricgen.design.frontend import design_frontend
from fabricgen.design.identity import judge_identities
from fabricgen.design.services import services_of
from fabricgen.diagnostics import Code, Diagnostic
from fabricgen.fabric.switch import Site

if TYPE_CHECKING:
    from fabricgen.intent.model.intent import Intent


def design_site(intent: Intent) -> tuple[Site, list[Diagnostic]]:
    """Design every fabric of the intent; one with an error that spoils it is left out and said."""
    findings = Findings()
    services = services_of(intent.site, findings)
    fabrics = []
    for design in (design_frontend, design_backend):
        mine = Findings()
        with mine.going_on():
            fabric = design(intent, services, mine)
            fabrics += [fabric] if fabric is not None else []
        findings.items.extend(mine.items)
    with findings.going_on():
        _say_missing(intent, findings)
    with findings.going_on():
        judge_identities(fabrics, findings)
    return Site(name=services.site, services=services, fabrics=tuple(fabrics)), findings.items


def _say_missing(intent: Intent, findings: Findings) -> None:
    if intent.backend is None and intent.frontend is None:
        findings.error(
            Code.MISSING_KEY, "the site has no fabric", ("site",), "add `backend:` or `frontend:`"
        )
    if intent.frontend is None and intent.tenants:
        findings.error(Code.UNKNOWN_REFERENCE, "tenants need a frontend to live on", ("tenants",))

"""The design stage: a validated Intent in, the designed Site and everything to say about it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.design.findings import Findings
from fabricgen.design.homes import judge_homes
from fabricgen.design.identity import judge_identities
from fabricgen.design.kinds.registry import KINDS
from fabricgen.design.services import services_of
from fabricgen.design.share import judge_shares, numbered
from fabricgen.diagnostics import Code, Diagnostic
from fabricgen.fabric.switch import Site

if TYPE_CHECKING:
    from fabricgen.intent.model.intent import Intent


def design_site(intent: Intent) -> tuple[Site, list[Diagnostic]]:
    """Design every fabric of the intent; one with an error that spoils it is left out and said."""
    findings = Findings()
    services = services_of(intent.site, findings)
    every = list(intent.each_fabric())
    apart = judge_shares(every, intent.site.management.unless_refused("subnet"), findings)
    fabrics = []
    for kind, design in KINDS:
        for words in (words for words in apart if isinstance(words, kind)):
            mine = Findings()
            with mine.going_on():
                fabric = design(intent, numbered(words), services, mine)
                fabrics += [fabric] if fabric is not None else []
            findings.items.extend(mine.items)
    with findings.going_on():
        if not (intent.backend or intent.frontend or intent.fabrics):
            hint = "add `backend:` or `frontend:`, or others in `fabrics:`"
            findings.error(Code.MISSING_KEY, "the site has no fabric", ("site",), hint)
    with findings.going_on():
        judge_homes(intent, every, findings)
    with findings.going_on():
        judge_identities(fabrics, findings)
    return Site(name=services.site, services=services, fabrics=tuple(fabrics)), findings.items

"""Every check there is, in the order of its code; adding one touches one line here."""

from __future__ import annotations

from collections.abc import Iterable

from fabricgen.checks.check import Check, judged
from fabricgen.diagnostics import Examined
from fabricgen.fabric.switch import Fabric, Site, SwitchSlice

CHECKS: tuple[type[Check], ...] = ()


def run_checks(site: Site, pieces: Iterable[tuple[Fabric, SwitchSlice]]) -> list[Examined]:
    """Show every slice to every check, once, and collect what they say."""
    checks = [kind(site) for kind in CHECKS]
    for fabric, piece in pieces:
        for check in checks:
            check.see(fabric, piece)
    return [judged(check.result()) for check in checks]

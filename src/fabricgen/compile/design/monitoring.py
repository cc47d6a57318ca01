"""Checks how switches are watched: users of SNMP, traps, and fabrics of precise time."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.intent import AnyFabric
    from fabricgen.model.fabric.services import Services


def judge_time(services: Services, every: Sequence[AnyFabric], findings: Findings) -> None:
    """Report fabrics of precise time that are not there, and ports of it on others."""
    here, told = (*services.path, "ptp"), services.ptp
    names, timed = {words.name: words for words in every}, told.fabrics if told is not None else ()
    for place, name in enumerate(timed):
        if name not in names:
            hint = did_you_mean(name, names)
            sentence = f"no fabric {name!r} in the site"
            findings.error(Code.UNKNOWN_REFERENCE, sentence, (*here, "fabrics", place), hint)
    for words in every:
        for each in words.served:
            if each.ports.unless_refused("ptp") and words.name not in timed:
                findings.error(
                    Code.MISSING_KEY,
                    f"{words.name} has no precise time to give to {each.kind}",
                    each.at("ptp"),
                    "add it to `site.management.ptp.fabrics`",
                )


def judge_snmp(services: Services, findings: Findings) -> None:
    """Say where nobody could ask, where two users are one, and where traps have no user."""
    snmp, here = services.snmp, (*services.path, "snmp")
    if snmp is None:
        return
    names = Counter(user.name for user in snmp.users)
    if not names and snmp.community is None:
        findings.error(Code.MISSING_KEY, "SNMP for nobody: give `users` or a `community`", here)
    for name in sorted(name for name, times in names.items() if times > 1):
        findings.error(Code.DUPLICATE_ID, f"two SNMP users named {name!r}", (*here, "users"))
    if snmp.traps is not None and snmp.traps.user not in names:
        findings.error(
            Code.UNKNOWN_REFERENCE,
            f"traps are sent as {snmp.traps.user!r}, and `users` has none of that name",
            (*here, "traps", "user"),
            did_you_mean(snmp.traps.user, names),
        )

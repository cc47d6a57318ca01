"""How the intent watches switches in; what every switch is told of it out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, did_you_mean
from fabricgen.fabric.services import Sflow, SnmpUser, Streaming, Traps

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.diagnostics import IntentPath
    from fabricgen.intent.model import monitoring as words


def snmp_users(
    snmp: words.Snmp | None, here: IntentPath, findings: Findings
) -> tuple[SnmpUser, ...]:
    """Return the users of version 3; what of SNMP cannot be meant is said."""
    if snmp is None:
        return ()
    _judge(snmp, here, findings)
    return tuple(
        SnmpUser(name=each.name, auth=each.auth, privacy=each.privacy) for each in snmp.users
    )


def traps(snmp: words.Snmp | None) -> Traps | None:
    """Return who gets traps."""
    if snmp is None or snmp.traps is None:
        return None
    return Traps(tuple(map(str, snmp.traps.targets)), snmp.traps.user)


def sflow(given: words.Sflow | None) -> Sflow | None:
    """Return who gets samples."""
    return Sflow(tuple(map(str, given.collectors)), given.rate) if given else None


def streaming(given: words.CloudVision | None) -> Streaming | None:
    """Return who is streamed the state of switches."""
    return Streaming(tuple(map(str, given.servers)), given.port) if given else None


def _judge(snmp: words.Snmp, here: IntentPath, findings: Findings) -> None:
    """Say where nobody could ask, where two users are one, and where traps have no user."""
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

"""Central login of the intent in; the servers that are asked, in their order, out."""

from collections.abc import Collection

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.aaa import Aaa
from fabricgen.intent.model.site import Management
from fabricgen.model.fabric.services import LoginServers

PROTOCOLS = {"tacacs": "TACACS+", "radius": "RADIUS"}


def login_of(
    management: Management, path: IntentPath, findings: Findings
) -> tuple[LoginServers, ...]:
    """Return the servers by protocol, the protocol that is asked first at the beginning."""
    aaa: Aaa | None = management.unless_refused("aaa")
    if aaa is None or not aaa.whole:
        return ()
    here = (*path, "aaa")
    given = {name: words for name in PROTOCOLS if (words := getattr(aaa, name)) is not None}
    _judge(aaa, given.keys(), here, findings)
    if given and not management.unless_refused("users"):
        findings.warn(
            Code.MISSING_KEY,
            "central login without a local account: when no server answers, only accounts that a "
            "switch had before let anybody in",
            here,
            "give one in `users`, its password kept where people find it in an emergency",
        )
    return tuple(
        LoginServers(
            protocol=name,
            servers=tuple(map(str, given[name].servers)),
            key=given[name].key,
        )
        for name in aaa.order or given
        if name in given
    )


def _judge(aaa: Aaa, given: Collection[str], here: IntentPath, findings: Findings) -> None:
    """Say what of the order cannot be meant, and which protocol has a server alone."""
    if not given:
        findings.error(Code.MISSING_KEY, "`aaa` names no servers: give tacacs or radius", here)
    for name in dict.fromkeys(aaa.order):
        if name not in given:
            findings.error(
                Code.UNKNOWN_REFERENCE,
                f"the order asks {PROTOCOLS[name]} servers, and there are none",
                (*here, "order"),
            )
    for protocol in given:
        if aaa.order and protocol not in aaa.order:
            findings.error(
                Code.BAD_VALUE,
                f"the order leaves out {PROTOCOLS[protocol]}: nobody would ask its servers",
                (*here, "order"),
            )
        if len(getattr(aaa, protocol).servers) == 1:
            findings.warn(
                Code.BAD_VALUE,
                f"one {PROTOCOLS[protocol]} server: while it is down, only local accounts work",
                (*here, protocol, "servers"),
                "give at least two",
            )
    if len(set(aaa.order)) < len(aaa.order):
        findings.error(Code.BAD_VALUE, "the order names a protocol twice", (*here, "order"))

"""Checks the central login of a site: servers, their order, and who gets in without them."""

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.model.fabric.services import Services
from fabricgen.model.settings.services import LoginServers

PROTOCOLS = {"tacacs": "TACACS+", "radius": "RADIUS"}


def judge_login(services: Services, *, has_users: bool, findings: Findings) -> None:
    """Report what of the central login cannot be meant, and what locks people out.

    Args:
        services: The services of the site.
        has_users: Some local account is given, even one that was refused.
        findings: Where findings go.
    """
    if services.aaa is None:
        return
    here, given = (*services.path, "aaa"), _servers(services)
    _judge(services.aaa.order, given, here, findings)
    if given and not has_users:
        findings.warn(
            Code.MISSING_KEY,
            "central login without a local account: when no server answers, only accounts that a "
            "switch had before let anybody in",
            here,
            "give one in `users`, its password kept where people find it in an emergency",
        )


def _servers(services: Services) -> dict[str, LoginServers]:
    every = {name: getattr(services.aaa, name) for name in PROTOCOLS}
    return {name: servers for name, servers in every.items() if servers is not None}


def _judge(
    order: tuple[str, ...], given: dict[str, LoginServers], here: IntentPath, findings: Findings
) -> None:
    """Say what of the order cannot be meant, and which protocol has a server alone."""
    if not given:
        findings.error(Code.MISSING_KEY, "`aaa` names no servers: give tacacs or radius", here)
    for name in dict.fromkeys(order):
        if name not in given:
            findings.error(
                Code.UNKNOWN_REFERENCE,
                f"the order asks {PROTOCOLS[name]} servers, and there are none",
                (*here, "order"),
            )
    for protocol, servers in given.items():
        if order and protocol not in order:
            findings.error(
                Code.BAD_VALUE,
                f"the order leaves out {PROTOCOLS[protocol]}: nobody would ask its servers",
                (*here, "order"),
            )
        if len(servers.servers) == 1:
            findings.warn(
                Code.BAD_VALUE,
                f"one {PROTOCOLS[protocol]} server: while it is down, only local accounts work",
                (*here, protocol, "servers"),
                "give at least two",
            )
    if len(set(order)) < len(order):
        findings.error(Code.BAD_VALUE, "the order names a protocol twice", (*here, "order"))

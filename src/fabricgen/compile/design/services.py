"""Design the management services of a site."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from netaddr import IPAddress, IPNetwork

from fabricgen.core.diagnostics import Code
from fabricgen.intent.paths import at
from fabricgen.intent.settings import given
from fabricgen.model.fabric.services import Services
from fabricgen.model.settings import services
from fabricgen.model.settings.services import protocols

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.compile.design.findings import Findings
    from fabricgen.core.diagnostics import IntentPath
    from fabricgen.intent.model.fabric import FabricWords
    from fabricgen.intent.model.intent import AnyFabric
    from fabricgen.intent.model.site import Management, SiteWords
    from fabricgen.model.settings.services import LoginServers


def services_of(site: SiteWords, findings: Findings) -> Services:
    """Collect the management settings of every switch.

    Refused values are left out, because no other part of a fabric depends on them.
    """
    words = site.management
    path = at("site", "management")
    carried = given(services.Management, words)
    _judge_clocks(carried.get("ntp", ()), path, findings)
    users = words.unless_refused("users") or ()
    names = Counter(user.unless_refused("name") for user in users)
    for name in sorted(name for name, times in names.items() if name and times > 1):
        findings.error(Code.DUPLICATE_ID, f"two local users named {name!r}", (*path, "users"))
    made = Services(
        path=path,
        site=site.called,
        vrf=words.unless_refused("vrf") or "mgmt",
        gateway=str(_gateway(words, path, findings) or ""),
        admitted=_admitted(words, path, findings),
        **carried,
    )
    judge_login(made, has_users=bool(users), findings=findings)
    judge_snmp(made, findings)
    return made


def services_in(words: FabricWords, whole: Services, findings: Findings) -> Services:
    """Return the services of a fabric's switches: its own keys, then the keys of the site."""
    said = words.unless_refused("services")
    if said is None:
        return whole
    own = {key: value for key, value in given(services.Watching, said).items() if value}
    here = at(*words.here, "services")
    _judge_clocks(own.get("ntp", ()), here, findings)
    return replace(whole, **own, own=tuple(own), nearer=here)


def _judge_clocks(ntp: Sequence[str], here: IntentPath, findings: Findings) -> None:
    if len(ntp) == 1:
        findings.warn(
            Code.BAD_VALUE,
            "only one NTP server is configured: a switch cannot detect that it is wrong",
            (*here, "ntp"),
            "configure at least two",
        )


def _gateway(words: Management, path: IntentPath, findings: Findings) -> IPAddress | None:
    """Return the gateway of the management ports, the first address where none is given."""
    subnet, gateway = words.unless_refused("subnet"), words.unless_refused("gateway")
    if gateway is not None and subnet is not None and gateway not in subnet:
        findings.error(
            Code.BAD_VALUE, f"the gateway {gateway} is not in {subnet}", (*path, "gateway")
        )
        gateway = None
    return IPAddress(int(subnet.first) + 1) if gateway is None and subnet is not None else gateway


def _admitted(words: Management, path: IntentPath, findings: Findings) -> tuple[str, ...]:
    """Return the prefixes that may manage switches; the management network must be included."""
    here, subnet = (*path, "admitted"), words.unless_refused("subnet")
    admitted: list[IPNetwork] = words.unless_refused("admitted") or []
    for prefix in admitted:
        if prefix.version != 4:
            findings.error(
                Code.BAD_VALUE, f"{prefix} is not IPv4, but switches are managed over IPv4", here
            )
        elif not prefix.prefixlen:
            findings.error(Code.BAD_VALUE, f"{prefix} permits every address: remove the key", here)
    if admitted and subnet is not None and not any(subnet in prefix for prefix in admitted):
        findings.error(
            Code.BAD_VALUE,
            f"the management network {subnet} would be locked out of its own switches",
            here,
            f"add {subnet}, or a prefix that contains it",
        )
    return tuple(dict.fromkeys(map(str, admitted)))


PROTOCOLS = {"tacacs": "TACACS+", "radius": "RADIUS", "ldap": "LDAP"}


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
            "central login has no local account: when no server answers, only accounts that "
            "already exist on a switch can log in",
            here,
            "add one to `users`, and keep its password available for an emergency",
        )


def _servers(services: Services) -> dict[str, LoginServers]:
    every = {name: getattr(services.aaa, name) for name in protocols()}
    return {name: servers for name, servers in every.items() if servers is not None}


def _judge(
    order: tuple[str, ...], given: dict[str, LoginServers], here: IntentPath, findings: Findings
) -> None:
    """Report invalid entries of the order, and protocols with a single server."""
    if not given:
        findings.error(Code.MISSING_KEY, "`aaa` names no servers: configure one protocol", here)
    for name in dict.fromkeys(order):
        if name not in given:
            findings.error(
                Code.UNKNOWN_REFERENCE,
                f"the order contains {PROTOCOLS[name]} servers, but none are configured",
                (*here, "order"),
            )
    for protocol, servers in given.items():
        if order and protocol not in order:
            findings.error(
                Code.BAD_VALUE,
                f"the order omits {PROTOCOLS[protocol]}, so its servers are never used",
                (*here, "order"),
            )
        if len(servers.servers) == 1:
            findings.warn(
                Code.BAD_VALUE,
                f"only one {PROTOCOLS[protocol]} server is configured: while it is down, only "
                "local accounts work",
                (*here, protocol, "servers"),
                "configure at least two",
            )
    if len(set(order)) < len(order):
        findings.error(Code.BAD_VALUE, "the order names a protocol twice", (*here, "order"))


def judge_time(services: Services, every: Sequence[AnyFabric], findings: Findings) -> None:
    """Report unknown fabrics of precise time, and PTP ports on other fabrics."""
    here, told = (*services.path, "ptp"), services.ptp
    names, timed = {words.name: words for words in every}, told.fabrics if told is not None else ()
    for place, name in enumerate(timed):
        if name not in names:
            findings.unknown(
                f"no fabric {name!r} in the site", (*here, "fabrics", place), name, names
            )
    for words in every:
        for each in words.served:
            if each.ports.unless_refused("ptp") and words.name not in timed:
                findings.error(
                    Code.MISSING_KEY,
                    f"{words.name} has no precise time (PTP), which {each.kind} needs",
                    each.at("ptp"),
                    "add it to `site.management.ptp.fabrics`",
                )


def judge_snmp(services: Services, findings: Findings) -> None:
    """Report SNMP without users, two users of one name, and traps whose user is unknown."""
    snmp, here = services.snmp, (*services.path, "snmp")
    if snmp is None:
        return
    names = Counter(user.name for user in snmp.users)
    if not names and snmp.community is None:
        findings.error(Code.MISSING_KEY, "SNMP has no users: set `users` or a `community`", here)
    for name in sorted(name for name, times in names.items() if times > 1):
        findings.error(Code.DUPLICATE_ID, f"two SNMP users named {name!r}", (*here, "users"))
    if snmp.traps is not None and snmp.traps.user not in names:
        findings.unknown(
            f"traps are sent as {snmp.traps.user!r}, but `users` has no such name",
            (*here, "traps", "user"),
            snmp.traps.user,
            names,
        )

"""Builds the management services, the login servers and the monitoring of a site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from netaddr import IPAddress, IPNetwork

from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.intent.paths import at
from fabricgen.intent.settings import given
from fabricgen.model.fabric.services import (
    LoginServers,
    Ptp,
    Services,
    Sflow,
    SnmpUser,
    Streaming,
    Tls,
    Traps,
    User,
)
from fabricgen.model.settings import services

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model import monitoring as words
    from fabricgen.intent.model.aaa import Aaa
    from fabricgen.intent.model.intent import AnyFabric
    from fabricgen.intent.model.site import Management, SiteWords
    from fabricgen.intent.model.vocabulary import Words


def snmp_users(
    snmp: words.Snmp | None, here: IntentPath, findings: Findings
) -> tuple[SnmpUser, ...]:
    """Return the users of version 3; what of SNMP cannot be meant is said."""
    if snmp is None:
        return ()
    _judge_monitoring(snmp, here, findings)
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


def precise_time(given: words.Ptp | None) -> Ptp | None:
    """Return the domain of precise time."""
    return Ptp(given.domain, tuple(given.fabrics)) if given else None


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


def _judge_monitoring(snmp: words.Snmp, here: IntentPath, findings: Findings) -> None:
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


def services_of(site: SiteWords, findings: Findings) -> Services:
    """Collect what every switch is told about management.

    What was refused is left out, as nothing in a fabric follows from it.
    """
    words = site.management
    path = at("site", "management")
    carried = given(services.Management, words)
    if len(carried.get("ntp", ())) == 1:
        findings.warn(
            Code.BAD_VALUE,
            "one NTP server: a switch cannot tell when it is wrong",
            (*path, "ntp"),
            "give at least two",
        )
    users = words.unless_refused("users") or ()
    names = Counter(user.unless_refused("name") for user in users)
    for name in sorted(name for name, times in names.items() if name and times > 1):
        findings.error(Code.DUPLICATE_ID, f"two local users named {name!r}", (*path, "users"))
    snmp, gnmi, tls = (_whole(words, key) for key in ("snmp", "gnmi", "tls"))
    return Services(
        path=path,
        site=site.called,
        vrf=words.unless_refused("vrf") or "mgmt",
        gateway=str(_gateway(words, path, findings) or ""),
        **carried,
        snmp_community=snmp.community if snmp else None,
        snmp_location=snmp.location if snmp else None,
        snmp_contact=snmp.contact if snmp else None,
        gnmi_port=gnmi.port if gnmi else None,
        gnmi_collectors=tuple(map(str, gnmi.collectors)) if gnmi else (),
        tls=Tls(tls.certificate, tls.key) if tls else None,
        users=tuple(
            User(name=u.name, role=u.role, password_hash=u.password_hash, ssh_key=u.ssh_key)
            for u in users
            if u.whole
        ),
        login=login_of(words, path, findings),
        snmp_users=snmp_users(snmp, (*path, "snmp"), findings),
        traps=traps(snmp),
        admitted=_admitted(words, path, findings),
        sflow=sflow(_whole(words, "sflow")),
        cloudvision=streaming(_whole(words, "cloudvision")),
        ptp=precise_time(_whole(words, "ptp")),
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
    """Return who may manage switches; the management network itself is not to be locked out."""
    here, subnet = (*path, "admitted"), words.unless_refused("subnet")
    admitted: list[IPNetwork] = words.unless_refused("admitted") or []
    for prefix in admitted:
        if prefix.version != 4:
            findings.error(Code.BAD_VALUE, f"{prefix}: switches are managed by IPv4", here)
        elif not prefix.prefixlen:
            findings.error(Code.BAD_VALUE, f"{prefix} is everybody: leave the key out", here)
    if admitted and subnet is not None and not any(subnet in prefix for prefix in admitted):
        findings.error(
            Code.BAD_VALUE,
            f"the management network {subnet} would be locked out of its own switches",
            here,
            f"add {subnet}, or a prefix around it",
        )
    return tuple(dict.fromkeys(map(str, admitted)))


def _whole(words: Words, key: str) -> Any:
    """Return the words at a key, None where any of them was refused."""
    below = words.unless_refused(key)
    return below if below is not None and below.whole else None

"""Management services of the intent in, the neutral services out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from netaddr import IPAddress

from fabricgen.diagnostics import Code
from fabricgen.fabric.services import Services, Tls, User
from fabricgen.intent.paths import at

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.intent.model.site import SiteWords


def services_of(site: SiteWords, findings: Findings) -> Services:
    """Collect what every switch is told about management."""
    words = site.management
    gateway = words.gateway or IPAddress(int(words.subnet.first) + 1)
    path = at("site", "management")
    if gateway not in words.subnet:
        findings.error(
            Code.BAD_VALUE, f"the gateway {gateway} is not in {words.subnet}", (*path, "gateway")
        )
    if len(words.ntp) == 1:
        findings.warn(
            Code.BAD_VALUE,
            "one NTP server: a switch cannot tell when it is wrong",
            (*path, "ntp"),
            "give at least two",
        )
    names = [user.name for user in words.users]
    for name in sorted({name for name in names if names.count(name) > 1}):
        findings.error(Code.DUPLICATE_ID, f"two local users named {name!r}", (*path, "users"))
    snmp, gnmi = words.snmp, words.gnmi
    return Services(
        path=path,
        site=site.name,
        vrf=words.vrf,
        gateway=str(gateway),
        domain=words.domain,
        banner=words.banner,
        ntp=tuple(map(str, words.ntp)),
        syslog=tuple(map(str, words.syslog)),
        dns=tuple(map(str, words.dns)),
        snmp_community=snmp.community if snmp else None,
        snmp_location=snmp.location if snmp else None,
        snmp_contact=snmp.contact if snmp else None,
        gnmi_port=gnmi.port if gnmi else None,
        gnmi_collectors=tuple(map(str, gnmi.collectors)) if gnmi else (),
        tls=Tls(words.tls.certificate, words.tls.key) if words.tls else None,
        users=tuple(
            User(name=u.name, role=u.role, password_hash=u.password_hash, ssh_key=u.ssh_key)
            for u in words.users
        ),
    )

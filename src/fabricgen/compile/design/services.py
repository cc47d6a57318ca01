"""Designs the management services of a site."""

from collections import Counter

from netaddr import IPAddress, IPNetwork

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.login import judge_login
from fabricgen.compile.design.monitoring import judge_snmp
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.site import Management, SiteWords
from fabricgen.intent.paths import at
from fabricgen.intent.settings import given
from fabricgen.model.fabric.services import Services
from fabricgen.model.settings import services


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

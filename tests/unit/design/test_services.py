"""Management services: what every switch is told, what is left out, and what cannot be meant."""

import json
from typing import Any

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.services import services_of
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.services import Services
from fabricgen.model.settings.services import LocalUser, Snmp, Telemetry

HERE = ("site", "management")


def designed(**management: Any) -> tuple[Services, list[Diagnostic]]:
    words = {"name": "oslo", "management": {"subnet": "10.9.0.0/24", **management}}
    loaded = load_texts({"site.yaml": json.dumps({"site": words})})
    assert loaded.intent is not None, loaded.findings
    findings = Findings()
    return services_of(loaded.intent.site, findings), findings.items


def test_left_out_there_is_a_gateway_and_nothing_else() -> None:
    services, findings = designed()
    assert not findings
    assert (services.path, services.site, services.vrf) == (HERE, "oslo", "mgmt")
    assert services.gateway == "10.9.0.1"
    told = (services.domain, services.banner, services.snmp, services.gnmi, services.aaa)
    assert told == (None,) * 5
    for name in ("ntp", "syslog", "dns", "collectors", "users"):
        assert getattr(services, name) == ()


def test_what_people_write_is_what_switches_are_told() -> None:
    services, findings = designed(
        gateway="10.9.0.254",
        vrf="oob",
        domain="example.net",
        banner="Hall 4",
        ntp=["10.0.0.1", "10.0.0.2"],
        syslog=["10.0.0.3"],
        dns=["10.0.0.4", "2001:db8::1"],
        snmp={"community": "env:SNMP", "location": "Hall 4", "contact": "noc"},
        gnmi={"port": 6031, "collectors": ["10.0.0.5"]},
        users=[
            {"name": "root2", "password_hash": "env:HASH"},
            {"name": "guest", "role": "operator", "ssh_key": "ssh-ed25519 AAAA"},
        ],
    )
    assert not findings
    assert (services.gateway, services.vrf, services.domain) == ("10.9.0.254", "oob", "example.net")
    assert services.banner == "Hall 4"
    assert services.ntp == ("10.0.0.1", "10.0.0.2")
    assert services.syslog == ("10.0.0.3",)
    assert services.dns == ("10.0.0.4", "2001:db8::1")
    assert services.snmp == Snmp(community="env:SNMP", location="Hall 4", contact="noc")
    assert services.gnmi == Telemetry(port=6031, collectors=("10.0.0.5",))
    assert services.users == (
        LocalUser(name="root2", role="admin", password_hash="env:HASH"),  # noqa: S106  a reference
        LocalUser(name="guest", role="operator", ssh_key="ssh-ed25519 AAAA"),
    )


def test_a_gateway_outside_its_subnet_is_an_error() -> None:
    (finding,) = designed(gateway="10.9.1.1")[1]
    assert (finding.code, finding.severity) == (Code.BAD_VALUE, Severity.ERROR)
    assert finding.path == (*HERE, "gateway")
    assert finding.message == "the gateway 10.9.1.1 is not in 10.9.0.0/24"


def test_one_ntp_server_is_warned_of() -> None:
    (finding,) = designed(ntp=["10.0.0.1"])[1]
    assert (finding.code, finding.severity) == (Code.BAD_VALUE, Severity.WARNING)
    assert finding.path == (*HERE, "ntp")


def test_a_user_is_there_once() -> None:
    users = [
        {"name": name, "ssh_key": "ssh-ed25519 AAAA"} for name in ("b", "a", "b", "a", "b", "c")
    ]
    findings = designed(users=users)[1]
    assert [finding.message for finding in findings] == [
        "two local users named 'a'",
        "two local users named 'b'",
    ]
    assert {(one.code, one.path) for one in findings} == {(Code.DUPLICATE_ID, (*HERE, "users"))}


TACACS = {"servers": ["10.0.0.6", "10.0.0.7"], "key": "env:TACACS"}
RADIUS = {"servers": ["10.0.0.8", "10.0.0.9"], "key": "env:RADIUS"}
USERS = [{"name": "admin", "password_hash": "env:HASH"}]


def test_servers_are_asked_in_the_order_given_and_local_accounts_need_no_word() -> None:
    services, findings = designed(aaa={"radius": RADIUS, "tacacs": TACACS}, users=USERS)
    assert not findings
    assert list(services.login) == ["tacacs", "radius"]
    assert services.login["tacacs"].servers == ("10.0.0.6", "10.0.0.7")
    assert {"env:TACACS", "type7:env:TACACS", "env:RADIUS"} <= services.secrets
    order = ["radius", "tacacs"]
    turned = designed(aaa={"radius": RADIUS, "tacacs": TACACS, "order": order}, users=USERS)[0]
    assert list(turned.login) == order


def test_an_order_that_cannot_be_meant() -> None:
    said = {
        (tuple(order), finding.code): finding.message
        for order in (["radius"], ["tacacs", "tacacs"])
        for finding in designed(aaa={"tacacs": TACACS, "order": order}, users=USERS)[1]
    }
    assert said == {
        (("radius",), Code.UNKNOWN_REFERENCE): (
            "the order contains RADIUS servers, but none are configured"
        ),
        (("radius",), Code.BAD_VALUE): ("the order omits TACACS+, so its servers are never used"),
        (("tacacs", "tacacs"), Code.BAD_VALUE): "the order names a protocol twice",
    }


def test_central_login_that_locks_people_out_is_said() -> None:
    said = [finding.message for finding in designed(aaa={"tacacs": TACACS})[1]]
    assert said == [
        (
            "central login has no local account: when no server answers, only accounts that "
            "already exist on a switch can log in"
        )
    ]
    one = designed(aaa={"tacacs": {**TACACS, "servers": ["10.0.0.6"]}}, users=USERS)[1]
    assert [(each.path, each.severity) for each in one] == [
        ((*HERE, "aaa", "tacacs", "servers"), Severity.WARNING)
    ]
    (none,) = designed(aaa={}, users=USERS)[1]
    assert (none.code, none.severity) == (Code.MISSING_KEY, Severity.ERROR)


def test_snmp_that_nobody_could_use_and_traps_of_a_user_who_is_not_there() -> None:
    (nobody,) = designed(snmp={"location": "Hall 4"})[1]
    assert (nobody.code, nobody.path) == (Code.MISSING_KEY, (*HERE, "snmp"))
    user = {"name": "monitor", "auth": "env:AUTH", "privacy": "env:PRIVACY"}
    services, findings = designed(
        snmp={"users": [user, user], "traps": {"targets": ["10.0.0.9"], "user": "monitr"}}
    )
    assert [(each.code, each.message) for each in findings] == [
        (Code.DUPLICATE_ID, "two SNMP users named 'monitor'"),
        (
            Code.UNKNOWN_REFERENCE,
            "traps are sent as 'monitr', but `users` has no such name",
        ),
    ]
    assert findings[1].hint
    assert services.secrets == {"env:AUTH", "env:PRIVACY"}


def test_who_may_manage_switches_locks_nobody_out_by_mistake() -> None:
    services, findings = designed(admitted=["10.9.0.0/16", "10.1.2.3/32", "10.9.0.0/16"])
    assert (services.admitted, findings) == (("10.9.0.0/16", "10.1.2.3/32"), [])
    said = designed(admitted=["10.1.0.0/16"])[1]
    assert [(each.code, each.path, each.hint) for each in said] == [
        (Code.BAD_VALUE, (*HERE, "admitted"), "add 10.9.0.0/24, or a prefix that contains it")
    ]
    assert [each.message for each in designed(admitted=["10.9.0.0/24", "fd00::/64"])[1]] == [
        "fd00::/64 is not IPv4, but switches are managed over IPv4"
    ]
    assert [each.message for each in designed(admitted=["0.0.0.0/0"])[1]] == [
        "0.0.0.0/0 permits every address: remove the key"
    ]

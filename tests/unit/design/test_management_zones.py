"""Zones of a management network: what reaches what in the model and in the files."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from tests.unit.design.sites import Keys, frontend

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts
from fabricgen.prove.evidence import rendered, walk
from fabricgen.prove.reach.matrix import cases
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stations import stands
from fabricgen.prove.walk.packet import Outcome

SITE: Keys = {
    "name": "lab",
    "accept_unsupported": ["local-users"],
    "management": {
        "subnet": "10.255.0.0/20",
        "ntp": ["10.255.15.250", "10.255.15.251"],
        "syslog": ["10.250.64.67"],
    },
}
BMC: Keys = {"fabric": "oob", "speed": "1G"}
SERVERS: Keys = {
    "cpu": {"count": 2, "ports": {"bmc": BMC}},
    "flexlm": {"count": 2, "ports": {"eth": {**BMC, "vlan": "license"}}},
    "station": {"count": 1, "ports": {"eth": {**BMC, "vlan": "switches"}}},
}
CONTENTS = [
    {"servers": "cpu", "count": 2},
    {"servers": "flexlm", "count": 2},
    {"servers": "station", "count": 1},
    {"pdus": 1},
]
OOB: Keys = {
    "kind": "access",
    "leaf": {"model": "SN2201", "platform": "sonic"},
    "spine": {"model": "7050CX3-32S", "platform": "sonic"},
    "zones": {"pod": {"switch": 1}},
    "vlans": {
        "switches": {"id": 20},
        "bmc": {"id": 10, "subnet": "10.250.0.0/20"},
        "pdu": {"id": 30, "subnet": "10.250.32.0/20"},
        "others": {"license": {"id": 40, "subnet": "10.250.64.0/20", "isolated": False}},
    },
    "external": {
        "office": {
            "leaf": 1,
            "cage": 51,
            "address": "192.0.2.0/31",
            "peer": "192.0.2.1",
            "asn": 64496,
        }
    },
}
EOS = {"model": "7050TX3-48C8", "platform": "eos"}
LICENSES: Keys = {
    "flows": [{"clients": ["oob/bmc"], "servers": ["oob/license"], "services": ["tcp/27000"]}]
}
SSH, LICENSE = ("tcp", 22), ("tcp", 27000)


def words(more: Keys, **oob: Any) -> str:
    keys = {
        "site": SITE,
        **frontend(),
        "servers": SERVERS,
        "racks": {"pod": {"contents": CONTENTS}},
        "fabrics": {"oob": {**OOB, **oob}},
        **more,
    }
    return json.dumps(keys)


@cache
def answers(text: str, service: tuple[str, int]) -> Mapping[tuple[str, str], tuple[Outcome, ...]]:
    """Return what both engines say of every pair of stations of the management network."""
    done = compile_site(load_texts({"site.yaml": text}))
    assert done.ok, done.findings
    assert done.site is not None
    every = [each for each in stands(done.site) if each.fabric.name == "oob"]
    second = walk(done.site, [each.station for each in every], list(rendered(done.site)))
    found = cases(every, every, Model(done.site, every), second, service)
    return {
        (case.one.station.name, case.other.station.name): (
            case.model.outcome,
            case.written.outcome,
        )
        for case in found
    }


PASSES, STOPS = (Outcome.REACHES, Outcome.REACHES), (Outcome.STOPS, Outcome.STOPS)
LEAFS = pytest.mark.parametrize("leaf", [OOB["leaf"], EOS], ids=["sonic", "eos"])
ONE, OTHER, PDU = "cpu0001:bmc", "cpu0002:bmc", "r01-01-pdu1:eth0"
LICENSER, OTHER_LICENSER, STATION = "flexlm0001:eth", "flexlm0002:eth", "station0001:eth"
OFFICE = "outside:office"


@LEAFS
@pytest.mark.parametrize(
    ("one", "other", "service", "expected"),
    [
        (ONE, OTHER, SSH, STOPS),
        (ONE, OTHER, ("icmp", 0), STOPS),
        (ONE, PDU, SSH, STOPS),
        (PDU, ONE, SSH, STOPS),
        (ONE, STATION, SSH, STOPS),
        (ONE, OFFICE, SSH, STOPS),
        (ONE, LICENSER, LICENSE, STOPS),
        (ONE, LICENSER, ("udp", 514), PASSES),
        (LICENSER, OTHER_LICENSER, SSH, PASSES),
        (STATION, ONE, SSH, PASSES),
        (STATION, ONE, ("udp", 623), PASSES),
        (STATION, ONE, ("udp", 69), STOPS),
        (STATION, OFFICE, ("udp", 69), PASSES),
        (OFFICE, ONE, SSH, PASSES),
        (OFFICE, PDU, ("udp", 161), PASSES),
    ],
)
def test_devices_open_nothing_and_operators_open_connections(
    leaf: Keys, one: str, other: str, service: tuple[str, int], expected: tuple[Outcome, ...]
) -> None:
    assert answers(words({}, leaf=leaf), service)[one, other] == expected


@LEAFS
def test_a_flow_opens_its_service_alone(leaf: Keys) -> None:
    text = words(LICENSES, leaf=leaf)
    assert answers(text, LICENSE)[ONE, LICENSER] == PASSES
    assert answers(text, SSH)[ONE, LICENSER] == STOPS
    assert answers(text, LICENSE)[LICENSER, ONE] == STOPS
    assert answers(text, LICENSE)[ONE, OTHER] == STOPS


@LEAFS
def test_a_zone_names_license_servers_and_a_router(leaf: Keys) -> None:
    zones = {"vendors": {"servers": ["flexlm"]}, "ops": {"outside": ["oob/office"]}}
    flows = [{"clients": ["ops"], "servers": ["vendors"], "services": ["tcp/27000"]}]
    text = words({"zones": zones, "flows": flows}, leaf=leaf, operators=False)
    assert answers(text, LICENSE)[OFFICE, LICENSER] == PASSES
    assert answers(text, SSH)[OFFICE, LICENSER] == STOPS
    assert answers(text, SSH)[OFFICE, ONE] == STOPS


@LEAFS
def test_without_zones_everything_passes(leaf: Keys) -> None:
    found = answers(words({}, leaf=leaf, separate=False), SSH)
    assert found[ONE, OTHER] == found[ONE, PDU] == found[ONE, OFFICE] == PASSES


def errors(text: str) -> list[Diagnostic]:
    found = compile_site(load_texts({"site.yaml": text})).findings
    return [item for item in found if item.severity is Severity.ERROR]


@pytest.mark.parametrize(
    ("more", "oob", "code", "message"),
    [
        (
            {"flows": [{**LICENSES["flows"][0], "clients": ["oob/bcm"]}]},
            {},
            Code.UNKNOWN_REFERENCE,
            "no network or router is named 'oob/bcm'",
        ),
        (
            LICENSES,
            {"separate": False},
            Code.UNKNOWN_REFERENCE,
            "no network or router is named 'oob/bmc'",
        ),
        (
            {"zones": {"a": {"vlans": ["oob/bmc"]}, "b": {"vlans": ["oob/bmc"]}}},
            {},
            Code.ZONE_NOT_ENFORCED,
            "VLAN oob-bmc is in the zones a and b",
        ),
        (
            {
                "servers": {
                    **SERVERS,
                    "cpu": {"count": 2, "ports": {"bmc": {**BMC, "vlan": "ldap"}}},
                }
            },
            {},
            Code.MISSING_KEY,
            "management ports for the VLAN ldap, but oob has no such VLAN",
        ),
        (
            {},
            {"vlans": {**OOB["vlans"], "others": {"license": {"id": 10, "subnet": "10.1.0.0/24"}}}},
            Code.DUPLICATE_ID,
            "the VLAN id 10 is also used by bmc",
        ),
        (
            {},
            {"leaf": {"model": "SN2201", "platform": "linux"}},
            Code.UNSUPPORTED,
            "does not support isolated-ports",
        ),
    ],
)
def test_what_cannot_be_meant_is_an_error(more: Keys, oob: Keys, code: Code, message: str) -> None:
    found = errors(words(more, **oob))
    assert any(item.code is code and message in item.message for item in found), found

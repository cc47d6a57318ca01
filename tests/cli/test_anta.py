"""`export anta`: the inputs of ANTA's tests have the names of its sources and values of the model.

ANTA is not installed here, so no test shows that it accepts the files.
"""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.calling import ROOT, call

# aristanetworks/anta examples/tests.yaml (2026-08): module, test, the input and its fields.
FIELDS: dict[str, tuple[str, str, set[str]]] = {
    "VerifyHostname": ("services", "hostname", set()),
    "VerifyInterfacesStatus": ("interfaces", "interfaces", {"name", "status"}),
    "VerifyInterfaceIPv4": ("interfaces", "interfaces", {"name", "primary_ip"}),
    "VerifyLACPInterfacesStatus": ("interfaces", "interfaces", {"name", "portchannel"}),
    "VerifyInterfaceErrDisabled": ("interfaces", "", set()),
    "VerifyLLDPNeighbors": (
        "connectivity",
        "neighbors",
        {"port", "neighbor_device", "neighbor_port"},
    ),
    "VerifyReachability": ("connectivity", "hosts", {"destination", "source", "vrf"}),
    "VerifyBGPPeerSession": ("routing.bgp", "bgp_peers", {"peer_address", "vrf"}),
    "VerifyBGPSpecificPeers": ("routing.bgp", "address_families", {"afi", "safi", "vrf", "peers"}),
    "VerifyBFDPeersIntervals": (
        "bfd",
        "bfd_peers",
        {"peer_address", "vrf", "tx_interval", "rx_interval", "multiplier"},
    ),
    "VerifyVxlanVniBinding": ("vxlan", "bindings", set()),
    "VerifyVxlanVtep": ("vxlan", "vteps", set()),
    "VerifyVxlanConfigSanity": ("vxlan", "", set()),
    "VerifyVxlan1ConnSettings": ("vxlan", "source_interface udp_port", set()),
    "VerifyNTP": ("system", "", set()),
    "VerifyCoredump": ("system", "", set()),
    "VerifyMlagStatus": ("mlag", "", set()),
    "VerifyMlagConfigSanity": ("mlag", "", set()),
    "VerifyEnvironmentPower": ("hardware", "states", set()),
    "VerifyEnvironmentSystemCooling": ("hardware", "", set()),
    "VerifyTemperature": ("hardware", "", set()),
    "VerifyRunningConfigDiffs": ("configuration", "", set()),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("anta") / "out"
    ran = call("export", "anta", str(ROOT / "intent/full"), "-o", str(place))
    assert ran.code == 0, ran.err
    assert "ANTA has not run them" in ran.out
    assert "omitted because they do not run EOS" in ran.err
    return place


@pytest.fixture(scope="module")
def tests(folder: Path) -> list[tuple[str, str, dict[str, Any]]]:
    """Module, name and inputs of every test."""
    catalog = yaml.safe_load((folder / "catalog.yml").read_text())
    return [
        (module, name, inputs)
        for module, entries in catalog.items()
        for entry in entries
        for name, inputs in entry.items()
    ]


def test_every_test_has_the_fields_of_antas_sources(
    tests: list[tuple[str, str, dict[str, Any]]],
) -> None:
    for module, name, inputs in tests:
        known, fields, entry_fields = FIELDS[name]
        assert module == f"anta.tests.{known}"
        assert inputs.keys() == {*fields.split(), "filters"}
        assert inputs["filters"].keys() == {"tags"}
        for row in inputs[fields] if entry_fields else ():
            assert row.keys() <= entry_fields


def test_tests_are_of_the_switches_of_the_inventory(
    folder: Path, tests: list[tuple[str, str, dict[str, Any]]]
) -> None:
    """ANTA gives each device its name as a tag."""
    hosts = yaml.safe_load((folder / "inventory.yml").read_text())["anta_inventory"]["hosts"]
    assert all(host.keys() == {"name", "host", "tags"} for host in hosts)
    tagged = {tag for _, _, inputs in tests for tag in inputs["filters"]["tags"]}
    assert tagged == {host["name"] for host in hosts}
    assert all(host["name"].startswith("fe-") for host in hosts)  # SONiC runs the backend


def test_values_are_those_of_the_model(tests: list[tuple[str, str, dict[str, Any]]]) -> None:
    of_leaf = {
        name: inputs for _, name, inputs in tests if inputs["filters"]["tags"] == ["fe-leaf01"]
    }
    assert of_leaf["VerifyHostname"]["hostname"] == "fe-leaf01"
    assert of_leaf["VerifyVxlan1ConnSettings"]["udp_port"] == 4789
    neighbors = of_leaf["VerifyLLDPNeighbors"]["neighbors"]
    assert {each["neighbor_device"] for each in neighbors} == {"fe-spine1", "fe-spine2"}
    families = of_leaf["VerifyBGPSpecificPeers"]["address_families"]
    assert {each["afi"] for each in families} >= {"ipv4", "evpn"}
    assert all("peers" in each and each["peers"] for each in families)

"""Who must be heard at each port: the same as `verify` expects, as each platform says it."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.plant.test_cables import backend, compiled

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site
from fabricgen.plan.documents.plan import FORMAT, lldp
from fabricgen.prove.runs import strangers
from fabricgen.prove.verifier import expectations

EXAMPLES = Path(__file__).parents[3] / "intent"


def example(name: str) -> Site:
    site = compile_site(load_site(EXAMPLES / name)).site
    assert site is not None
    return site


def switches(site: Site) -> dict[str, dict[str, dict[str, Any]]]:
    document = json.loads(lldp(site))
    assert document["format_version"] == FORMAT
    return dict(document["switches"])


@pytest.mark.parametrize("name", ["lab", "pairs", "edge", "four-fabrics"])
def test_verify_expects_the_same_neighbors(name: str) -> None:
    site = example(name)
    there = switches(site)
    wanted = expectations(site, there)
    assert wanted
    for switch, each in wanted.items():
        expected = {
            key[1]: ends[0] for key, own in each.facts.items() if key[0] == "cable"
            for ends in (own["far"],) if ends
        }  # fmt: skip
        told = {port: (row["neighbor"], row["port"]) for port, row in there[switch].items()}
        assert told == expected
        required = {key[1] for key in each.of("cable")}
        assert {port for port, row in there[switch].items() if row["required"]} == required


def test_both_switches_of_a_link_hear_each_other() -> None:
    there = switches(example("rail-optimized"))
    for switch, ports in there.items():
        for row in ports.values():
            if row["required"]:
                assert switch in {back["neighbor"] for back in there[row["neighbor"]].values()}


def test_sonic_says_the_alias_of_its_port() -> None:
    site = compiled(backend=backend(leaf={"model": "7060X6-64PE", "platform": "eos"})).site
    assert site is not None
    there = switches(site)
    above = next(row for row in there["be-su01-leaf1"].values() if row["required"])
    below = next(iter(there["be-spine1"].values()))
    assert (above["neighbor"], above["port"]) == ("be-spine1", "etp1")
    assert "Ethernet0" in there["be-spine1"]  # as its own configuration names that port
    assert below["neighbor"] == "be-su01-leaf1"


def test_a_switch_at_its_management_port_gives_its_own_name() -> None:
    there = switches(example("full"))
    heard = {
        (row["neighbor"], row["port"], row["required"])
        for ports in there.values()
        for row in ports.values()
    }
    assert ("be-su01-leaf1", "eth0", False) in heard
    assert ("fe-leaf01", "Management1", False) in heard
    assert not any(name.endswith("-mgmt") for name, _, _ in heard)


def test_a_dns_domain_behind_the_name_is_no_stranger() -> None:
    designed = (("leaf1", "Ethernet1/1"),)
    assert strangers(designed, (("leaf1.example.net", "Ethernet1/1"),)) == []
    assert strangers(designed, (("leaf2.example.net", "Ethernet1/1"),))

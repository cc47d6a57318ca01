"""Configurations that others wrote: what they say of services, and that no secret is told."""

from __future__ import annotations

import json
from itertools import count

from tests.unit.adopt.examples import network, rendered, tree_of

from fabricgen.importer import management, watching
from fabricgen.importer.tree import Tree, at, merged
from fabricgen.model.settings.setting import PLACEHOLDER
from fabricgen.prove.foreign.folder import Found
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged

OTHERS = """! device: leaf1 (DCS-7050CX3-32S, EOS-4.33.1F)
hostname leaf1
service routing protocols model multi-agent
username ops privilege 15 role network-admin secret sha512 $6$salt$AbCdEf0123456789
username open privilege 1 role network-operator nopassword
ip name-server vrf MGMT 192.0.2.53 192.0.2.54
dns domain dc1.example.net
ntp server vrf MGMT 192.0.2.1 prefer iburst
ntp server vrf MGMT 192.0.2.2
logging vrf MGMT host 192.0.2.9 514 protocol tcp
snmp-server community Pub1ic ro ONLY-NOC
tacacs-server host 192.0.2.7 vrf MGMT key 7 070E334D5D1D18
aaa authentication login default group tacacs+ local
vrf instance MGMT
interface Management1
   vrf MGMT
   ip address 192.0.2.105/24
ip route vrf MGMT 0.0.0.0/0 192.0.2.254
"""
SECRETS = ("$6$salt", "Pub1ic", "070E334D5D1D18")


def written(*texts: str) -> Network:
    """Return switches of EOS with these texts."""
    found = (
        Found(name=f"s{n}", platform="eos", texts={"eos.cfg": text}, places={"eos.cfg": f"s{n}"})
        for n, text in enumerate(texts)
    )
    return Network([Judged(each, wide=True) for each in found])


def services(network_: Network) -> Tree:
    """Return what is read of the site."""
    readers = (management.read, watching.read, management.read_logins)
    return merged(*(read(network_, {}) for read in readers))


def test_what_others_wrote_is_read() -> None:
    assert services(written(OTHERS)) == {
        "site": {
            "name": "dc1",
            "management": {
                "subnet": "192.0.2.0/24",
                "gateway": "192.0.2.254",
                "vrf": "MGMT",
                "ntp": ["192.0.2.1", "192.0.2.2"],
                "syslog": ["192.0.2.9"],
                "dns": ["192.0.2.53", "192.0.2.54"],
                "domain": "dc1.example.net",
                "users": [{"name": "ops", "password_hash": "env:OPS_HASH"}],
                "snmp": {"community": "env:SNMP_COMMUNITY"},
                "aaa": {"tacacs": {"servers": ["192.0.2.7"], "key": "env:TACACS_KEY"}},
            },
        }
    }


def test_no_secret_of_others_is_told() -> None:
    told = json.dumps(services(written(OTHERS)))
    assert all(each not in told for each in SECRETS)


def test_what_stands_for_a_secret_in_our_own_files_is_a_reference_of_its_own() -> None:
    """Only the name of a secret is known here, so files with the secrets themselves say less."""
    texts, platforms = rendered(tree_of("tenants"))
    number = count()
    clear = {
        switch: {
            path: PLACEHOLDER.sub(lambda _: f"s3cret{next(number)}", text)
            for path, text in own.items()
        }
        for switch, own in texts.items()
    }
    tree = services(network(clear, platforms))
    assert "s3cret" not in json.dumps(tree)
    assert at(tree, "site", "management", "snmp", "community") == "env:SNMP_COMMUNITY"
    users = at(tree, "site", "management", "users")
    assert [each["password_hash"] for each in users] == ["env:ADMIN_HASH", "env:NOC_HASH"]


def test_most_switches_decide_and_one_of_another_mind_does_not() -> None:
    odd = OTHERS.replace("ntp server vrf MGMT 192.0.2.2\n", "").replace(
        "dc1.example", "dc9.example"
    )
    site = services(written(OTHERS, OTHERS, odd))["site"]
    assert site["management"]["ntp"] == ["192.0.2.1", "192.0.2.2"]
    assert site["name"] == "dc1"
    lone = services(written(OTHERS, *[OTHERS.replace("snmp-server", "! snmp-server")] * 2))
    assert "snmp" not in lone["site"]["management"]


def test_an_empty_network_says_nothing_but_a_name() -> None:
    assert services(Network([])) == {"site": {"name": "site", "management": {}}}

"""Packet filters beside the design's, in a real kernel: what stops packets of tenants is named."""

import os
import shutil
import subprocess

import pytest

from fabricgen.core.tree.facts import Facts
from fabricgen.nos.linux.show import filters
from fabricgen.nos.shared.documents import answers, script

ABLE = os.getuid() == 0 and all(map(shutil.which, ("nft", "ip", "unshare")))
pytestmark = pytest.mark.skipif(not ABLE, reason="needs root, nft (package nftables) and unshare")
SCRIPT = script(each for each in filters.COMMANDS if each[0] == "nft")


def shown(rules: str) -> Facts:
    """Load a file of nft into a network of its own and return what is read from it."""
    rules = rules.replace("{ chain", "{\nchain").replace("} chain", "}\nchain")
    done = subprocess.run(
        ["unshare", "-n", "sh", "-c", 'nft -f /dev/stdin && exec sh -c "$SCRIPT"'],
        input=rules,
        env={**os.environ, "SCRIPT": SCRIPT},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    return filters.tables(answers(done.stdout)["nft"], {"red"})


def forward(*rules: str, policy: str = "accept", family: str = "inet", more: str = "") -> str:
    """Return a table with a chain that sees what is forwarded. more: another chain."""
    hook = f"type filter hook forward priority 0; policy {policy};"
    return f"table {family} mine {{ {more} chain passing {{ {hook} {'; '.join(rules)}\n}}\n}}"


STOPPING = {
    "drop of a server": (
        forward("ip daddr 10.10.20.12 drop"),
        ("inet mine", "chain passing has a drop"),
    ),
    "drop by default": (forward(policy="drop"), ("inet mine", "chain passing drops by default")),
    "reject behind a jump": (
        forward("ip daddr 10.10.20.0/24 jump deny", more="chain deny { reject; }"),
        ("inet mine", "chain deny has a reject"),
    ),
    "drop in a bridge": (
        forward("ether type ip drop", family="bridge"),
        ("bridge mine", "chain passing has a drop"),
    ),
    "drop for a VRF": (
        forward('oifname "red" drop'),
        ("inet mine", "chain passing has a drop"),
    ),
    "drop for a gateway or a container": (
        forward('iifname { "vlan20", "docker0" } drop'),
        ("inet mine", "chain passing has a drop"),
    ),
    "all but one device": (
        forward('iifname != "docker0" drop'),
        ("inet mine", "chain passing has a drop"),
    ),
}


@pytest.mark.parametrize(("rules", "says"), STOPPING.values(), ids=STOPPING)
def test_what_stops_packets_of_tenants_is_named(rules: str, says: tuple[str, str]) -> None:
    table, does = says
    assert shown(rules) == {("table", "", f"nft table {table}"): {"does": (does,)}}


HARMLESS = {
    "nothing": "",
    "the design's own": (
        "table inet zones { chain a { type filter hook prerouting priority 0; drop;\n}\n}"
    ),
    "a firewall of the switch itself": (
        "table inet host { chain in { type filter hook input priority 0; policy drop; "
        "tcp dport 22 accept;\n}\n}"
    ),
    "counting": forward("ip daddr 10.0.0.0/8 counter accept"),
    "containers": forward(
        'iifname "docker0" oifname "docker0" drop',
        'iifname "br-4f00" jump apart',
        more='chain apart { oifname "br-4f00" drop; }',
    ),
    "a chain that nothing leads to": forward(more="chain unused { drop; }"),
}


@pytest.mark.parametrize("rules", HARMLESS.values(), ids=HARMLESS)
def test_what_stops_none_of_them_is_not_named(rules: str) -> None:
    assert shown(rules) == {}

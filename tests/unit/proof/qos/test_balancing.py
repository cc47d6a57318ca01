"""From rendered files in which a switch is told to choose paths otherwise: that each is found."""

import itertools
import re
from functools import cache

import pytest
from tests.unit.proof.qos.rendered import Rendered, render

from fabricgen.model.catalog.switches import switch_model
from fabricgen.model.fabric.balancing import FIVE_TUPLE, Choice, Field, Mode
from fabricgen.nos.eos.readback.balancing import read as read_eos
from fabricgen.nos.linux.readback.balancing import read as read_linux
from fabricgen.nos.registry import OURS
from fabricgen.nos.sonic.readback.balancing import read as read_sonic

SITE = """
site:
  name: lab
  accept_unsupported: [pfc-watchdog, hash-fields, queue-pair-hash, flowlet, packet-spray]
  management: {{subnet: 10.255.0.0/22}}
backend:
  design: rail-optimized
  servers: {{count: 32, gpus: 2, nic_speed: 400G, nic: connectx-8}}
  scalable_unit: {{servers: 16}}
  links: {{speed: 400G}}
  leaf: {{model: {model}, platform: {platform}}}
  spine: {{model: {model}, platform: {platform}, count: 4}}
  load_balancing: {{{words}}}
"""
FILES = {
    "eos": "eos.cfg",
    "sonic": "config_db.json",
    "linux": "etc/sysctl.d/90-fabricgen-paths.conf",
}
UDF = "port-channel load-balance trident udf eth-type IPv4 ip-protocol udp header outer l4 offset"
DYNAMIC = "ip hardware fib load-balance distribution dynamic\n"
SOME = "hash: [source-ip, destination-ip]"


@cache
def rendered(platform: str, words: str = "") -> Rendered:
    model = "SN5600" if platform == "linux" else "7060X6-64PE"
    return render(SITE.format(platform=platform, model=model, words=words))


@pytest.mark.parametrize("platform", OURS)
@pytest.mark.parametrize("words", ["", "queue_pairs: 1"])
def test_what_is_rendered_is_what_was_designed(platform: str, words: str) -> None:
    assert rendered(platform, words).verified().findings == ()


@pytest.mark.parametrize(
    ("platform", "words"),
    [("eos", "mode: flowlet"), ("eos", SOME), ("sonic", SOME), ("linux", SOME)],
)
def test_so_it_is_with_another_mode_or_hash(platform: str, words: str) -> None:
    assert rendered(platform, words).verified().findings == ()


ASKED = ("hash: [source-ip, queue-pair]", "hash: [queue-pair]", "mode: flowlet", "mode: spray")
REFUSED = ("eos", "hash: [queue-pair]")  # an error, whatever is accepted


@pytest.mark.parametrize(
    ("platform", "words"),
    [each for each in itertools.product(OURS, ASKED) if each != REFUSED],
)
def test_what_a_platform_cannot_be_told_is_no_fault_of_its_file(platform: str, words: str) -> None:
    assert rendered(platform, words).verified().findings == ()


@pytest.mark.parametrize(
    ("platform", "words", "name", "old", "new"),
    [
        ("eos", "", "be-spine1", f"{UDF} 14 mask 0xFF\n", ""),
        ("eos", "", "be-spine1", f"{UDF} 14", f"{UDF} 12"),
        ("eos", "", "be-spine1", "15 mask 0xFF", "15 mask 0x0F"),
        ("eos", "", "be-spine1", "ip-protocol udp header", "ip-protocol tcp header"),
        ("eos", "queue_pairs: 1", "be-spine1", "ip routing\n", f"ip routing\n{UDF} 13 mask 0xFF\n"),
        ("eos", "", "be-spine1", "ip routing\n", f"ip routing\n{DYNAMIC}"),
        ("eos", "mode: flowlet", "be-spine1", DYNAMIC, ""),
        ("eos", "mode: flowlet", "be-spine1", "dynamic\n", "hash\n"),
        ("eos", "", "be-spine1", "ip routing\n", "ip routing\nip load-sharing trident fields ip\n"),
        ("eos", SOME, "be-spine1", "fields ip source-ip", "fields ip source-port"),
        ("eos", SOME, "be-spine1", "fields ipv6 source-ip", "fields ipv6 source-port"),
        ("sonic", "", "be-spine1", '"L4_SRC_PORT"', '"IN_PORT"'),
        ("sonic", "", "be-spine1", '"L4_SRC_PORT",', ""),
        ("sonic", "", "be-spine1", '"ecmp_hash"', '"lag_hash"'),
        ("sonic", SOME, "be-spine1", '"SWITCH_HASH"', '"SWITCH_HUSH"'),
        ("sonic", "", "be-spine1", '"LeafRouter"', '"ToRRouter"'),
        ("linux", "", "be-spine1", "hash_policy = 1", "hash_policy = 0"),
        ("linux", SOME, "be-spine1", "0x0003", "0x0001"),
        ("linux", "", "be-spine1", "hash_seed = 10", "hash_seed = 11"),
        ("linux", "", "be-su01-leaf1", "ipv6.fib_multipath_hash_policy = 1", "ipv6.x = 1"),
    ],
)
def test_a_file_that_chooses_otherwise_is_found(
    platform: str, words: str, name: str, old: str, new: str
) -> None:
    made = rendered(platform, words)
    (fault,) = made.said(made.switch(name), FILES[platform], old, new)[:1]
    assert fault.startswith(name)
    assert re.search(r"hash|selects|unknown meaning", fault)


def test_without_a_line_each_platform_has_its_own_default() -> None:
    model, five = switch_model("7060X6-64PE"), frozenset(FIVE_TUPLE)
    eos = read_eos(model, {"eos.cfg": "hostname x\n"})
    assert eos == Choice(mode=Mode.ECMP, fields=five, seed=None, can=frozenset({Field.QUEUE_PAIR}))
    assert read_sonic(model, {"config_db.json": "{}"}) == Choice(
        mode=Mode.ECMP, fields=five, seed=None
    )
    layer_3 = frozenset({Field.SOURCE_IP, Field.DESTINATION_IP})
    assert read_linux(model, {}).fields == layer_3

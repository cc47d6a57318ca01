"""From backends that ask for each way of load balancing: lines of each platform, and its gaps."""

import json
from functools import cache
from typing import Any

import pytest

from fabricgen.compile.compiler import Compiled, compile_site, files
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.topology import Switch

SITE = """
site:
  name: lab
  accept_unsupported: [pfc-watchdog, {accepted}]
  management: {{subnet: 10.255.0.0/22}}
backend:
  design: {design}
  servers: {{count: 32, gpus: 2, nic_speed: {speed}, nic: connectx-8}}
  scalable_unit: {{servers: 16}}
  links: {{speed: {speed}}}
  leaf: {{model: {model}, platform: {platform}}}
  spine: {{model: {model}, platform: {platform}, count: 4}}
  {more}
  load_balancing: {{{words}}}
"""
PODS = "growth: {{pods: 2}}\n  superspine: {{model: {model}, platform: {platform}}}"
FIVE = "hash: [source-ip, destination-ip, protocol, source-port, destination-port"
UDF = "port-channel load-balance trident udf eth-type IPv4 ip-protocol udp header outer l4 offset"
DYNAMIC = "ip hardware fib load-balance distribution dynamic\n"
PATHS = "etc/sysctl.d/90-fabricgen-paths.conf"


@cache
def made(
    platform: str,
    words: str = "",
    *,
    model: str = "7060X6-64PE",
    pods: bool = False,
    accepted: str = "local-users",
) -> Compiled:
    speed = "100G" if model == "7050CX3-32S" else "400G"
    more = PODS.format(model=model, platform=platform) if pods else ""
    design = "three-tier" if pods else "rail-optimized"
    text = SITE.format(
        platform=platform,
        words=words,
        model=model,
        speed=speed,
        more=more,
        design=design,
        accepted=accepted,
    )
    return compile_site(load_texts({"site.yaml": text}))


def texts(platform: str, name: str, words: str = "", **facts: Any) -> dict[str, str]:
    """Render one switch."""
    compiled = made(platform, words, **facts)
    assert compiled.site is not None
    assert compiled.ok, compiled.findings
    for owner, group in files(compiled.site):
        if isinstance(owner, Switch) and owner.name == name:
            return {file.path.split("/", 2)[2]: file.text for file in group}
    raise AssertionError(name)


def said(platform: str, words: str, word: str, **facts: Any) -> list[Diagnostic]:
    found = made(platform, words, **facts).findings
    return [item for item in found if item.code is Code.UNSUPPORTED and word in item.message]


LEAF, SPINE = "be-su01-leaf1", "be-spine1"


@pytest.mark.parametrize("name", [LEAF, SPINE])
def test_eos_hashes_the_three_bytes_of_the_queue_pair(name: str) -> None:
    text = texts("eos", name, f"{FIVE}, queue-pair]")["eos.cfg"]
    lines = [line for line in text.splitlines() if "load-balance" in line]
    assert lines == [f"{UDF} {offset} mask 0xFF" for offset in (13, 14, 15)]


def test_eos_hashes_the_queue_pair_unasked_where_flows_are_few() -> None:
    assert UDF in texts("eos", LEAF)["eos.cfg"]
    assert UDF not in texts("eos", LEAF, f"{FIVE}]")["eos.cfg"]


def test_eos_balances_by_load() -> None:
    text = texts("eos", LEAF, "mode: flowlet")["eos.cfg"]
    assert text.count(DYNAMIC) == 1
    assert text.index("\nip routing") < text.index(DYNAMIC) < text.index("\nip prefix-list")
    assert UDF not in text


@pytest.mark.parametrize("words", ["mode: flowlet", f"{FIVE}, queue-pair]"])
def test_eos_refuses_what_no_document_says_of_a_model(words: str) -> None:
    (found,) = said("eos", words, "eos on 7050CX3-32S: no document", model="7050CX3-32S")
    assert found.severity is Severity.ERROR
    assert "load-balance" not in str(said("eos", words, "no document"))


def test_eos_leaves_a_wish_out_and_says_so() -> None:
    found = said("eos", "", "hashing of the queue pair", model="7050CX3-32S")
    assert [item.severity for item in found] == [Severity.WARNING]
    assert "times its share" in found[0].message
    assert UDF not in texts("eos", LEAF, model="7050CX3-32S")["eos.cfg"]


def test_eos_hashes_a_part_of_the_five_tuple() -> None:
    text = texts("eos", LEAF, "hash: [destination-ip, source-ip, source-port]")["eos.cfg"]
    for family in ("ip", "ipv6"):
        line = f"ip load-sharing trident fields {family} source-ip source-port destination-ip\n"
        assert line in text
    assert "load-sharing" not in texts("eos", LEAF)["eos.cfg"]
    assert "load-sharing" not in texts("eos", LEAF, f"{FIVE}]")["eos.cfg"]
    (found,) = said("eos", "hash: [source-ip, protocol]", "the protocol is possible only")
    assert found.severity is Severity.ERROR


def test_eos_says_that_no_seed_is_written_where_two_tiers_choose() -> None:
    assert [item.severity for item in said("eos", "", "hash seed", pods=True)] == [Severity.WARNING]
    assert said("eos", "", "hash seed") == []


@pytest.mark.parametrize(
    ("platform", "words", "feature"),
    [
        ("eos", "mode: spray", "packet-spray"),
        ("eos", "mode: cluster", "cluster-load-balancing"),
        ("eos", "seeds: {leaf: 3}", "hash-seed"),
        ("sonic", "mode: flowlet", "flowlet"),
        ("sonic", "mode: spray", "packet-spray"),
        ("sonic", f"{FIVE}, queue-pair]", "queue-pair-hash"),
        ("linux", "mode: flowlet", "flowlet"),
        ("linux", f"{FIVE}, queue-pair]", "queue-pair-hash"),
    ],
)
def test_what_a_platform_cannot_do_is_an_error(platform: str, words: str, feature: str) -> None:
    found = said(platform, words, f" does not support {feature}")
    assert [item.severity for item in found] == [Severity.ERROR]
    assert found[0].message.startswith(platform)
    assert found[0].path[:2] == ("backend", "load_balancing")


def database(words: str = "", name: str = LEAF) -> Any:
    return json.loads(texts("sonic", name, words)["config_db.json"])


def test_sonic_names_the_fields() -> None:
    whole = ["SRC_IP", "DST_IP", "IP_PROTOCOL", "L4_SRC_PORT", "L4_DST_PORT"]
    assert database()["SWITCH_HASH"] == {"GLOBAL": {"ecmp_hash": whole}}
    some = database("hash: [destination-ip, source-ip]")
    assert some["SWITCH_HASH"] == {"GLOBAL": {"ecmp_hash": whole[:2]}}


def test_sonic_has_a_seed_by_its_type_and_no_other() -> None:
    assert database()["DEVICE_METADATA"]["localhost"]["type"] == "ToRRouter"
    assert database(name=SPINE)["DEVICE_METADATA"]["localhost"]["type"] == "LeafRouter"
    assert said("sonic", "seeds: {leaf: 0, spine: 10}", "hash seed") == []
    (found,) = said("sonic", "seeds: {leaf: 3}", "hash seed")
    assert found.severity is Severity.ERROR


@pytest.mark.parametrize("platform", ["sonic", "linux"])
def test_a_hash_that_cannot_see_queue_pairs_is_noted_with_the_figures(platform: str) -> None:
    (found,) = said(platform, "", "cannot hash the queue pair")
    assert found.severity is Severity.NOTE
    assert "16 NIC ports are 16 flows over 16 uplinks" in found.message


def settings(words: str = "", name: str = LEAF) -> list[str]:
    text = texts("linux", name, words, model="SN5600")[PATHS]
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_linux_hashes_the_five_tuple_by_policy_and_less_by_mask() -> None:
    assert settings() == [f"net.ipv{n}.fib_multipath_hash_policy = 1" for n in (4, 6)]
    assert settings("hash: [source-ip, destination-ip, source-port]") == [
        f"net.ipv{n}.fib_multipath_hash_{what}"
        for what in ("policy = 3", "fields = 0x0013")
        for n in (4, 6)
    ]


def test_linux_has_the_seed_of_its_tier_but_zero_which_is_drawn() -> None:
    assert settings(name=SPINE)[-1] == "-net.ipv4.fib_multipath_hash_seed = 10"
    assert settings("seeds: {leaf: 4294967295}")[-1].endswith("hash_seed = 4294967295")

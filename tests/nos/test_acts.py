"""What `capabilities` says beside the features is what the rooms do: they refuse what is no."""

from dataclasses import replace

import pytest

from fabricgen.compile.compiler import Compiled, compile_site
from fabricgen.compile.reports.acts import Act, acts
from fabricgen.core.diagnostics import Code
from fabricgen.core.late import Late
from fabricgen.intent.load import load_texts
from fabricgen.nos.nos import Nos
from fabricgen.nos.registry import OURS, nos

SITE = """
site:
  name: oslo
  management: {subnet: 10.255.0.0/24}
  WORDS
servers:
  db:
    count: 2
    ports: {front: {fabric: frontend, ports: 2, leafs: 2, bond: lacp, speed: 100G, per_leaf: 2}}
frontend:
  leaf: {model: 7050CX3-32S, platform: PLATFORM}
  spine: {model: 7050CX3-32S, platform: PLATFORM, count: 2}
  leaf_groups: {a: {leafs: 1-2}}
  switches: {PINS}
tenants:
  shop: {vlans: {lan: {id: 30}}, attachments: [{servers: db, access: lan}]}
"""
LINES = {
    "eos": "queue-monitor length",
    "frr": "ip prefix-list MINE seq 5 permit 192.0.2.0/24",
    "interfaces": "auto agent0",
    "config_db": "SYSLOG_SERVER: {192.0.2.9: {}}",
    "files": "/etc/motd: hello",
}
PATTERNS = {
    "eos": "daemon Telegraf",
    "frr": "ip prefix-list MINE ~",
    "interfaces": "auto agent*",
    "config_db": "SYSLOG_SERVER|192.0.2.9",
    "files": "/etc/snmp/snmpd.conf",
}
NESTED = {"config_db", "files"}


def told(runs: Nos) -> dict[str, Act]:
    return {each.name: each for each in acts(runs, [nos(name) for name in OURS])}


def made(platform: str, words: str = "", pins: str = "") -> Compiled:
    text = SITE.replace("PLATFORM", platform).replace("WORDS", words).replace("PINS", pins)
    return compile_site(load_texts({"site.yaml": text}))


def refused(platform: str, words: str = "", pins: str = "", code: Code = Code.UNSUPPORTED) -> bool:
    """Tell whether words are refused that a site without them has not refused."""
    plain = {each.message for each in made(platform).findings}
    found = made(platform, words, pins).findings
    return any(each.code is code and each.message not in plain for each in found)


@pytest.mark.parametrize("platform", OURS)
@pytest.mark.parametrize("kind", LINES)
def test_own_lines_are_taken_where_it_says_so(platform: str, kind: str) -> None:
    own = told(nos(platform))[f"own-lines {kind}"]
    text = f"{{{LINES[kind]}}}" if kind in NESTED else f'"{LINES[kind]}"'
    assert refused(platform, f"custom_config: {{{kind}: {text}}}") == (own.word in ("no", "-"))
    assert bool(own.by) == (own.word in ("yes", "part"))


@pytest.mark.parametrize("platform", OURS)
@pytest.mark.parametrize("kind", PATTERNS)
def test_sections_are_kept_where_it_says_so(platform: str, kind: str) -> None:
    own = told(nos(platform))[f"kept {kind}"]
    words = f'unmanaged: {{{kind}: "{PATTERNS[kind]}"}}'
    assert refused(platform, words) == (own.word in ("no", "-"))
    assert bool(own.by) == (own.word == "yes")


@pytest.mark.parametrize("platform", OURS)
def test_a_leaf_is_drained_without_loss_where_it_says_so(platform: str) -> None:
    own = told(nos(platform))["drained-leaf"]
    done = made(platform, pins="fe-leaf01: {state: drained}")
    assert done.ok == (own.word == "yes")


@pytest.mark.parametrize("platform", OURS)
def test_a_hwsku_is_refused_where_no_model_has_one(platform: str) -> None:
    own = told(nos(platform))["pin hwsku"]
    assert refused(platform, pins="fe-leaf01: {hwsku: Nonsense}") == (own.word == "no")


def test_what_no_grammar_reads_is_not_called_checked() -> None:
    linux = nos("linux")
    assert told(linux)["own-lines frr"].word == "yes"
    assert told(replace(linux, grammar=None))["own-lines frr"].word == "part"
    assert told(linux)["own-lines files"].word == "part"
    assert "not checked" in told(linux)["own-lines files"].said


class Plain:
    """A driver that leaves nothing to others."""


def test_a_driver_that_cannot_keep_sections_is_said_to_keep_none() -> None:
    plain = replace(nos("eos"), driver=Late(f"{__name__}:Plain"))
    own = told(plain)
    assert own["kept eos"].word == "no"
    assert own["kept eos"].said == "its driver retains no sections"
    assert own["replaced serial"].by == "Plain.get_facts"
    none = told(replace(nos("eos"), driver=None, first_boot=None))
    assert {none[name].word for name in ("kept eos", "replaced serial", "replaced first-boot")} == {
        "no"
    }


def test_each_yes_names_what_does_it() -> None:
    for name in OURS:
        for own in told(nos(name)).values():
            assert bool(own.by) == (own.word in ("yes", "part"))
            assert own.said

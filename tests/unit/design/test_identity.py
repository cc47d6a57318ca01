"""Which box a switch is: what is said of it, and the names that patterns gave it before."""

import pytest

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.identity import Identity

FRONTEND = """\
site: {name: t1, management: {subnet: 10.255.0.0/24}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {hosts: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G}}}
"""
BACKEND = """\
site: {name: t1, management: {subnet: 10.255.0.0/24}}
backend:
  design: rail-optimized
  servers: {count: 8, gpus: 2, nic_speed: 400G}
  scalable_unit: {servers: 4}
  links: {speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 2}
"""
MAC = "{mac: '00:1c:73:00:00:0a'}"


def known(text: str) -> dict[str, Identity]:
    site = compile_site(load_texts({"site.yaml": text})).site
    assert site is not None
    return dict(site.fabrics[0].identities)


def errors(text: str) -> list[str]:
    found = compile_site(load_texts({"site.yaml": text})).findings
    return [each.message for each in found if each.severity is Severity.ERROR]


def test_nothing_is_known_of_switches_of_which_nothing_is_said() -> None:
    assert known(FRONTEND) == {}


def test_what_is_said_of_one_switch_is_known_of_it() -> None:
    said = "  switches: {fe-leaf01: {previous_name: old, serial: S1, mac: '00:1c:73:00:00:01'}}\n"
    mac = "00:1c:73:00:00:01"
    assert known(FRONTEND + said) == {
        "fe-leaf01": Identity(previous_name="old", serial="S1", mac=mac)
    }


def test_former_patterns_are_filled_as_the_present_ones() -> None:
    names = '  names: {leaf: "l{index}", previous_name: {leaf: "fe-leaf{index:02}"}}\n'
    assert known(FRONTEND + names) == {
        "l1": Identity(previous_name="fe-leaf01"),
        "l2": Identity(previous_name="fe-leaf02"),
    }
    names = '  names: {leaf: "{site}-{number}", previous_name: {leaf: "be-{unit}-{rail}"}}\n'
    found = known(BACKEND + names)
    assert [found[name].previous_name for name in sorted(found)] == [
        "be-1-1",
        "be-1-2",
        "be-2-1",
        "be-2-2",
    ]


def test_one_switch_may_have_had_another_name_than_its_pattern_gave() -> None:
    names = '  names: {leaf: "l{index}", previous_name: {leaf: "x{index}"}}\n'
    more = f"{names}  switches: {{l1: {{previous_name: odd}}}}\n"
    assert [each.previous_name for each in known(FRONTEND + more).values()] == ["odd", "x2"]


def test_a_name_that_stays_is_none_that_was() -> None:
    names = '  names: {spine: "s{index}", previous_name: {leaf: "fe-leaf{index:02}"}}\n'
    assert known(FRONTEND + names) == {}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            "switches: {fe-leaf01: {serial: S1}, fe-spine1: {serial: S1}}",
            "the serial number S1 of fe-leaf01 is also used by fe-spine1",
        ),
        (
            f"switches: {{fe-leaf01: {MAC}, fe-leaf02: {MAC}}}",
            "the management MAC 00:1c:73:00:00:0a of fe-leaf02 is also used by fe-leaf01",
        ),
        (
            'names: {leaf: "l{index}", previous_name: {leaf: "leaf"}}',
            "the former name leaf of l2 is also used by l1",
        ),
        (
            "switches: {fe-leaf01: {previous_name: fe-spine1}}",
            "fe-leaf01 was 'fe-spine1', but another switch has that name now",
        ),
        ("switches: {fe-leaf01: {}}", "the entry of this switch is empty; remove it"),
        (
            'switches: {fe-leaf01: {release: "4.35"}}',
            "`release` needs `platform`; name the platform too",
        ),
        ("names: {previous_name: {leaf: 'x{unit}'}}", "unknown word 'unit' in this name pattern"),
    ],
)
def test_what_could_be_two_switches_or_says_nothing_is_refused(more: str, said: str) -> None:
    (message,) = errors(f"{FRONTEND}  {more}\n")
    assert said in message

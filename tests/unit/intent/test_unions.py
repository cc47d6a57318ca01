"""Values that may be of several kinds: what is wrong is said once, of the kind that was meant."""

import pytest

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts

SITE = (
    "site: {name: lab, management: {subnet: 10.255.0.0/22}}\n"
    "frontend:\n"
    "  leaf: {model: 7050CX3-32S, platform: eos}\n"
    "  spine: {model: 7050CX3-32S, platform: eos, count: 2}\n"
    "  leaf_groups: {cpu: {leafs: 1-3, servers: {per_leaf: 4, speed: 25G}}}\n"
    "  switches: {fe-leaf01: %s}\n"
)
PIN = "frontend.switches.fe-leaf01"


@pytest.mark.parametrize(
    ("pin", "message"),
    [
        (
            "{links: {29: {to: fe-spine1:9}, 30: absent}}",
            f"{PIN}.links.'29'.to: must be a switch and its port, for example be-spine2 port 9",
        ),
        (
            "{links: {29: {state: gone}}}",
            f"{PIN}.links.'29'.state: must be 'planned', 'drained' or 'dead'",
        ),
        ("{links: {29: absnt}}", f"{PIN}.links.'29': must be 'absent' or a mapping of keys"),
        (
            "{links: {29: {}}}",
            f"{PIN}.links.'29': the entry of this link is empty; remove it",
        ),
        ("{links: {29: 5}}", f"{PIN}.links.'29': must be 'absent' or a mapping of keys"),
        (
            "{ports: {29: {move_to: 1/9}}}",
            f"{PIN}.ports.'29'.move_to: must be a cage or one of its ports, for example 7 or 7/2",
        ),
        ("{ports: {29: {move_to: 0}}}", f"{PIN}.ports.'29'.move_to: must be at least 1"),
        (
            "{ports: {29: {move_to: [1]}}}",
            f"{PIN}.ports.'29'.move_to: must be a whole number, not a list",
        ),
    ],
)
def test_one_error_at_the_place_of_the_value(pin: str, message: str) -> None:
    loaded = load_texts({"a.yaml": SITE % pin})
    assert [(item.code, item.message) for item in loaded.findings] == [(Code.BAD_VALUE, message)]
    place = loaded.source.locate(loaded.findings[0].path)
    assert str(place).startswith("a.yaml:6:")


def test_the_keys_of_a_mapping_that_may_stand_there_are_named() -> None:
    (finding,) = load_texts({"a.yaml": SITE % "{links: {29: 5}}"}).findings
    assert finding.hint == "valid keys: to, state"


@pytest.mark.parametrize(
    "pin",
    [
        "{ports: {Ethernet1/1: {state: dead}}}",
        "{ports: {Ethernet1/1: {custom_config: {eos: load-interval 5}}}}",
        "{links: {Ethernet3: absent}}",
        "{links: {Ethernet3: {state: planned}}}",
    ],
)
def test_a_key_that_is_refused_is_told_once(pin: str) -> None:
    """Nothing else is said of a port that nobody knows."""
    result = compile_site(load_texts({"a.yaml": SITE % pin}))
    errors = [item.code for item in result.findings if item.severity is Severity.ERROR]
    assert errors == [Code.BAD_VALUE]


def test_a_key_that_nobody_knows_is_named_without_the_kind_that_was_tried() -> None:
    loaded = load_texts({"a.yaml": SITE % "{links: {29: {too: fe-spine1 port 9}}}"})
    assert [item.message for item in loaded.findings if item.code is Code.UNKNOWN_KEY] == [
        f"unknown key 'too' in {PIN}.links.'29'"
    ]

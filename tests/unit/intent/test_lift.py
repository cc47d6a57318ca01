"""The network OSes that an intent names, and the same design with every switch on another one."""

import pytest

from fabricgen.intent.lift import lift, platforms_in
from fabricgen.intent.load import load_texts
from fabricgen.intent.model.intent import Intent

SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/22}}
backend:
  design: rail-optimized
  servers: {count: 4, gpus: 2, nic_speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: SN5600, platform: sonic, count: 2}
frontend:
  leaf_groups:
    cpu: {leafs: 1-2, servers: {per_leaf: 4, speed: 25G}}
    gpu: {leafs: 3-4, hardware: {model: SN3700, platform: linux}}
  leaf: {model: 7050SX3-48YC8, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos}
  switches: {fe-leaf01: {platform: sonic}}
"""
NAMED = {
    ("backend", "leaf", "platform"): "eos",
    ("backend", "spine", "platform"): "sonic",
    ("frontend", "leaf_groups", "gpu", "hardware", "platform"): "linux",
    ("frontend", "leaf", "platform"): "eos",
    ("frontend", "spine", "platform"): "eos",
    ("frontend", "switches", "fe-leaf01", "platform"): "sonic",
}


def intent(text: str = SITE) -> Intent:
    loaded = load_texts({"site.yaml": text})
    assert loaded.intent is not None, loaded.findings
    return loaded.intent


def test_every_platform_is_named_with_its_place() -> None:
    found = list(platforms_in(intent()))
    assert len(found) == len(NAMED)
    assert {(*path, "platform"): platform for path, platform, _ in found} == NAMED


def test_lifted_there_is_no_other_platform_and_no_exception() -> None:
    lifted = list(platforms_in(lift(intent(), "frr")))
    assert {platform for _, platform, _ in lifted} == {"frr"}
    assert {(*path, "platform") for path, _, _ in lifted} == {
        p for p in NAMED if "switches" not in p
    }


def test_a_release_is_lifted_with_its_platform_and_otherwise_left_behind() -> None:
    text = SITE.replace(
        "model: SN5600, platform: sonic", 'model: SN5600, platform: sonic, release: "202411"'
    )
    for target, release in (("sonic:202505", "202505"), ("sonic", None)):
        lifted = [words for _, *words in platforms_in(lift(intent(text), target))]
        assert {tuple(words) for words in lifted} == {("sonic", release)}


def test_nothing_but_platforms_and_exceptions_is_lifted() -> None:
    """Lifting to what is there already is no change, once the exceptions are left out."""
    plain = (
        SITE.replace("sonic", "eos")
        .replace("linux", "eos")
        .replace("  switches: {fe-leaf01: {platform: eos}}\n", "")
    )
    before = intent(plain)
    assert lift(intent(plain), "eos") == before == lift(before, "eos")


@pytest.mark.parametrize("fabric", ["backend", "frontend"])
def test_a_fabric_that_is_not_there_stays_so(fabric: str) -> None:
    bare = intent().model_copy(update={fabric: None})
    assert getattr(lift(bare, "frr"), fabric) is None
    assert {path[0] for path, _, _ in platforms_in(bare)} == {"backend", "frontend"} - {fabric}


def test_which_box_a_switch_is_is_not_lifted() -> None:
    said = "{platform: eos, previous_name: leaf-a, serial: S1, mac: '00:1c:73:00:00:01'}"
    text = SITE.replace("fe-leaf01: {platform: sonic}", f"fe-leaf01: {said}")
    frontend = lift(intent(text), "linux").frontend
    assert frontend is not None
    lifted = frontend.switches["fe-leaf01"]
    assert (lifted.platform, lifted.previous_name, lifted.serial, lifted.mac) == (
        None,
        "leaf-a",
        "S1",
        "00:1c:73:00:00:01",
    )


def test_a_model_that_does_not_run_it_stays_unless_none_does() -> None:
    def platforms(text: str) -> set[str]:
        return {platform for _, platform, _ in platforms_in(lift(intent(text), "eos"))}

    nvidia = SITE[: SITE.index("frontend:")].replace("platform: eos", "platform: sonic")
    assert platforms(nvidia) == {"eos", "sonic"}  # the SN5600 stays
    assert platforms(nvidia.replace("7060X6-64PE", "SN5600")) == {"eos"}

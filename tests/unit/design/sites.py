"""Small intents for the tests of the design, given as the keys that matter to a test."""

import json
from typing import Any

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.wiring.backend_counts import BackendSize
from fabricgen.compile.design.wiring.backend_size import size_backend
from fabricgen.core.diagnostics import Code, Diagnostic, Severity, Stop
from fabricgen.intent.load import load_texts
from fabricgen.intent.model.intent import Intent
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Role, Switch, Topology

Keys = dict[str, Any]

R32, R64, R128 = "Z9332F-ON", "Z9664F-ON", "7060X6-64PE"
"""Models with 32, 64 and (64 cages as 2x400G) 128 ports of 400G."""


def switches(model: str, **more: object) -> Keys:
    """The words of a role; the platform does not matter to a design."""
    return {"model": model, "platform": "linux", **more}


def backend(design: str, model: str, count: int, *, gpus: int = 8, **more: object) -> Keys:
    """A backend of one model at 400G, with `count` servers."""
    words: Keys = {
        "design": design,
        "servers": {"count": count, "gpus": gpus, "nic_speed": "400G"},
        "leaf": switches(model),
    }
    if design != "rail-only":
        words["spine"] = switches(model)
        words["links"] = {"speed": "400G"}
    if design == "three-tier":
        words["superspine"] = switches(model)
    return {"backend": {**words, **more}}


def frontend(**more: object) -> Keys:
    """Two leafs with four servers each, and two spines."""
    words: Keys = {
        "leaf": switches("7050CX3-32S"),
        "spine": switches("7050CX3-32S", count=2),
        "leaf_groups": {"racks": {"leafs": "1-2", "servers": {"per_leaf": 4, "speed": "100G"}}},
    }
    return {"frontend": {**words, **more}}


def intent(keys: Keys) -> Intent:
    site = {"name": "lab", "management": {"subnet": "10.0.0.0/8"}}
    loaded = load_texts({"site.yaml": json.dumps({"site": site, **keys})})
    assert loaded.intent is not None, loaded.findings
    return loaded.intent


HEARD = {
    Code.HEADROOM_DIFFERS,
    Code.MARKING_RULE,
    Code.WATCHDOG_RULE,
    Code.PROFILE_GAP,
    Code.GROWTH_TOO_SMALL,
}


def findings(keys: Keys) -> list[Diagnostic]:
    """Design, and return what is said, but for warnings of numbers and growth."""
    said = design_site(intent(keys))[1]
    published = HEARD
    return [item for item in said if item.severity is Severity.ERROR or item.code not in published]


def only(keys: Keys) -> Diagnostic:
    """Design, and return the one thing that is said."""
    found = findings(keys)
    assert len(found) == 1, found
    return found[0]


def fabric(keys: Keys) -> Fabric:
    """Design the one fabric; nothing is said."""
    assert not findings(keys)
    site, _ = design_site(intent(keys))
    return site.fabrics[0]


def sized(keys: Keys) -> BackendSize:
    """Size a backend without wiring it: large ones take no time."""
    words = intent(keys).backend
    assert words is not None
    found = Findings()
    try:
        return size_backend(words, found)
    except Stop as stop:
        raise AssertionError(found.items) from stop


def refused(keys: Keys) -> Diagnostic:
    """Size a backend that must be refused, for one reason."""
    words = intent(keys).backend
    assert words is not None
    found = Findings()
    found.attempt(lambda: size_backend(words, found))
    (item,) = found.items
    assert item.severity is Severity.ERROR
    return item


def of_role(topology: Topology, role: Role) -> list[Switch]:
    return [switch for switch in topology.switches if switch.role is role]


def counts(topology: Topology) -> tuple[int, int, int]:
    """Return the numbers of leafs, spines and superspines."""
    leafs, spines, tops = (len(of_role(topology, role)) for role in Role)
    return leafs, spines, tops


def uplinks(topology: Topology) -> list[Link]:
    return [link for link in topology.links if not link.to_server]


def pairs(topology: Topology) -> set[int]:
    """Return how many links the pairs of switches have; one number when all are alike."""
    number: dict[tuple[str, str], int] = {}
    for link in uplinks(topology):
        pair = (link.lower.name, link.upper.name)
        number[pair] = number.get(pair, 0) + 1
    return set(number.values())

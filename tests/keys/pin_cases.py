"""Keys of single switches: which box one is, and what of its numbers was there before."""

from __future__ import annotations

from tests.keys.case import Case, Words, at

BOXES = {
    "backend": ("rails", "be-spine1"),
    "frontend": ("tenants", "fe-leaf01"),
    "fabrics.oob": ("access", "oob-spine1"),
}
"""A site of each kind of fabric with a switch of it."""
_LEAFS = {
    "backend": ("shared", "be-su01-leaf1"),
    "frontend": ("tenants", "fe-leaf01"),
    "fabrics.oob": ("access", "oob-leaf01"),
}
"""The same with a leaf that is a tunnel endpoint."""
_IDENTITY: Words = {"previous_name": "old", "serial": "S2", "mac": "00:1c:73:00:00:01"}
_NUMBERS: Words = {
    "hostname": "osl-r1-1",
    "loopback": "10.0.255.11",
    "router_id": "10.0.255.12",
    "asn": 4_250_000_000,
}


def _said(fabric: str, place: tuple[str, str], key: str, value: object) -> tuple[str, Case]:
    site, switch = place
    path = (*fabric.split("."), "switches", switch)
    case = Case(site, at(*path, words={"serial": "S1"}), at(*path, words={key: value}))
    return f"{fabric}.switches.*.{key}", case


_ARISTA = ("7050CX3-32S", "Arista-7050CX3-32S-C32", "Arista-7050CX3-32S")


def _run_as(
    fabric: str, site: str, place: tuple[str, str], boxes: tuple[str, str, str]
) -> tuple[str, Case]:
    """Run one switch of a role as another SKU."""
    (role, switch), (model, usual, other) = place, boxes
    hardware: Words = {role: {"model": model, "platform": "sonic", "hwsku": usual}}
    given = at(*fabric.split("."), words=hardware | {"switches": {switch: {"serial": "S1"}}})
    changed = at(*fabric.split("."), "switches", switch, words={"hwsku": other})
    return f"{fabric}.switches.*.hwsku", Case(site, given, changed)


CASES: list[tuple[str, Case]] = [
    *(
        _said(fabric, place, key, value)
        for fabric, place in BOXES.items()
        for key, value in (_IDENTITY | _NUMBERS | {"management": "10.255.14.7"}).items()
    ),
    _said("backend", BOXES["backend"], "model", "Z9864F-ON"),
    _said("frontend", BOXES["frontend"], "model", "S5232F-ON"),
    _said("fabrics.oob", BOXES["fabrics.oob"], "model", "S5232F-ON"),
    _run_as(
        "backend", "rails", ("spine", "be-spine1"), ("SN5600", "ACS-SN5600", "Mellanox-SN5600-O128")
    ),
    _run_as("frontend", "tenants", ("spine", "fe-spine1"), _ARISTA),
    _run_as("fabrics.oob", "access", ("spine", "oob-spine1"), _ARISTA),
    _said("frontend", ("tenants", "fe-spine1"), "speed", "40G"),
    *(_said(fabric, BOXES[fabric], "speed", "100G") for fabric in ("backend", "fabrics.oob")),
    *(_said(fabric, place, "vtep", "10.0.254.11") for fabric, place in _LEAFS.items()),
]
JUDGED = {
    f"{fabric}.switches.*.speed": "refused: all links of a tier have one speed"
    for fabric in ("backend", "fabrics.oob")
}
IDENTITY = tuple(f"{fabric}.switches.*.{key}" for fabric in BOXES for key in _IDENTITY)
"""Keys that say which box a switch is: plan, push and the first boot go by them, and no file."""

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
_IDENTITY: Words = {"was": "old", "serial": "S2", "mac": "00:1c:73:00:00:01"}
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


CASES: list[tuple[str, Case]] = [
    *(
        _said(fabric, place, key, value)
        for fabric, place in BOXES.items()
        for key, value in (_IDENTITY | _NUMBERS | {"management": "10.255.14.7"}).items()
    ),
    *(_said(fabric, place, "vtep", "10.0.254.11") for fabric, place in _LEAFS.items()),
]
IDENTITY = tuple(f"{fabric}.switches.*.{key}" for fabric in BOXES for key in _IDENTITY)
"""Keys that say which box a switch is: plan, push and the first boot go by them, and no file."""

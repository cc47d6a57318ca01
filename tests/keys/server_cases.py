"""Keys of kinds of servers, of their ports by network, and of what attaches these."""

from __future__ import annotations

from tests.keys.case import Case, Words, at
from tests.keys.sites import DELL, EDGE, GROUPS


def _rail(backend: Words, changed: Words, given: Words | None = None) -> Case:
    rail = ("servers", "gpu", "ports", "rail")
    laid = {"backend": backend} | at(*rail, words=given or {})
    return Case("kinds", laid, at(*rail, words=changed))


def _front(given: Words, changed: Words) -> Case:
    front = ("servers", "gpu", "ports", "front")
    return Case("kinds", at(*front, words=given), at(*front, words=changed))


_AGAIN = {"fabric": "frontend", "group": "more", "speed": "25G", "per_leaf": 4}
_ONE = {"servers": "gpu", "trunk": ["web"]}
CASES: list[tuple[str, Case]] = [
    (
        "servers.*.ports.*.fabric",
        Case(
            "kinds",
            {
                "fabrics": {"edge": {**EDGE, "leaf_groups": GROUPS}},
                "tenants": None,
            },
            at("servers", "gpu", "ports", "front", words={"fabric": "edge"}),
        ),
    ),
    ("servers.*.ports.*.nic_ports", _rail(DELL, {"nic_ports": 2}, {"speed": "200G"})),
    ("servers.*.ports.*.nic_ports", _rail({}, {"nic_ports": 2}, {"speed": "200G"})),
    ("servers.*.ports.*.nic", _rail({"roce": {"storage": None}}, {"nic": "thor2"})),
    (
        "servers.*.ports.*.nic_slots",
        _rail({}, {"nic_slots": ["0000:18:00.0", "0000:2a:00.0"]}),
    ),
    (
        "servers.*.states",
        Case("kinds", {}, at("servers", "gpu", words={"states": {"1": "planned"}})),
    ),
    (
        "servers.*.pins.*.hostname",
        Case("kinds", {}, at("servers", "gpu", words={"pins": {"1": {"hostname": "old-gpu"}}})),
    ),
    (
        "servers.*.pins.*.addresses",
        Case(
            "kinds",
            {
                "tenants": {
                    "red": {"attachments": [{**_ONE, "port": "front", "addresses": "static"}]}
                }
            },
            at("servers", "gpu", words={"pins": {"1": {"addresses": ["10.110.0.77"]}}}),
        ),
    ),
    ("servers.*.ports.*.unit", _rail({}, {"unit": 2})),
    ("servers.*.ports.*.leafs", _front({"bond": "none"}, {"leafs": 2})),
    ("servers.*.ports.*.group", _front({}, {"group": "more"})),
    (
        "tenants.*.attachments.*.port",
        Case(
            "kinds",
            {
                **at("servers", "gpu", "ports", "again", words=_AGAIN),
                "tenants": {"red": {"attachments": [{**_ONE, "port": "front"}]}},
            },
            {"tenants": {"red": {"attachments": [{**_ONE, "port": "again"}]}}},
        ),
    ),
]

"""Keys of EVPN gateways whose effect needs a context."""

from typing import Any

from tests.keys.case import Case, Words, at

_BLUE = {
    "one": at("vrfs", "blue", words={"vni": 5002}),
    "two": at(
        "vrfs",
        "blue",
        words={"id": 2, "vni": 5002, "vlans": {"logs": {"id": 111, "subnet": "172.20.11.0/24"}}},
    ),
}
_SMALL = {site: {"underlay": {"mtu": 9000}} for site in ("dc1", "dc2")}


def _wan(**words: Any) -> Words:
    return at("gateways", "wan", words=words)


def _links(leaf: int) -> Words:
    """Return both cables of dc1's pair to one leaf of dc2."""
    ends = ((3, 24), (4, 25))
    links = [
        {"dc1": {"leaf": near, "cage": 20}, "dc2": {"leaf": leaf, "cage": cage}}
        for near, cage in ends
    ]
    return _wan(links=links)


CASES: list[tuple[str, Case]] = [
    ("gateways.*.links.*.*.leaf", Case("gated", _links(1), _links(2))),
    ("gateways.*.vrfs", Case("gated", {"tenants": _BLUE}, _wan(vrfs={"blue": []}))),
    ("gateways.*.vlans", Case("gated", {}, _wan(vlans=[]))),
    ("gateways.*.mtu", Case("gated", {"fabrics": _SMALL}, _wan(mtu=9100))),
]

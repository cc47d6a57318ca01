"""Keys of leafs that are pairs, and of the bundles that servers have to them."""

from tests.keys.case import Case, Words, at


def _mlag(given: Words, changed: Words) -> Case:
    here = ("frontend", "leaf_groups", "bonded", "multihoming")
    return Case("tenants", at(*here, words=given), at(*here, words=changed))


def _front(given: Words, changed: Words) -> Case:
    front = ("servers", "gpu", "ports", "front")
    return Case("kinds", {"tenants": None, **at(*front, words=given)}, at(*front, words=changed))


CASES: list[tuple[str, Case]] = [
    ("frontend.leaf_groups.*.multihoming.peer_links", _mlag({"kind": "mlag"}, {"peer_links": 4})),
    ("frontend.leaf_groups.*.multihoming.domain", _mlag({"kind": "mlag"}, {"domain": "other"})),
    (
        "servers.*.ports.*.lacp_fallback.timeout",
        _front({"bond": "lacp", "lacp_fallback": {}}, {"lacp_fallback": {"timeout": 30}}),
    ),
    (  # as below
        "servers.*.ports.*.lacp_fallback.timeout",
        _front({"bond": "lacp"}, {"lacp_fallback": {"timeout": 30}}),
    ),
    (
        "servers.*.ports.*.lacp_rate",
        _front({"bond": "lacp", "lacp_rate": "fast"}, {"lacp_rate": "slow"}),
    ),
    (  # on platforms that refuse the pair there is nothing to name
        "frontend.leaf_groups.*.multihoming.domain",
        _mlag({}, {"kind": "mlag", "domain": "other"}),
    ),
]

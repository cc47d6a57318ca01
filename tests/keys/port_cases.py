"""Keys of servers' ports: what their site must say, and the change that must show."""

from __future__ import annotations

from tests.keys import pair_cases
from tests.keys.case import Case, Words


def _red(words: Words) -> Case:
    return Case("speaking", {}, {"tenants": {"red": words}})


_OTHERS = {"servers": "node", "vrf": "red", "links": "10.96.0.0/24", "bgp": "others"}
CASES: list[tuple[str, Case]] = [
    *pair_cases.CASES,
    (
        "tenants.*.vrfs.*.hosts.*.bfd",
        _red({"vrfs": {"red": {"hosts": {"nodes": {"bfd": False}}}}}),
    ),
    ("tenants.*.attachments.*.bgp", _red({"attachments": [_OTHERS]})),
]

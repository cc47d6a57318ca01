"""Keys of servers' ports: what their site must say, and the change that must show."""

from __future__ import annotations

from tests.keys import pair_cases
from tests.keys.case import Case, Words, at


def _red(words: Words) -> Case:
    return Case("speaking", {}, {"tenants": {"red": words}})


_OTHERS = {"servers": "node", "vrf": "red", "links": "10.96.0.0/24", "bgp": "others"}


def _profiled(changed: Words, given: Words | None = None) -> Case:
    return Case("profiled", given or {}, changed)


def _racks(**servers: str) -> Words:
    racks = {"leafs": "1-1", "servers": {"per_leaf": 2, "speed": "25G", **servers}}
    attached = {"red": {"attachments": [{"group": "racks", "access": "web"}]}}
    return {"servers": None, "frontend": {"leaf_groups": {"racks": racks}}, "tenants": attached}


def _job(**words: str) -> Words:
    ports = [{"group": "bonded", "access": "llama", "addresses": "none", **words}]
    return {"jobs": {"training": {"jobs": {"llama": {"attachments": ports}}}}}


_STORM = {"storm_control": {"broadcast": 1}}
_CALM = {
    "port_profiles": {
        "plain": {"storm_control": {"broadcast": None}},
        "bridge": {"storm_control": {"multicast": None}},
    }
}
_BARE = {"tenants": {"red": {"attachments": [{"servers": "node", "access": "web"}]}}}
_PLAIN = {"attachments": [{"servers": "node", "access": "web", "profile": "plain"}]}


def _moved(to: Words) -> Words:
    return at("servers", "node", "ports", "front", "moved", "4", words=to)


CASES: list[tuple[str, Case]] = [
    *pair_cases.CASES,
    *(
        (
            f"servers.*.ports.*.moved.*.{key}",
            Case("speaking", _moved({"leaf": 1, "place": 7}), _moved({key: value})),
        )
        for key, value in (("leaf", 3), ("place", 8))
    ),
    ("port_profiles.*.inherits", _profiled({"port_profiles": {"bridge": {"inherits": None}}})),
    *(
        (f"port_profiles.*.{key}", _profiled({"port_profiles": {"plain": {key: chosen}}}))
        for key in ("portfast", "bpdu_guard")
        for chosen in (True, False)
    ),
    *(
        (
            f"port_profiles.*.storm_control.{kind}",
            _profiled({"port_profiles": {"plain": {"storm_control": {kind: 7.5}}}}, _CALM),
        )
        for kind in ("broadcast", "multicast", "unknown_unicast")
    ),
    (
        "jobs.*.jobs.*.attachments.*.profile",
        Case("tenants", {**_job(), "port_profiles": {"plain": _STORM}}, _job(profile="plain")),
    ),
    ("tenants.*.attachments.*.profile", _profiled({"tenants": {"red": _PLAIN}})),
    (
        "servers.*.ports.*.profile",
        _profiled({"servers": {"node": {"ports": {"front": {"profile": "plain"}}}}}, _BARE),
    ),
    (
        "frontend.leaf_groups.*.servers.profile",
        _profiled(_racks(profile="plain"), _racks()),
    ),
    (
        "tenants.*.vrfs.*.hosts.*.bfd",
        _red({"vrfs": {"red": {"hosts": {"nodes": {"bfd": False}}}}}),
    ),
    ("tenants.*.attachments.*.bgp", _red({"attachments": [_OTHERS]})),
]

REFUSED = {
    "port_profiles.*.inherits",
    "servers.*.ports.*.profile",
    "frontend.leaf_groups.*.servers.profile",
    "tenants.*.attachments.*.profile",
    "jobs.*.jobs.*.attachments.*.profile",
}
"""Keys that lead to settings which Linux refuses, each where it is said."""

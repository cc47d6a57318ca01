"""Keys of jobs whose effect needs a context: a job's ports, and who shares what with it."""

from typing import Any

from tests.keys.case import Case, Words
from tests.keys.sites import EDGE, JOBS

_FRONT = {"servers": "gpu", "port": "front", "numbers": "1-4"}
_STATIC = {"addresses": "static"}


def _ports(*each: Words) -> Words:
    ports = [{"group": "bonded", "addresses": "none", **words} for words in each]
    return {"jobs": {"training": {"jobs": {"llama": {"attachments": ports}}}}}


def _kind(**words: Any) -> Words:
    ports = [{"trunk": ["llama"], "addresses": "none", **_FRONT, **words}]
    return {
        "jobs": {
            "training": {**JOBS["training"], "jobs": {"llama": {"slot": 1, "attachments": ports}}}
        }
    }


def _pool(**words: Any) -> Words:
    return {"jobs": {"training": words}}


def _routed(links: str) -> Words:
    """Give the nodes of a site routed ports in a job's VRF, which have no tenant then."""
    ports = [{"servers": "node", "vrf": "llama", "links": links}]
    jobs = {"llama": {"slot": 1, "attachments": ports}}
    return {"tenants": None, "jobs": {"training": {**JOBS["training"], "jobs": jobs}}}


_TAGGED, _UNTAGGED = _ports({"trunk": ["llama"]}), _ports({"access": "llama"})
_AGAIN = {
    "servers": {
        "gpu": {
            "ports": {
                "again": {"fabric": "frontend", "group": "more", "speed": "25G", "per_leaf": 4}
            }
        }
    }
}
_CLASSES: Words = {
    "frontend": {"classes": {"gold": {"queue": 4, "dscps": [34], "share": 40}}},
    "tenants": None,
    **_UNTAGGED,
}
_PORTS = "jobs.*.jobs.*.attachments.*"
CASES: list[tuple[str, Case]] = [
    (f"{_PORTS}.qos", Case("tenants", _CLASSES, _ports({"access": "llama", "qos": "gold"}))),
    (f"{_PORTS}.trust", Case("tenants", _CLASSES, _ports({"access": "llama", "trust": True}))),
    (
        "jobs.*.fabric",
        Case(
            "tenants",
            {
                "fabrics": {"edge": EDGE},
                "tenants": {"red": {"fabric": "frontend"}},
                **_pool(fabric="frontend"),
            },
            _pool(fabric="edge"),
        ),
    ),
    ("jobs.*.subnet_length", Case("tenants", {}, _pool(subnet_length=25))),
    (f"{_PORTS}.vrf", Case("speaking", {}, _routed("10.97.0.0/24"))),
    (f"{_PORTS}.links", Case("speaking", _routed("10.97.0.0/24"), _routed("10.98.0.0/24"))),
    (f"{_PORTS}.access", Case("tenants", _TAGGED, _UNTAGGED)),
    (f"{_PORTS}.trunk", Case("tenants", _UNTAGGED, _TAGGED)),
    (f"{_PORTS}.native", Case("tenants", _TAGGED, _ports({"trunk": ["llama"], "native": "llama"}))),
    (f"{_PORTS}.group", Case("tenants", _TAGGED, _ports({"trunk": ["llama"], "group": "racks"}))),
    (
        f"{_PORTS}.first_host",
        Case(
            "tenants",
            {"tenants": None, **_ports({"trunk": ["llama"], **_STATIC})},
            _ports({"trunk": ["llama"], **_STATIC, "first_host": 99}),
        ),
    ),
    (
        f"{_PORTS}.addresses6",
        Case(
            "tenants",
            _pool(subnets="2001:db8::/48", **_UNTAGGED["jobs"]["training"]),
            _ports({"access": "llama", "addresses6": "static"}),
        ),
    ),
    (
        f"{_PORTS}.default_route",
        Case(
            "tenants",
            _ports({"trunk": ["llama"], **_STATIC, "default_route": "llama"}),
            _ports({"trunk": ["llama"], "addresses": "none"}),
        ),
    ),
    (f"{_PORTS}.numbers", Case("kinds", _kind(), _kind(numbers="1-2"))),
    (f"{_PORTS}.port", Case("kinds", {**_AGAIN, **_kind()}, _kind(port="again"))),
]
CASES += [
    (
        f"tenants.*.vrfs.*.{key}",
        Case("tenants", {}, {"tenants": {"red": {"vrfs": {"red": {key: of_job}}}}}),
    )
    for key, of_job in (("import_routes", {"llama": ["10.96.0.0/24"]}), ("share_routes", ["llama"]))
]
JUDGED = {
    "jobs.*.slots": "a bound that the slots of jobs are judged by",
    "jobs.*.jobs.*.attachments.*.bgp": "refused: the VRF of a job has no `hosts` to name",
}

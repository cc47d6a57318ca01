"""Keys of jobs whose effect needs a context: a job's ports, and who shares what with it."""

from typing import Any

from tests.keys.case import Case, Words, at
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
_POOL, _JOB = ("jobs", "training"), ("jobs", "training", "jobs", "llama")
_VIP = ("tenants", "chat", "vrfs", "chat", "vips", "chat")
_AGAIN_JOB = {"fabric": "frontend", "speed": "100G", "per_leaf": 3, "first": 6}
_PORTS_OF_GPU = ("servers", "gpu", "ports", "again")
_NO_EXPORTS = at(*_POOL, words={"storage": {"exports": []}})
_ATTACHED = [
    {"servers": "web", "numbers": "1", "access": "users"},
    {"servers": "web", "numbers": "2", "access": "models"},
    {"servers": "lb", "vrf": "chat", "links": "10.98.0.0/24", "bgp": "lb"},
]
_ZONES: Words = {
    **_NO_EXPORTS,
    "tenants": {"chat": {"attachments": _ATTACHED}},
    "zones": {
        "a": {"vlans": ["chat/users"], "hosts": ["chat/chat/lb"]},
        "b": {"vlans": ["chat/models"], "hosts": []},
    },
    "flows": [{"clients": ["a"], "servers": ["b"], "services": ["tcp/443"]}],
}
_TURNED: Words = {"zones": {"a": {"hosts": []}, "b": {"hosts": ["chat/chat/lb"]}}}
_SPARE = {"front": {"fabric": "frontend", "speed": "100G", "per_leaf": 3, "first": 6}}


def _of_pool(given: Words | None = None, **words: Any) -> Case:
    """Change a pool whose storage shares no routes, which every platform takes."""
    base = {"storage": {"exports": []}, **(given or {})}
    return Case("jobs", at(*_POOL, words=base), at(*_POOL, words=words))


def _of_job(given: Words, changed: Words) -> Case:
    return Case(
        "jobs",
        at(*_POOL, words={"storage": {"exports": []}, "jobs": {"llama": given}}),
        at(*_JOB, words=changed),
    )


def _again(network: str, fabric: str, *steps: str) -> Case:
    ports = at(*_PORTS_OF_GPU, words={**_AGAIN_JOB, "fabric": fabric})
    pool = at(*_POOL, *steps, words={"port": network})
    given = laid(laid(ports, _NO_EXPORTS), pool)
    return Case("jobs", given, at(*_POOL, *steps, words={"port": "again"}))


def laid(one: Words, other: Words) -> Words:
    """Lay words over others, mapping by mapping."""
    both = dict(one)
    for key, words in other.items():
        mine = both.get(key)
        both[key] = laid(mine, words) if isinstance(mine, dict) else words
    return both


CASES += [
    (
        "jobs.*.servers",
        Case(
            "jobs",
            laid(
                {"servers": {"spare": {"count": 6, "ports": _SPARE}}},
                at(*_POOL, words={"rails": None, "storage": None}),
            ),
            at(*_POOL, words={"servers": "spare"}),
        ),
    ),
    ("jobs.*.port", _again("front", "frontend")),
    ("jobs.*.rails.idle_vrf", _of_pool(rails={"idle_vrf": 98})),
    ("jobs.*.rails.local", _of_pool(rails={"local": True})),
    ("jobs.*.rails.fabric", _of_pool(rails={"fabric": "storage"})),
    ("jobs.*.storage.fabric", _of_pool(storage={"fabric": "backend"})),
    ("jobs.*.storage.subnets", _of_pool(storage={"subnets": "10.99.0.0/16"})),
    ("jobs.*.storage.subnet_length", _of_pool(storage={"subnet_length": 25})),
    ("jobs.*.storage.exports", _of_pool(storage={"exports": ["files"]})),
    ("jobs.*.storage.port", _again("data", "storage", "storage")),
    ("jobs.*.jobs.*.servers", _of_job({}, {"servers": "1-3"})),
    ("jobs.*.jobs.*.unit", _of_job({"servers": None, "unit": 1}, {"unit": 2})),
    ("jobs.*.quota.servers", _of_pool(quota={"servers": 1})),
    ("jobs.*.quota.gpus", _of_pool(quota={"gpus": 1})),
    ("jobs.*.jobs.*.quota.servers", _of_job({}, {"quota": {"servers": 1}})),
    ("jobs.*.jobs.*.quota.gpus", _of_job({}, {"quota": {"gpus": 1}})),
    ("zones.*.hosts", Case("jobs", _ZONES, _TURNED)),
]
CASES += [
    (
        f"tenants.*.vrfs.*.vips.*.{key}",
        Case("jobs", _NO_EXPORTS, at(*_VIP, words={key: value})),
    )
    for key, value in (
        ("hosts", "waf"),
        ("address", "198.51.100.2"),
        ("servers", ["chat/models"]),
    )
]
_BOUND = "a bound that jobs are judged by"
JUDGED = {
    **dict.fromkeys(("jobs.*.quota.servers", "jobs.*.quota.gpus"), _BOUND),
    **dict.fromkeys(("jobs.*.jobs.*.quota.servers", "jobs.*.jobs.*.quota.gpus"), _BOUND),
    "jobs.*.rails.fabric": "the only rails of the site; others are refused",
    "jobs.*.storage.fabric": "the only storage fabric of the site; others are refused",
    "tenants.*.vrfs.*.vips.*.servers": "servers that no path may reach without the balancers",
    "jobs.*.slots": "a bound that the slots of jobs are judged by",
    "jobs.*.jobs.*.attachments.*.bgp": "refused: the VRF of a job has no `hosts` to name",
}

"""Keys of what is to be lived through: zones, double failures and promises of two small sites."""

from tests.keys.case import Case, Words, at

_ZONE = {"power_zones": {"east": {"switches": ["be-spine1"]}}}
_RAILS: Words = {"fabric": "backend", "keeps": 50.0, "rails": True}
_TENANT: Words = {"tenant": "red", "keeps": 50.0}


def _promised(site: str, given: Words, changed: Words) -> Case:
    return Case(
        site,
        at("failures", "promises", "one", words=given),
        at("failures", "promises", "one", words=changed),
    )


_BETWEEN: Words = {"between": ["east", "west"], "keeps": 40.0}
CASES: list[tuple[str, Case]] = [
    (
        "failures.power_zones.*.switches",
        Case(
            "rails",
            {"failures": _ZONE},
            at("failures", "power_zones", "east", words={"switches": ["be-spine*"]}),
        ),
    ),
    (
        "failures.double_failures",
        Case("rails", {}, {"failures": {"double_failures": [["be-spine1", "be-spine2"]]}}),
    ),
    (
        "failures.promises.*.fabric",
        _promised("kinds", {**_RAILS, "rails": False}, {"fabric": "frontend"}),
    ),
    ("failures.promises.*.rails", _promised("rails", _RAILS, {"rails": False})),
    ("failures.promises.*.keeps", _promised("rails", _RAILS, {"keeps": 87.5})),
    (
        "failures.promises.*.each_server_keeps",
        _promised("rails", _RAILS, {"each_server_keeps": 1.0}),
    ),
    (
        "failures.promises.*.no_server_loses_it",
        _promised("rails", _RAILS, {"no_server_loses_it": True}),
    ),
    ("failures.promises.*.after", _promised("rails", _RAILS, {"after": ["spine", "link"]})),
    (
        "failures.promises.*.between",
        _promised("joined", _BETWEEN, {"between": ["west", "east"]}),
    ),
    (
        "failures.promises.*.no_vrf_loses_it",
        _promised("joined", _BETWEEN, {"no_vrf_loses_it": True}),
    ),
    (
        "failures.promises.*.recovers_within",
        _promised("rails", _RAILS, {"recovers_within": 500}),
    ),
    (
        "failures.promises.*.silent",
        _promised("rails", {**_RAILS, "recovers_within": 500}, {"silent": False}),
    ),
    *(
        (
            f"failures.recovery.*.{key}",
            Case(
                "rails",
                at("failures", "recovery", "eos", words={"source": "a"}),
                at("failures", "recovery", "eos", words={key: value}),
            ),
        )
        for key, value in (("link_down", 5), ("withdrawal", 5), ("fib_update", 5), ("source", "b"))
    ),
    ("failures.promises.*.tenant", _promised("tenants", _TENANT, {"tenant": "blue"})),
]
PROMISED = tuple(
    f"failures.{key}"
    for key in (
        *("power_zones.*.switches", "double_failures"),
        *(
            f"promises.*.{key}"
            for key in (
                *("fabric", "rails", "tenant", "between", "after"),
                *("keeps", "each_server_keeps", "no_server_loses_it", "no_vrf_loses_it"),
                *("recovers_within", "silent"),
            )
        ),
        *(f"recovery.*.{key}" for key in ("link_down", "withdrawal", "fib_update", "source")),
    )
)
"""Keys that say what fails and what is promised then: `fabricgen failures` judges them, no file."""

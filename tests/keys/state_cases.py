"""What is said of single switches: which box one is, and its state, which neighbors see."""

from tests.keys.case import Case, at

_SPINES = {
    "backend": ("rails", "be-spine1"),
    "frontend": ("tenants", "fe-spine1"),
    "fabrics.oob": ("access", "oob-spine1"),
}
_WAS = _SPINES | {"frontend": ("tenants", "fe-leaf01")}
_LEAFS = {
    "backend": ("rails", "be-su01-leaf1"),
    "frontend": ("tenants", "fe-leaf01"),
    "fabrics.oob": ("access", "oob-leaf01"),
}


def _of(
    fabric: str, site: str, name: str, given: dict[str, object], changed: dict[str, object]
) -> Case:
    place = (*fabric.split("."), "switches", name)
    return Case(site, at(*place, words=given), at(*place, words=changed))


CASES: list[tuple[str, Case]] = [
    *(
        (f"{fabric}.switches.*.state", _of(fabric, *place, {"serial": "S1"}, {"state": "planned"}))
        for fabric, place in _SPINES.items()
    ),
    *(
        (f"{fabric}.switches.*.{key}", _of(fabric, *place, {"serial": "S1"}, {key: value}))
        for fabric, place in _WAS.items()
        for key, value in (("previous_name", "old"), ("serial", "S2"), ("mac", "00:1c:73:00:00:01"))
    ),
    *(
        (
            f"{fabric}.switches.*.accept_loss",
            _of(fabric, *place, {"state": "drained"}, {"accept_loss": True}),
        )
        for fabric, place in _LEAFS.items()
    ),
]
JUDGED = {
    f"{fabric}.switches.*.accept_loss": "servers without another leaf are an error otherwise"
    for fabric in _LEAFS
}

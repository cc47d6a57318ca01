"""The state of a switch: a neighbour's port waits for one that is planned."""

from __future__ import annotations

from tests.keys.case import Case, at

_SPINES = {
    "backend": ("rails", "be-spine1"),
    "frontend": ("tenants", "fe-spine1"),
    "fabrics.oob": ("access", "oob-spine1"),
}
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

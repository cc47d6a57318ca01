"""Keys of acknowledgments: they mark findings and reach no file."""

from typing import Any

from tests.keys.case import Case, Words

_ENTRY: Words = {"code": "FG102", "where": "site", "why": "a lab", "until": "2027-06-30"}


def _case(**changed: Any) -> tuple[str, Case]:
    (key,) = changed
    given = {"site": {"management": {"ntp": []}}, "acknowledge": [_ENTRY]}
    return f"acknowledge.*.{key}", Case("rails", given, {"acknowledge": [_ENTRY | changed]})


_TWO = _ENTRY | {"code": "FG103", "where": "backend"}
_UNUSED_KEYS: Words = {
    "backend": {"design": "rail-only", "spine": {"model": "7060X6-64PE"}},
    "acknowledge": [_TWO],
}
"""Leaves two warnings: a rail-only backend has no spines and no links between switches."""
CASES: list[tuple[str, Case]] = [
    _case(code="FG103"),
    _case(where="backend"),
    _case(text="no such text"),
    ("acknowledge.*.count", Case("rails", _UNUSED_KEYS, {"acknowledge": [_TWO | {"count": 2}]})),
    _case(why="another reason"),
    _case(owner="network"),
    _case(until="2028-06-30"),
]
JUDGED = {name: "marks findings; see the unit tests of acknowledging" for name, _ in CASES}

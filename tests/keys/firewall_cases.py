"""Keys of firewalls whose effect needs a context."""

from typing import Any

from tests.keys.case import Case, Words, at


def _pair(given: Words, **words: Any) -> Case:
    place = ("frontend", "firewalls", "fw")
    return Case("fenced", at(*place, words=given), at(*place, words=words))


CASES: list[tuple[str, Case]] = [
    ("frontend.firewalls.*.mode", _pair({"shares_state": True}, mode="active-active")),
    (
        "frontend.firewalls.*.units.*.links",
        _pair({}, units=[{"links": ["other"]}, {"links": ["core"]}]),
    ),
    (
        "frontend.firewalls.*.shares_state",
        _pair({"shares_state": True, "mode": "active-active"}, shares_state=False),
    ),
]
JUDGED = {
    "frontend.firewalls.*.shares_state": "what the units do between them, without which two that "
    "are active are refused",
}

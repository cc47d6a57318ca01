"""Keys of the gates of `fabricgen diff`: they judge changes and reach no file."""

from typing import Any

from tests.keys.case import Case, at


def _case(key: str, value: Any, given: Any = None) -> tuple[str, Case]:
    *above, last = key.split(".")
    given = {} if given is None else {last: given}
    return f"review.{key}", Case(
        "rails",
        at("review", *above, words=given),
        at("review", *above, words={last: value}),
    )


CASES: list[tuple[str, Case]] = [
    _case("fail_on", "reboot", "session-reset"),
    _case("freeze", ["backend"]),
    _case("owners", {"backend": ["@net"]}),
    _case("limits.switches", 8),
    _case("limits.servers", 8),
    _case("limits.gpus", 0),
    _case("allow_own_declaration", ["@net"]),
]
REVIEWED = tuple(name for name, _ in CASES)
"""Keys that tests/unit/review/test_gates.py and test_provided.py show at work."""

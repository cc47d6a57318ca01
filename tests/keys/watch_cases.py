"""Keys of the limits of running switches: `verify` and `watch` apply them, and no file has them."""

from tests.keys.case import Case, at

_VALUES: dict[str, float] = {
    "paused_share": 2.0,
    "pauses": 250,
    "marked_share": 25.0,
    "notified_share": 5.0,
    "headroom_share": 60.0,
    "buffer_share": 60.0,
    "flaps": 5,
    "error_frames": 3,
    "bit_errors": 1e-5,
    "capacity_share": 70.0,
    "imbalance": 3.0,
    "certificate_days": 7,
}

CASES: list[tuple[str, Case]] = [
    (f"watch.{key}", Case("rails", {}, at("watch", words={key: value})))
    for key, value in _VALUES.items()
]
WATCHED = tuple(name for name, _ in CASES)
"""Keys that tests/unit/watch shows at work."""

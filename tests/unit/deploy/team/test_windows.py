"""Windows and freezes: when a fabric may change, by the clock of a zone."""

from datetime import datetime
from typing import Any

import pytest
from pydantic import ValidationError

from fabricgen.operate.deploy.team.authorization import closed_reason
from fabricgen.operate.deploy.team.policy import Team

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl"


def rules(**more: Any) -> Team:
    """Return rules with one person."""
    return Team.model_validate({"people": {"ann": {"keys": [KEY]}}, **more})


def nights(**more: object) -> Team:
    """Return rules that let changes happen from Tuesday 22:00 to 04:00 in Berlin."""
    window = {"days": ["tue"], "from": "22:00", "to": "04:00", "zone": "Europe/Berlin", **more}
    return rules(windows=[window])


def is_open(team: Team, moment: str, fabric: str = "backend") -> bool:
    """Tell whether a fabric may change at a moment."""
    return not closed_reason(team, fabric, datetime.fromisoformat(moment))


@pytest.mark.parametrize(
    ("moment", "may"),
    [
        ("2026-11-24T21:59:59+01:00", False),
        ("2026-11-24T22:00:00+01:00", True),  # a Tuesday
        ("2026-11-25T03:59:59+01:00", True),  # it ends on Wednesday
        ("2026-11-25T04:00:00+01:00", False),
        ("2026-11-25T22:30:00+01:00", False),
        ("2026-11-24T21:30:00+00:00", True),  # the same moment, said in UTC
    ],
)
def test_a_window_is_open_by_the_clock_of_its_zone(moment: str, *, may: bool) -> None:
    """From its beginning until before its end, over midnight, too."""
    assert is_open(nights(), moment) is may


def test_a_night_with_an_hour_more_or_less_is_a_window_all_the_same() -> None:
    """Clocks go back on 25 October 2026 and forward on 29 March 2026, both Sundays."""
    back, forward = nights(days=["sat"]), nights(days=["sat"], to="03:30")
    assert is_open(back, "2026-10-25T02:59:00+00:00")  # 03:59 of the new time: 7 hours long
    assert not is_open(back, "2026-10-25T03:00:00+00:00")
    assert is_open(forward, "2026-03-29T01:29:00+00:00")  # 03:29 of the new time
    assert not is_open(forward, "2026-03-29T01:30:00+00:00")


def test_a_whole_day_is_from_midnight_to_midnight() -> None:
    """24:00 is the end of a day."""
    sunday = rules(windows=[{"days": ["sun"], "from": "00:00", "to": "24:00"}])
    assert is_open(sunday, "2026-11-22T00:00:00+00:00")
    assert is_open(sunday, "2026-11-22T23:59:59+00:00")
    assert not is_open(sunday, "2026-11-23T00:00:00+00:00")


def test_a_window_of_a_fabric_says_nothing_of_another() -> None:
    """A fabric without a window may change at any time."""
    team = nights(fabrics=["backend"])
    assert is_open(team, "2026-11-23T12:00:00+00:00", "frontend")
    assert not is_open(team, "2026-11-23T12:00:00+00:00", "backend")
    assert "no change window of backend is open; windows: tue 22:00 to 04:00" in closed_reason(
        team, "backend", datetime.fromisoformat("2026-11-23T12:00:00+00:00")
    )


def test_a_freeze_is_stronger_than_a_window() -> None:
    """Until the moment at which it ends; the reason is said."""
    freeze = {"from": "2026-11-20T00:00Z", "to": "2026-11-24T23:00+01:00", "reason": "audit"}
    team = Team.model_validate({**nights().model_dump(by_alias=True), "freezes": [freeze]})
    said = closed_reason(team, "backend", datetime.fromisoformat("2026-11-24T22:30:00+01:00"))
    assert said == "backend is frozen until 2026-11-24T23:00+01:00: audit"
    assert is_open(team, "2026-11-24T23:00:00+01:00")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"from": "25:00"}, "pattern"),
        ({"days": ["yesterday"]}, "Input should be"),
        ({"zone": "Europe/Atlantis"}, "must be a time zone"),
        ({"zone": "../../../etc/passwd"}, "must be a time zone"),
    ],
)
def test_what_is_no_window_is_refused(wrong: dict[str, object], said: str) -> None:
    """Before anything is planned."""
    with pytest.raises(ValidationError, match=said):
        nights(**wrong)


def test_a_freeze_says_when_it_ends_for_everybody() -> None:
    """A time without an offset is another moment in another office."""
    freeze = {"from": "2026-11-20T00:00", "to": "2026-11-24T23:00", "reason": "audit"}
    with pytest.raises(ValidationError, match="must be a time with an offset"):
        rules(freezes=[freeze])

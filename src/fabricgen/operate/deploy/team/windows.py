"""Windows, freezes and a moment in; why the switches of a fabric may not change then out."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from fabricgen.operate.deploy.team.policy import DAYS, Team, Window


def shut(team: Team, fabric: str, now: datetime) -> str:
    """Say why a fabric may not change now; empty when it may."""
    for freeze in team.freezes:
        if freeze.holds(now) and fabric in (freeze.fabrics or [fabric]):
            return f"{fabric} is frozen until {freeze.end}: {freeze.reason}"
    windows = [each for each in team.windows if fabric in (each.fabrics or [fabric])]
    if not windows or any(is_open(window, now) for window in windows):
        return ""
    return f"no window of {fabric} is open; they are {'; '.join(map(spoken, windows))}"


def spoken(window: Window) -> str:
    """Return a window in words."""
    return f"{', '.join(window.days)} {window.start} to {window.end} {window.zone}"


def is_open(window: Window, now: datetime) -> bool:
    """Tell whether a window is open that began today or yesterday, by the clock of its zone.

    Its ends are compared in UTC: between two times of one zone, Python leaves the hour out by
    which clocks are changed.
    """
    today = now.astimezone(ZoneInfo(window.zone)).date()
    for day in (today, today - timedelta(days=1)):
        begins = _at(window, day, window.start)
        ends = _at(window, day + timedelta(days=window.end <= window.start), window.end)
        if DAYS[day.weekday()] in window.days and begins <= now < ends:
            return True
    return False


def _at(window: Window, day: date, clock: str) -> datetime:
    """Return a time of the clock as UTC; 24:00 is the midnight after the day."""
    hours, minutes = map(int, clock.split(":"))
    whole, hour = divmod(hours, 24)
    local = datetime(day.year, day.month, day.day, hour, minutes, tzinfo=ZoneInfo(window.zone))
    return (local + timedelta(days=whole)).astimezone(UTC)

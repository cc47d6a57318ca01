"""Read `show configuration sessions detail`: the open sessions and the commit timer.

Two shapes exist (napalm issue 2166). Up to 4.31 the session's state is pendingCommitTimer. From
4.32 it is committed, and commitTimerSessionName and commitTimerExpireTime are next to the sessions.
`instances` lists the users of a session, as doublezero's agent quotes it from a switch.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# No source names the longest session name; 36 characters (a UUID) are seen in use.
_PLAN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
_NAME = re.compile(rf"fabricgen-(?P<plan>{_PLAN.pattern})-(?P<number>[0-9]+)")


@dataclass(frozen=True, slots=True)
class Session:
    name: str
    state: str
    people: tuple[str, ...]

    @property
    def plan(self) -> str | None:
        return plan_of(self.name)


@dataclass(frozen=True, slots=True)
class Sessions:
    """All sessions of a switch, the one with a pending commit, and the seconds until its undo."""

    every: tuple[Session, ...]
    timed: str | None
    seconds: float

    @property
    def open(self) -> tuple[Session, ...]:
        return tuple(session for session in self.every if session.state == "pending")

    def unused_name(self, plan: str) -> str:
        """Return an unused name, because a completed session cannot be entered again."""
        used = [
            int(match["number"])
            for session in self.every
            if (match := _NAME.fullmatch(session.name)) and match["plan"] == plan
        ]
        return f"fabricgen-{plan}-{max(used, default=0) + 1}"


def checked(plan: str) -> str:
    """Return the plan's name. ValueError if it cannot be part of a session's or file's name."""
    if not _PLAN.fullmatch(plan):
        raise ValueError(f"invalid plan name: {plan!r}")
    return plan


def plan_of(session: str) -> str | None:
    """Return the plan in a session's name; None for a session of another tool."""
    match = _NAME.fullmatch(session)
    return match["plan"] if match else None


def read(detail: Mapping[str, Any], version: Mapping[str, Any]) -> Sessions:
    every = tuple(
        Session(name, shown.get("state", ""), _people(shown.get("instances", {})))
        for name, shown in detail.get("sessions", {}).items()
    )
    timed, expires = _timer(detail)
    return Sessions(every, timed, _left(expires, version) if timed else 0.0)


def _timer(detail: Mapping[str, Any]) -> tuple[str | None, float | None]:
    # An empty name would mean that nothing waits; only a missing key is documented.
    if name := detail.get("commitTimerSessionName"):
        return name, detail.get("commitTimerExpireTime")
    for name, shown in detail.get("sessions", {}).items():
        if "pendingCommitTimer" in shown.get("state", ""):
            return name, shown.get("commitBy")
    return None, None


def _left(expires: float | None, version: Mapping[str, Any]) -> float:
    """Return the seconds left. NAPALM counts from the boot, issue 2166 from the epoch."""
    uptime, booted = version.get("uptime"), version.get("bootupTimestamp")
    if expires is None or expires < 0 or uptime is None:
        return 0.0
    now = booted + uptime if booted is not None and expires >= booted else uptime
    return max(0.0, float(expires - now))


def _people(instances: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(
        f"{shown.get('user', '?')} on {shown.get('terminal', '?')}" for shown in instances.values()
    )

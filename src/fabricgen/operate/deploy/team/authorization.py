"""Decides by a team's rules and signatures whether a plan may change switches.

It proves which key signed which statement about which plan, and when by this machine's clock. It
does not prove that the machine runs this program and reads the reviewed rules
(docs/operate/security.md).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from fabricgen.core.units import counted
from fabricgen.operate.deploy.journal.records import Act, Signed
from fabricgen.operate.deploy.plan.document import Plan
from fabricgen.operate.deploy.team.policy import DAYS, Approvals, Team, Window
from fabricgen.operate.deploy.team.signed import NoSignature, owner, prove, sign


def closed_reason(team: Team, fabric: str, now: datetime) -> str:
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


Beside = Iterable[tuple[str, Signed | str]]
"""What people signed of a plan: where it stands, and what it says or why it is nothing."""
_OF_A_PLAN = (Act.PLAN, Act.APPROVE)
_SKEW = timedelta(minutes=2)
"""How far two clocks may be apart."""


class NotAuthorizedError(Exception):
    """Why this may not be done; nothing was touched."""


@dataclass(frozen=True, slots=True)
class Authorization:
    """Leave to change switches. signed: for the journal. remarks: what was not counted, and why.

    hold: says why a batch may not begin now; empty when it may.
    """

    signed: tuple[Signed, ...] = ()
    hold: Callable[[Sequence[str]], str] = lambda _: ""
    remarks: tuple[str, ...] = ()

    @property
    def approved(self) -> bool:
        """Tell whether somebody read the plan and signed that it may be pushed."""
        return any(each.act is Act.APPROVE for each in self.signed)


def now() -> datetime:
    """Return the time of this machine."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A team's rules over the plans of a site. policy: sha256 of its file. clock: UTC."""

    team: Team
    policy: str
    site: str
    clock: Callable[[], datetime]

    @property
    def approvals(self) -> Approvals:
        """Return what a plan needs, with the limits that hold where it needs nothing."""
        return self.team.approvals or Approvals()

    def signed(
        self, act: Act, plan: str, key: Path, hours: int | None = None, reason: str = ""
    ) -> Signed:
        """Sign with the key of somebody who may. plan: its sha256. NoLeave when not."""
        who = self.holder(key, act)
        if hours is not None and hours > self.approvals.hours:
            most = counted(self.approvals.hours, "hour")
            raise NotAuthorizedError(f"team.yaml lets an approval hold {most} at most")
        made = self.clock().replace(microsecond=0)
        until = made + timedelta(hours=hours or self.approvals.hours)
        text = Signed(
            act=act, plan=plan, site=self.site, who=who, made=made, until=until, reason=reason
        )
        try:
            signed = sign(text, key)
            prove(self.team, signed)
        except NoSignature as none:
            raise NotAuthorizedError(str(none)) from None
        return signed

    def holder(self, key: Path, act: Act) -> str:
        """Return who holds a key and may do that with it. NoLeave when nobody."""
        try:
            who = owner(self.team, key)
        except NoSignature as none:
            raise NotAuthorizedError(str(none)) from None
        self._may(act, who)
        return who

    def _may(self, act: Act, who: str) -> None:
        named: list[str] | None = getattr(self.team.may, act.replace("-", "_"))
        if named is not None and who not in named:
            raise NotAuthorizedError(f"{who} may not {act.replace('-', ' ')}, says team.yaml")

    def same(self, plan: Plan) -> None:
        """Refuse a plan of another site, of other rules, or of a time that is not yet."""
        bound(plan, self.policy)
        if plan.site != self.site:
            raise NotAuthorizedError(f"plan {plan.id} is of site {plan.site}, not of {self.site}")
        if plan.age(self.clock()) < -_SKEW:
            raise NotAuthorizedError(
                f"plan {plan.id} was made at {plan.made}: this machine's clock is behind"
            )

    def valid(self, plan: Plan, given: Signed | str) -> Signed:
        """Make sure that a signature counts for a plan now. NoSignature, NoLeave: why it does not.

        given: or why it is none. What is cheap is asked first; ssh-keygen last.
        """
        if isinstance(given, str):
            raise NoSignature(given)
        if given.act not in _OF_A_PLAN:
            raise NoSignature("it is no approval")
        present, longest = self.clock(), timedelta(hours=self.approvals.hours)
        if given.plan != plan.sha256:
            raise NoSignature("it is of another plan")
        if given.site != self.site:
            raise NoSignature(f"it is of site {given.site}")
        if given.made > present + _SKEW:
            raise NoSignature(f"it was made at {given.made:%F %H:%M} UTC, which is not yet")
        if given.until <= present:
            raise NoSignature(f"it ended at {given.until:%F %H:%M} UTC")
        if given.until - given.made > longest:
            most = counted(self.approvals.hours, "hour")
            raise NoSignature(f"it holds longer than the {most} of team.yaml")
        self._may(given.act, given.who)
        prove(self.team, given)
        return given

    def counted(self, plan: Plan, beside: Beside) -> tuple[tuple[Signed, ...], tuple[str, ...]]:
        """Return the signatures of planners and approvers that count, and what is said of others.

        A person counts once, and whoever planned not at all as an approver, unless that is allowed.
        """
        valid, remarks = dict[tuple[Act, str], Signed](), list[str]()
        for name, given in beside:
            try:
                each = self.valid(plan, given)
                valid[each.act, each.who] = each
            except (NoSignature, NotAuthorizedError) as none:
                remarks.append(f"{name} does not count: {none}")
        for _, who in [key for key in valid if key[0] is Act.APPROVE]:
            if (Act.PLAN, who) in valid and not self.approvals.own:
                del valid[Act.APPROVE, who]
                remarks.append(f"{who} planned it: that approval does not count")
        return tuple(valid.values()), tuple(remarks)

    def to_push(self, plan: Plan, beside: Beside | None, pusher: Signed | None) -> Authorization:
        """Return leave to push a plan, asked before anything is touched. NoLeave when not.

        beside: None for a plan that was made by who pushes it.
        """
        self.same(plan)
        self._pushes(pusher)
        if pusher is not None and pusher.act is Act.BREAK_GLASS:
            return Authorization((pusher,))
        signed, remarks = self.counted(plan, beside or ())
        made_here = (pusher,) if beside is None and pusher is not None else ()
        if missing := "; ".join(self._missing(signed, made_here)):
            raise NotAuthorizedError("; ".join((missing, *remarks)))

        fabric_of = {entry.switch: entry.fabric for entry in plan.switches}

        def hold(names: Sequence[str]) -> str:
            fabrics = dict.fromkeys(fabric_of[name] for name in names)
            shuts = (closed_reason(self.team, fabric, self.clock()) for fabric in fabrics)
            return self._few(signed) or next(filter(None, shuts), "")

        if plan.batches and (why := hold(plan.batches[0].switches)):
            raise NotAuthorizedError(why)
        return Authorization(signed + ((pusher,) if pusher else ()), hold, remarks)

    def to_go_back(self, pusher: Signed | None) -> Authorization:
        """Return leave to roll back: whoever may push may, alone and at any time."""
        self._pushes(pusher)
        return Authorization((pusher,) if pusher else ())

    def _pushes(self, pusher: Signed | None) -> None:
        if pusher is None and self.team.may.push is not None:
            raise NotAuthorizedError("team.yaml says who may push: sign with --key")

    def _missing(self, signed: Sequence[Signed], made_here: Sequence[Signed]) -> Iterator[str]:
        may_plan, wanted = self.team.may.plan, self.team.approvals
        planners = {each.who for each in signed if each.act is Act.PLAN}
        planners |= {each.who for each in made_here if may_plan is None or each.who in may_plan}
        if not planners and (may_plan is not None or (wanted and not wanted.own)):
            yield "nobody who may plan signed as its planner: `fabricgen plan -o FILE --key KEY`"
        if few := self._few(signed):
            yield few

    def _few(self, signed: Iterable[Signed]) -> str:
        """Say that too few approvals hold now; empty when there are enough."""
        needed = self.team.approvals.needed if self.team.approvals else 0
        given = [each for each in signed if each.act is Act.APPROVE]
        holding = {each.who for each in given if each.until > self.clock()}
        if len(holding) >= needed:
            return ""
        over = ", ".join(sorted({each.who for each in given} - holding))
        ended = f", and that of {over} ended" if over else ""
        return f"{len(holding)} of {needed} approvals hold{ended}: `fabricgen approve`"


def once_more(signed: Iterable[Signed]) -> Beside:
    """Return what a push that goes on may count again, of what the journal kept of it."""
    return tuple((f"{it.who}.{it.act}", it) for it in signed if it.act in _OF_A_PLAN)


def require_current_clock(present: datetime, latest: datetime) -> None:
    """Refuse a clock that is behind the journal's: on it nothing would ever end."""
    if present < latest - _SKEW:
        raise NotAuthorizedError(
            f"this machine's clock is behind: the journal is at {latest:%F %H:%M} UTC"
        )


def bound(plan: Plan, policy: str | None) -> None:
    """Refuse a plan that was made under other rules, or under none: what was approved goes."""
    if plan.policy != policy:
        raise NotAuthorizedError(
            f"plan {plan.id} was made under another team.yaml, or without one: make it anew"
        )

"""Decide by the team's rules and signatures whether a plan may change switches.

A signature proves which key signed which statement about which plan, and when by the clock of this
machine. It does not prove that the machine runs this program and reads the reviewed rules
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
    """Return why a fabric must not change now; empty when it may change."""
    for freeze in team.freezes:
        if freeze.holds(now) and fabric in (freeze.fabrics or [fabric]):
            return f"{fabric} is frozen until {freeze.end}: {freeze.reason}"
    windows = [each for each in team.windows if fabric in (each.fabrics or [fabric])]
    if not windows or any(is_open(window, now) for window in windows):
        return ""
    return f"no change window of {fabric} is open; windows: {'; '.join(map(spoken, windows))}"


def spoken(window: Window) -> str:
    """Format a change window for a message."""
    return f"{', '.join(window.days)} {window.start} to {window.end} {window.zone}"


def is_open(window: Window, now: datetime) -> bool:
    """Check whether a window that began today or yesterday is open, in the time zone of the window.

    The ends are compared in UTC. Python ignores the hour of a clock change when it subtracts two
    times of one zone.
    """
    today = now.astimezone(ZoneInfo(window.zone)).date()
    for day in (today, today - timedelta(days=1)):
        begins = _at(window, day, window.start)
        ends = _at(window, day + timedelta(days=window.end <= window.start), window.end)
        if DAYS[day.weekday()] in window.days and begins <= now < ends:
            return True
    return False


def _at(window: Window, day: date, clock: str) -> datetime:
    """Return a local time as UTC; 24:00 is the midnight after the day."""
    hours, minutes = map(int, clock.split(":"))
    whole, hour = divmod(hours, 24)
    local = datetime(day.year, day.month, day.day, hour, minutes, tzinfo=ZoneInfo(window.zone))
    return (local + timedelta(days=whole)).astimezone(UTC)


Beside = Iterable[tuple[str, Signed | str]]
"""Signatures of a plan: file name, and the signature or the reason why it is invalid."""
_OF_A_PLAN = (Act.PLAN, Act.APPROVE)
_SKEW = timedelta(minutes=2)
"""Largest accepted difference between two clocks."""


class NotAuthorizedError(Exception):
    """The reason why a change is not authorized; no switch was touched."""


@dataclass(frozen=True, slots=True)
class Authorization:
    """Authorization to change switches.

    Attributes:
        signed: Signatures for the journal.
        hold: Returns why a batch must not begin now; empty when it may begin.
        remarks: Ignored signatures with the reason.
    """

    signed: tuple[Signed, ...] = ()
    hold: Callable[[Sequence[str]], str] = lambda _: ""
    remarks: tuple[str, ...] = ()

    @property
    def approved(self) -> bool:
        """Check whether the plan has an approval."""
        return any(each.act is Act.APPROVE for each in self.signed)


def now() -> datetime:
    """Return the time of this machine."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A team's rules for the plans of a site. policy: SHA-256 of the file. clock: UTC."""

    team: Team
    policy: str
    site: str
    clock: Callable[[], datetime]

    @property
    def approvals(self) -> Approvals:
        """Return the approvals that a plan needs; the default limits when it needs none."""
        return self.team.approvals or Approvals()

    def signed(
        self, act: Act, plan: str, key: Path, hours: int | None = None, reason: str = ""
    ) -> Signed:
        """Sign a statement about a plan.

        Args:
            act: The statement to sign.
            plan: SHA-256 of the plan.
            key: The SSH key of the signer.
            hours: Validity of the signature; by default the limit of team.yaml.
            reason: Text for the journal.

        Raises:
            NotAuthorizedError: team.yaml does not authorize the owner of the key.
        """
        who = self.holder(key, act)
        if hours is not None and hours > self.approvals.hours:
            most = counted(self.approvals.hours, "hour")
            raise NotAuthorizedError(
                f"team.yaml limits an approval to {most}: use a smaller --hours"
            )
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
        """Return the owner of a key after a check of the owner's rights.

        Raises:
            NotAuthorizedError: The key has no owner, or the owner lacks the right.
        """
        try:
            who = owner(self.team, key)
        except NoSignature as none:
            raise NotAuthorizedError(str(none)) from None
        self._may(act, who)
        return who

    def _may(self, act: Act, who: str) -> None:
        named: list[str] | None = getattr(self.team.may, act.replace("-", "_"))
        if named is not None and who not in named:
            raise NotAuthorizedError(
                f"{who} lacks the right to {act.replace('-', ' ')}: see `may` in team.yaml"
            )

    def same(self, plan: Plan) -> None:
        """Reject a plan of another site, of other rules or with a date in the future."""
        bound(plan, self.policy)
        if plan.site != self.site:
            raise NotAuthorizedError(
                f"plan {plan.id} belongs to site {plan.site}, not to {self.site}"
            )
        if plan.age(self.clock()) < -_SKEW:
            raise NotAuthorizedError(
                f"plan {plan.id} is dated {plan.made}, in the future: check the clock of "
                "this machine"
            )

    def valid(self, plan: Plan, given: Signed | str) -> Signed:
        """Check that a signature is valid for a plan now.

        Cheap checks run first and ssh-keygen runs last.

        Args:
            plan: The plan to push.
            given: The signature, or the reason why a file contains none.

        Raises:
            NoSignature: The signature is invalid, expired or for another plan.
            NotAuthorizedError: The signer lacks the right.
        """
        if isinstance(given, str):
            raise NoSignature(given)
        if given.act not in _OF_A_PLAN:
            raise NoSignature("not an approval")
        present, longest = self.clock(), timedelta(hours=self.approvals.hours)
        if given.plan != plan.sha256:
            raise NoSignature("signature is for another plan")
        if given.site != self.site:
            raise NoSignature(f"signature is for site {given.site}")
        if given.made > present + _SKEW:
            raise NoSignature(f"signature is dated {given.made:%F %H:%M} UTC, in the future")
        if given.until <= present:
            raise NoSignature(f"signature expired at {given.until:%F %H:%M} UTC")
        if given.until - given.made > longest:
            most = counted(self.approvals.hours, "hour")
            raise NoSignature(f"signature is valid longer than the {most} of team.yaml")
        self._may(given.act, given.who)
        prove(self.team, given)
        return given

    def counted(self, plan: Plan, signatures: Beside) -> tuple[tuple[Signed, ...], tuple[str, ...]]:
        """Return the valid signatures of planners and approvers, and a remark for each ignored one.

        A person counts once. A planner does not count as an approver unless team.yaml allows it.
        """
        valid, remarks = dict[tuple[Act, str], Signed](), list[str]()
        for name, given in signatures:
            try:
                each = self.valid(plan, given)
                valid[each.act, each.who] = each
            except (NoSignature, NotAuthorizedError) as none:
                remarks.append(f"{name} ignored: {none}")
        for _, who in [key for key in valid if key[0] is Act.APPROVE]:
            if (Act.PLAN, who) in valid and not self.approvals.own:
                del valid[Act.APPROVE, who]
                remarks.append(f"approval by {who} ignored: {who} created the plan")
        return tuple(valid.values()), tuple(remarks)

    def to_push(
        self, plan: Plan, signatures: Beside | None, pusher: Signed | None
    ) -> Authorization:
        """Authorize a push before any switch is touched.

        Args:
            plan: The plan to push.
            signatures: Signatures next to the plan file; None for a plan that the pusher just
                created.
            pusher: The signature of the pusher.

        Raises:
            NotAuthorizedError: A right, approval or change window is missing.
        """
        self.same(plan)
        self._pushes(pusher)
        if pusher is not None and pusher.act is Act.BREAK_GLASS:
            return Authorization((pusher,))
        signed, remarks = self.counted(plan, signatures or ())
        made_here = (pusher,) if signatures is None and pusher is not None else ()
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
        """Authorize a rollback: it needs the right to push, but no approval and no window."""
        self._pushes(pusher)
        return Authorization((pusher,) if pusher else ())

    def _pushes(self, pusher: Signed | None) -> None:
        if pusher is None and self.team.may.push is not None:
            raise NotAuthorizedError("team.yaml restricts pushes: sign with --key")

    def _missing(self, signed: Sequence[Signed], made_here: Sequence[Signed]) -> Iterator[str]:
        may_plan, wanted = self.team.may.plan, self.team.approvals
        planners = {each.who for each in signed if each.act is Act.PLAN}
        planners |= {each.who for each in made_here if may_plan is None or each.who in may_plan}
        if not planners and (may_plan is not None or (wanted and not wanted.own)):
            yield "no authorized planner signed the plan: run `fabricgen plan -o FILE --key KEY`"
        if few := self._few(signed):
            yield few

    def _few(self, signed: Iterable[Signed]) -> str:
        """Return a sentence when too few approvals are valid now; empty when they suffice."""
        needed = self.team.approvals.needed if self.team.approvals else 0
        given = [each for each in signed if each.act is Act.APPROVE]
        holding = {each.who for each in given if each.until > self.clock()}
        if len(holding) >= needed:
            return ""
        over = ", ".join(sorted({each.who for each in given} - holding))
        ended = f"; expired: {over}" if over else ""
        return f"{len(holding)} of {needed} approvals are valid{ended}; run `fabricgen approve`"


def once_more(signed: Iterable[Signed]) -> Beside:
    """Return the signatures in the journal that a resumed push may reuse."""
    return tuple((f"{it.who}.{it.act}", it) for it in signed if it.act in _OF_A_PLAN)


def require_current_clock(present: datetime, latest: datetime) -> None:
    """Reject a clock behind the journal: signatures would never expire."""
    if present < latest - _SKEW:
        raise NotAuthorizedError(
            f"the clock of this machine is behind the journal ({latest:%F %H:%M} UTC)"
        )


def bound(plan: Plan, policy: str | None) -> None:
    """Reject a plan of other rules, because its approvals followed those rules."""
    if plan.policy != policy:
        raise NotAuthorizedError(
            f"team.yaml changed since plan {plan.id} was created: create a new plan"
        )

"""Find the push or the configuration session that can have caused a change."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import func, select

from fabricgen.core.record import record
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Phase, Push
from fabricgen.operate.deploy.journal.tables import PUSHES, STEPS, Utc

_CHANGING = [
    *(Phase.ARMING, Phase.ARMED, Phase.CONFIRMING, Phase.CONFIRMED),
    *(Phase.ROLLING_BACK, Phase.ROLLED_BACK, Phase.UNKNOWN),
]
"""Phases in which a push has begun to change a switch."""
_NAMED = 3
_BATCH = 500


class CauseKind(StrEnum):
    """Origin of a change, as far as it is known."""

    PUSH = "push"  # a push changed this switch within the window of the change
    NEAR = "push of other switches"
    SESSION = "session"  # no push, but a configuration session was open
    UNKNOWN = "unknown"


@record(kw_only=True)
class Cause:
    """Cause of a change. `pushes`: push id, plan and user of each push."""

    kind: CauseKind
    sentence: str
    pushes: tuple[tuple[str, str, str], ...] = ()


Span = tuple[float, float]


@record(kw_only=True)
class Causes:
    """The pushes of a site after a time.

    Attributes:
        pushes: The pushes, newest first.
        spans: Begin and end of the change on each switch, by push id and switch.
    """

    pushes: Sequence[Push]
    spans: Mapping[tuple[str, str], Span]

    def of(self, switch: str, window: Span, sessions: tuple[str, ...]) -> Cause:
        """Return the cause of a change on a switch.

        Args:
            switch: The switch.
            window: Time of the last look with the old value, and of the first with the new one. The
                value changed between them.
            sessions: Configuration sessions on the switch at these looks.
        """
        if not window[1]:
            return Cause(kind=CauseKind.UNKNOWN, sentence="the time of the change is not stored")
        here = [each for each in self.pushes if self._overlaps(each, switch, window)]
        if here:
            return _cause(CauseKind.PUSH, here, "")
        near = [each for each in self.pushes if _overlap(_duration(each), window)]
        if near:
            return _cause(CauseKind.NEAR, near, ", which did not change this switch")
        if sessions:
            named = ", ".join(sessions[:_NAMED])
            text = f"no push of the journal; configuration session {named} was open"
            return Cause(kind=CauseKind.SESSION, sentence=text)
        return Cause(
            kind=CauseKind.UNKNOWN, sentence="no push of the journal; see the switch's log"
        )

    def _overlaps(self, push: Push, switch: str, window: Span) -> bool:
        span = self.spans.get((push.id, switch))
        return span is not None and _overlap(span, window)


def causes_since(journal: Journal, site: str, time: datetime) -> Causes:
    """Return the pushes that ran after a time."""
    pushes = [
        each
        for each in journal.history(site, limit=None)
        if each.ended is None or each.ended >= time
    ]
    return Causes(pushes=pushes, spans=_spans(journal, [each.id for each in pushes]))


def _spans(journal: Journal, pushes: list[str]) -> dict[tuple[str, str], Span]:
    found: dict[tuple[str, str], Span] = {}
    begin = func.min(STEPS.c.at, type_=Utc).label("begin")
    end = func.max(STEPS.c.at, type_=Utc).label("end")
    for start in range(0, len(pushes), _BATCH):
        query = (
            select(STEPS.c.push, STEPS.c.switch, begin, end)
            .join(PUSHES, STEPS.c.push == PUSHES.c.id)
            .where(STEPS.c.push.in_(pushes[start : start + _BATCH]))
            .where(STEPS.c.phase.in_([each.value for each in _CHANGING]))
            .group_by(STEPS.c.push, STEPS.c.switch)
        )
        with journal.database.reading() as connection:
            for row in connection.execute(query):
                found[row.push, row.switch] = row.begin.timestamp(), row.end.timestamp()
    return found


def _duration(push: Push) -> Span:
    end = push.ended if push.ended is not None else datetime.now(UTC)
    return push.started.timestamp(), end.timestamp()


def _overlap(span: Span, window: Span) -> bool:
    return span[0] <= window[1] and span[1] > window[0]


def _cause(kind: CauseKind, pushes: Iterable[Push], suffix: str) -> Cause:
    found = list(pushes)
    texts = [
        f"{each.kind} of plan {each.plan} by {each.who}@{each.host} ({each.id})"
        for each in found[:_NAMED]
    ]
    more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
    return Cause(
        kind=kind,
        sentence=" or ".join(texts) + more + suffix,
        pushes=tuple((each.id, each.plan, each.who) for each in found),
    )

"""Sends the events of a push to webhooks and traces and writes its metrics file."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fabricgen.cli.plain import say
from fabricgen.core.plain_text import clean
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fabricgen.cli.switch_options import PushOptions, SiteSelection
    from fabricgen.operate.deploy.fleet import Fleet
    from fabricgen.operate.deploy.inventory.files import Read
    from fabricgen.operate.deploy.journal.records import Signed
    from fabricgen.operate.deploy.notify.messages import News
    from fabricgen.operate.deploy.notify.traces import Traces
    from fabricgen.operate.deploy.notify.webhooks import Message, Webhooks
    from fabricgen.operate.deploy.push.change import Change
    from fabricgen.operate.deploy.push.events import Event, Tell
    from fabricgen.operate.deploy.push.push import Outcome
    from fabricgen.operate.deploy.team.authorization import Authorization


@record()
class Reached:
    """The destination of a push: name of the site, its switches and its inventory."""

    site: str
    fleet: Fleet
    read: Read


@record(kw_only=True)
class About:
    """A push, the user who started it, and its authorization."""

    reached: Reached
    change: Change
    who: str
    leave: Authorization

    @property
    def pusher(self) -> Signed | None:
        """Return the signature of the user who pushes."""
        from fabricgen.operate.deploy.journal.records import Act

        acts = (Act.PUSH, Act.BREAK_GLASS)
        return next((signed for signed in self.leave.signed if signed.act in acts), None)

    @property
    def reason(self) -> str:
        """Return the reason of --break-glass, or an empty text."""
        return self.pusher.reason if self.pusher else ""

    def message(self, event: News, sentence: str, batch: int = 0) -> Message:
        """Return the message for a webhook."""
        from fabricgen.operate.deploy.notify.webhooks import Message

        return Message(
            event=event,
            site=self.reached.site,
            plan=self.change.id,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            who=self.pusher.who if self.pusher else self.who,
            said=sentence,
            batch=batch,
        )


@contextlib.contextmanager
def telling(
    about: About, asked: SiteSelection, manner: PushOptions, tell: Tell
) -> Iterator[tuple[Tell, list[Outcome]]]:
    """Send the events of a push to webhooks, too. The caller adds the outcome to the list."""
    from fabricgen.operate.deploy.journal.records import Result
    from fabricgen.operate.deploy.notify.messages import News
    from fabricgen.operate.deploy.push.events import EventKind

    began, hooks = datetime.now(UTC), _webhooks(asked, about.reached)
    traces = _traces(about) if manner.trace else None
    ends: list[Outcome] = []
    news = {EventKind.BEGUN: News.BEGUN, EventKind.OVER: News.BATCH}
    begun: list[Event] = []

    def tell_all(event: Event) -> None:
        tell(event)
        if traces:
            traces.tell(event)
        if event.what is EventKind.BEGUN:
            begun.append(event)
            if about.reason:
                sentence = f"--break-glass was used: {about.reason}"
                hooks.send(about.message(News.BREAK_GLASS, sentence))
        if event.what in news:
            sentence = f"batch {event.batch}: {event.said}" if event.batch else event.said
            hooks.send(about.message(news[event.what], sentence, event.batch))

    try:
        yield tell_all, ends
    finally:
        if begun:
            result = ends[0].result if ends else Result.UNKNOWN
            reason = ends[0].said if ends else "the push ended unexpectedly"
            hooks.send(about.message(News.ENDED, f"{result}; {reason}" if reason else str(result)))
            _measured(about, manner.metrics, began, ends)
            if traces and (failed := traces.close(result, reason)):
                say(f"warning: traces: {failed}", err=True)
        for failed in hooks.close():
            say(f"warning: {failed}", err=True)


def _webhooks(asked: SiteSelection, reached: Reached) -> Webhooks:
    """Return the usable webhooks. Print a warning for each other one."""
    from fabricgen.operate.deploy.notify.webhooks import Webhooks, safe
    from fabricgen.operate.deploy.secrets.messages import Unresolved
    from fabricgen.operate.deploy.secrets.secrets import Secrets

    hooks, urls = reached.read.inventory.notify.webhooks, dict[str, str]()
    for reference in dict.fromkeys(hook.url for hook in hooks if asked.lab is None):
        try:
            url = Secrets((), asked.site, logins=(reference,)).value(reference)
        except Unresolved as unresolved:
            say(f"warning: webhook {unresolved.sentences[0]}", err=True)
            continue
        if safe(url):
            urls[reference] = url
        else:
            say(f"warning: webhook {reference}: not an https:// URL, nothing is sent", err=True)
    return Webhooks(hooks, urls, reached.fleet.hide)


def _traces(about: About) -> Traces | None:
    """Return the traces of a push. A failure of tracing never fails the push."""
    from fabricgen.operate.deploy.notify.traces import Traces

    known = {"fabricgen.site": about.reached.site, "fabricgen.plan": about.change.id}
    try:
        return Traces(about.change.kind, known, lambda text: clean(about.reached.fleet.hide(text)))
    except Exception as error:  # noqa: BLE001 - OpenTelemetry raises many types for its variables
        say(f"warning: no traces are sent ({type(error).__name__})", err=True)
        return None


def _measured(about: About, path: Path | None, began: datetime, ends: list[Outcome]) -> None:
    """Write the metrics. A failure never fails the push."""
    from fabricgen.core.confined import write_whole
    from fabricgen.operate.deploy.journal.records import Result
    from fabricgen.operate.deploy.notify.metrics import Measured, exposed

    if path is None:
        return
    push = Measured(
        site=about.reached.site,
        kind=about.change.kind,
        began=began,
        ended=datetime.now(UTC),
        result=ends[0].result if ends else Result.UNKNOWN,
        switches=ends[0].ended if ends else {},
        glass=bool(about.reason),
    )
    try:
        write_whole(path, exposed(push), mode=0o644)  # node_exporter runs as another user
    except OSError as error:
        say(f"warning: {path}: {error.strerror}", err=True)

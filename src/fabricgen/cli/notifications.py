"""Sends the events of a push to webhooks and traces and writes its metrics file."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fabricgen.cli.plain import clean, say
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
    """Where a push goes. site: its name; read: what people own of it."""

    site: str
    fleet: Fleet
    read: Read


@record(kw_only=True)
class About:
    """Which push it is. who: who started it; leave: as of the rules of the team."""

    reached: Reached
    change: Change
    who: str
    leave: Authorization

    @property
    def pusher(self) -> Signed | None:
        """Return what whoever pushes signed."""
        from fabricgen.operate.deploy.journal.records import Act

        acts = (Act.PUSH, Act.BREAK_GLASS)
        return next((each for each in self.leave.signed if each.act in acts), None)

    @property
    def reason(self) -> str:
        """Return why the glass was broken; empty when it was not."""
        return self.pusher.reason if self.pusher else ""

    def message(self, event: News, sentence: str, batch: int = 0) -> Message:
        """Return what a webhook is sent."""
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
    """Tell webhooks what `tell` hears, too; whoever pushes puts the outcome into the list."""
    from fabricgen.operate.deploy.journal.records import Result
    from fabricgen.operate.deploy.notify.messages import News
    from fabricgen.operate.deploy.push.events import EventKind

    began, hooks = datetime.now(UTC), _webhooks(asked, about.reached)
    traces = _traces(about) if manner.trace else None
    ends: list[Outcome] = []
    news = {EventKind.BEGUN: News.BEGUN, EventKind.OVER: News.BATCH}
    begun: list[Event] = []

    def told(event: Event) -> None:
        tell(event)
        if traces:
            traces.tell(event)
        if event.what is EventKind.BEGUN:
            begun.append(event)
            if about.reason:
                sentence = f"the glass was broken: {about.reason}"
                hooks.send(about.message(News.BREAK_GLASS, sentence))
        if event.what in news:
            sentence = f"batch {event.batch}: {event.said}" if event.batch else event.said
            hooks.send(about.message(news[event.what], sentence, event.batch))

    try:
        yield told, ends
    finally:
        if begun:
            result = ends[0].result if ends else Result.UNKNOWN
            why = ends[0].said if ends else "the push broke off"
            hooks.send(about.message(News.ENDED, f"{result}; {why}" if why else str(result)))
            _measured(about, manner.metrics, began, ends)
            if traces and (failed := traces.close(result, why)):
                say(f"warning: traces: {failed}", err=True)
        for failed in hooks.close():
            say(f"warning: {failed}", err=True)


def _webhooks(asked: SiteSelection, reached: Reached) -> Webhooks:
    """Return the webhooks that can be written to; of each other one is said why it cannot."""
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
            say(f"warning: webhook {reference}: no https:// URL; nothing is sent there", err=True)
    return Webhooks(hooks, urls, reached.fleet.hide)


def _traces(about: About) -> Traces | None:
    """Return what traces a push; that it cannot be traced is no reason to fail."""
    from fabricgen.operate.deploy.notify.traces import Traces

    known = {"fabricgen.site": about.reached.site, "fabricgen.plan": about.change.id}
    try:
        return Traces(about.change.kind, known, lambda text: clean(about.reached.fleet.hide(text)))
    except Exception as error:  # noqa: BLE001 - of what the variables of OpenTelemetry say
        say(f"warning: traces: none ({type(error).__name__})", err=True)
        return None


def _measured(about: About, path: Path | None, began: datetime, ends: list[Outcome]) -> None:
    """Write the metrics; that they cannot be written is no reason to fail."""
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
        write_whole(path, exposed(push), mode=0o644)  # node_exporter is another user
    except OSError as error:
        say(f"warning: {path}: {error.strerror}", err=True)

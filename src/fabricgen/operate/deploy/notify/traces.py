"""Send the events of a push as OpenTelemetry spans without delaying the push.

A push contains batches, a batch its switches and its health check, a switch `prepare` and `commit`.
Standard variables give the destination:
https://opentelemetry.io/docs/specs/otel/protocol/exporter/.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Span, StatusCode, set_span_in_context

from fabricgen.core import VERSION
from fabricgen.operate.deploy.journal.records import Phase, Result
from fabricgen.operate.deploy.push.events import Event, EventKind

_LAST = 5.0  # seconds that the end of a push waits for unsent spans
_LONGEST = 2_000  # characters of a sentence
_MOST = 65_536  # queued spans: a batch of thousands of switches ends at once
# An exporter logs each failure with the server's answer; `close` returns one sentence instead.
logging.getLogger("opentelemetry").addHandler(logging.NullHandler())
logging.getLogger("opentelemetry").propagate = False


class _Watched(SpanExporter):
    """An exporter that remembers failures."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter, self.failed = exporter, False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        try:
            result = self._exporter.export(spans)
        except Exception:  # noqa: BLE001 - no export error may stop the push
            result = SpanExportResult.FAILURE
        self.failed |= result is not SpanExportResult.SUCCESS
        return result

    def shutdown(self) -> None:
        self._exporter.shutdown()


_Key = tuple[int, str, str]
"""Open span: batch (0: the push), switch (empty: none) and part."""
_PUSH: _Key = (0, "", "push")


class Traces:
    """The spans of one push; events may come from any thread."""

    def __init__(self, kind: str, about: Mapping[str, str], clean: Callable[[str], str]) -> None:
        """Start the exporter thread.

        Args:
            kind: Kind of the push.
            about: Attributes of every span.
            clean: Removes secrets from a text.
        """
        self._kind, self._about, self._clean = kind, dict(about), clean
        self._watched = _Watched(OTLPSpanExporter())
        own = Resource({"service.name": "fabricgen", "service.version": VERSION})
        resource = own.merge(OTELResourceDetector().detect())
        provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        # The constructor starts a thread, so nothing after it may fail.
        self._processor = BatchSpanProcessor(self._watched, max_queue_size=_MOST)
        provider.add_span_processor(self._processor)
        self._tracer = provider.get_tracer("fabricgen", VERSION)
        self._open: dict[_Key, Span] = {}
        self._bad: set[int] = set()  # batches
        self._lock = threading.Lock()

    def tell(self, event: Event) -> None:
        """Begin and end spans for an event."""
        with self._lock:
            if event.batch and event.what is not EventKind.GATE:
                self._end(
                    (event.batch, "", "gate"), event.said if event.what is EventKind.LOST else ""
                )
            self._told(event)

    def _told(self, event: Event) -> None:
        batch, name = (event.batch, "", "batch"), event.switch
        if event.what is EventKind.BEGUN:
            self._about["fabricgen.push"] = event.said.partition(":")[0]
            self._begin(_PUSH, self._kind, None)
        elif event.what is EventKind.BATCH:
            self._begin(batch, f"batch {event.batch}", _PUSH)
            for each in event.said.split(", "):
                switch = (event.batch, each, "switch")
                self._begin(switch, each, batch)
                self._begin((event.batch, each, "prepare"), "prepare", switch)
        elif event.what is EventKind.READY:
            self._end((event.batch, name, "prepare"))
            self._begin((event.batch, name, "commit"), "commit", (event.batch, name, "switch"))
        elif event.what is EventKind.COMMITTED:
            self._end((event.batch, name, "commit"))
        elif event.what is EventKind.GATE:
            self._begin((event.batch, "", "gate"), "gate", batch)
        elif event.what is EventKind.ENDED:
            self._ended(event)
        elif event.what is EventKind.OVER:
            self._end(batch, event.said if event.batch in self._bad else "")
        else:
            self._note(batch if event.batch else _PUSH, event)

    def _ended(self, event: Event) -> None:
        """End the span of a switch and its open parts; the phase is before the colon."""
        phase = Phase(event.said.partition(":")[0])
        why = "" if phase.well else event.said
        if why:
            self._bad.add(event.batch)
        switch = (event.batch, event.switch, "switch")
        if span := self._open.get(switch):
            span.set_attribute("fabricgen.phase", phase.value)
        for part in ("prepare", "commit"):
            self._end((*switch[:2], part), why)
        self._end(switch, why)

    def _begin(self, key: _Key, name: str, parent: _Key | None) -> None:
        about = self._about | {"fabricgen.switch": key[1]} if key[1] else dict(self._about)
        number = {"fabricgen.batch": key[0]} if key[0] else {}
        above = self._open.get(parent) if parent else None
        self._open[key] = self._tracer.start_span(
            self._clean(name),
            context=set_span_in_context(above) if above else Context(),
            attributes={**{name: self._clean(it) for name, it in about.items()}, **number},
        )

    def _note(self, key: _Key, event: Event) -> None:
        if span := self._open.get(key):
            facts = {"fabricgen.switch": event.switch, "fabricgen.said": self._text(event.said)}
            span.add_event(event.what.value, {name: it for name, it in facts.items() if it})

    def _end(self, key: _Key, why: str = "") -> None:
        if (span := self._open.pop(key, None)) is None:
            return
        if why:
            span.set_status(StatusCode.ERROR, self._text(why))
        span.end()

    def _text(self, text: str) -> str:
        return self._clean(text)[:_LONGEST]

    def close(self, result: Result, why: str, patience: float = _LAST) -> str:
        """End the push and wait for unsent spans; return a sentence if some were not sent."""
        with self._lock:
            if push := self._open.get(_PUSH):
                push.set_attribute("fabricgen.result", result.value)
            wrong = "" if result is Result.DONE else f"{result}; {why}" if why else result.value
            for key in reversed(tuple(self._open)):
                self._end(key, wrong)
        last = threading.Thread(target=self._processor.shutdown, name="traces", daemon=True)
        last.start()
        last.join(patience)
        if late := last.is_alive():
            self._watched.shutdown()  # no further retry after the push
        return (
            "the OpenTelemetry endpoint did not accept all spans"
            if self._watched.failed or late
            else ""
        )

"""What OpenTelemetry hears of a push: its spans, in memory and over HTTP on this machine."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import HASH, LEAFS, Work

from fabricgen.operate.deploy.journal.journal import Journal, journal_of
from fabricgen.operate.deploy.notify import traces
from fabricgen.operate.deploy.push.batch import Batch
from fabricgen.operate.deploy.push.events import Event, EventKind

PUSH = ("push", "site", "--plan", "plan.json")
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    """Keep spans instead of sending them."""
    kept = InMemorySpanExporter()
    monkeypatch.setattr(traces, "OTLPSpanExporter", lambda: kept)
    return kept


def planned(work: Work) -> None:
    """Plan a change of both leafs."""
    work.rename_tenant()
    work.plan()


def tree(memory: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    """Return every span by its path from the push down."""
    spans = memory.get_finished_spans()
    known = {each.context.span_id: each for each in spans}

    def path(span: ReadableSpan) -> str:
        above = f"{path(known[span.parent.span_id])}/" if span.parent else ""
        return above + span.name

    return {path(each): each for each in spans}


def facts(span: ReadableSpan) -> dict[str, object]:
    """Return the attributes of a span, without the word before each."""
    return {name.removeprefix("fabricgen."): it for name, it in (span.attributes or {}).items()}


def test_a_push_is_a_tree_of_spans(work: Work, memory: InMemorySpanExporter) -> None:
    """As documented: push, batch, switch, and what was done there."""
    planned(work)
    assert work.fabricgen(*PUSH, "--trace") == 0
    spans = tree(memory)
    assert set(spans) == {
        "push",
        *(
            f"push/batch {number}{part}"
            for number, leaf in enumerate(LEAFS, 1)
            for part in ("", "/gate", f"/{leaf}", f"/{leaf}/prepare", f"/{leaf}/commit")
        ),
    }
    assert {each.status.status_code for each in spans.values()} == {StatusCode.UNSET}
    push, leaf = facts(spans["push"]), facts(spans["push/batch 1/fe-leaf01"])
    assert push["result"] == "done"
    assert leaf == {
        **{name: push[name] for name in ("site", "plan", "push")},
        "batch": 1,
        "switch": "fe-leaf01",
        "phase": "confirmed",
    }
    with Journal.open(journal_of(work.folder / "site"), make=False) as journal:
        (begun,) = journal.history("small")
    assert (push["site"], push["plan"], push["push"]) == ("small", begun.plan, begun.id)


def test_what_is_rolled_back_is_an_error(work: Work, memory: InMemorySpanExporter) -> None:
    """Up to the push; what went well is none, and a batch that never began has no span."""
    planned(work)
    work.give("fe-leaf01", Temper(breaks="10.10.11"))
    assert work.fabricgen(*PUSH, "--health-timeout", "1", "--trace") == 5
    spans = tree(memory)
    bad = {path for path, it in spans.items() if it.status.status_code is StatusCode.ERROR}
    first = "push/batch 1"
    assert bad == {"push", first, f"{first}/gate", f"{first}/fe-leaf01"}
    assert f"{first}/fe-leaf01/commit" in spans
    assert not any("batch 2" in path for path in spans)
    assert facts(spans[f"{first}/fe-leaf01"])["phase"] == "rolled-back"
    assert str(spans["push"].status.description).startswith("rolled-back; batch 1 was rolled back")
    assert "lost" in {each.name for each in spans[first].events}


def test_no_secret_is_traced(
    work: Work, memory: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor what moves a cursor, whoever tells it: an event, a switch, or the end."""
    planned(work)
    sentence = f"failed: {HASH}\x1b[2J"
    begun = Batch.run

    def told(batch: Batch) -> None:
        batch.tell(Event(what=EventKind.LOST, batch=1, switch="fe-leaf01", said=sentence))
        batch.tell(Event(what=EventKind.ENDED, batch=1, switch="fe-leaf01", said=sentence))
        begun(batch)

    monkeypatch.setattr(Batch, "run", told)
    work.fabricgen(*PUSH, "--trace")
    spans = tree(memory)
    (event, *_) = spans["push/batch 1"].events
    reasons = (
        str((event.attributes or {})["fabricgen.said"]),
        str(spans["push/batch 1/fe-leaf01"].status.description),
    )
    for reason in reasons:
        assert reason.startswith("failed: ")
        assert reason.endswith("\\u001b[2J")
    assert "S3CRET" not in "".join(each.to_json() for each in memory.get_finished_spans())


def test_a_push_that_breaks_off_ends_its_spans(
    work: Work, memory: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them, as errors: nobody knows how it ended."""
    planned(work)
    monkeypatch.setattr(Batch, "run", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        work.fabricgen(*PUSH, "--trace")
    spans = tree(memory)
    assert {"push", "push/batch 1", "push/batch 1/fe-leaf01"} <= set(spans)
    assert {each.status.status_code for each in spans.values()} == {StatusCode.ERROR}
    assert facts(spans["push"])["result"] == "unknown"


@contextmanager
def collector(heard: list[tuple[str, bytes]], status: int, over: threading.Event) -> Iterator[str]:
    """Serve as a collector; it answers when `over` is set."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            over.wait()
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.send_header("Retry-After", "3600")  # to a client that may try again
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}"
        finally:
            over.set()
            http.shutdown()
            thread.join()


def answering() -> threading.Event:
    """Return what lets a collector answer at once."""
    over = threading.Event()
    over.set()
    return over


def test_a_collector_is_sent_otlp(
    work: Work, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where the standard variable says, as protobuf, under the name of this program."""
    heard: list[tuple[str, bytes]] = []
    planned(work)
    with collector(heard, 200, answering()) as url:
        monkeypatch.setenv(ENDPOINT, url)
        assert work.fabricgen(*PUSH) == 0
        assert heard == []  # nobody asked for it
        work.intend("10.10.11.0/24", "10.10.12.0/24")
        work.plan()
        assert work.fabricgen(*PUSH, "--trace") == 0
    assert {path for path, _ in heard} == {"/v1/traces"}
    requests = [ExportTraceServiceRequest.FromString(body) for _, body in heard]
    whole = [each for request in requests for each in request.resource_spans]
    names = [it.name for each in whole for scope in each.scope_spans for it in scope.spans]
    assert {"push", "batch 1", "batch 2", "gate", *LEAFS} <= set(names)
    service = {it.key: it.value.string_value for each in whole for it in each.resource.attributes}
    assert service["service.name"] == "fabricgen"
    assert "traces" not in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["refuses", "silent", "busy", "away", "senseless"])
def test_a_collector_that_fails_costs_the_push_nothing(
    work: Work, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """It is warned of once; a silent one is not waited for, and nobody tries again afterwards."""
    planned(work)
    before = set(threading.enumerate())
    monkeypatch.setattr(traces.Traces.close, "__defaults__", (0.2,))
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "7200")
    over = threading.Event() if kind == "silent" else answering()
    with collector([], 503 if kind == "busy" else 400, over) as url:
        monkeypatch.setenv(ENDPOINT, "http://127.0.0.1:9" if kind == "away" else url)
        if kind == "senseless":
            monkeypatch.setenv("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "many")
        assert work.fabricgen(*PUSH, "--trace") == 0
    printed = capsys.readouterr().err
    why = (
        "no traces are sent (ValueError)"
        if kind == "senseless"
        else "traces: the OpenTelemetry endpoint did not accept all spans"
    )
    assert f"warning: {why}\n" in printed
    assert printed.count("traces") == 1
    assert "Traceback" not in printed
    for each in set(threading.enumerate()) - before:
        each.join(20)  # one that goes on would be here for thirty seconds or for ever
        assert not each.is_alive()


def test_without_the_packages_it_is_said_in_one_line(work: Work) -> None:
    """Before a switch is asked."""
    planned(work)
    before = work.requests()
    program = (
        "import sys; sys.modules['opentelemetry'] = None; "
        "from fabricgen.cli.main import run; sys.exit(run(sys.argv[1:]))"
    )
    words = [sys.executable, "-c", program, *PUSH, "--trace"]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr.count("\n") == 1
    assert "pip install '.[deploy,otel]'" in run.stderr
    assert work.requests() == before

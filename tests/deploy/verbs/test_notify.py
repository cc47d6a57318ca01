"""Who hears of a push: webhooks of a real HTTP server on this machine, and node_exporter's file."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import yaml
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import HASH, Work
from tests.deploy.verbs.staff import Staff

from fabricgen.operate.deploy.journal.journal import Journal, journal_of
from fabricgen.operate.deploy.notify import webhooks
from fabricgen.operate.deploy.plan.make import operator
from fabricgen.operate.deploy.push.batch import Batch

PUSH = ("push", "site", "--plan", "plan.json")
PATH = "/services/S3CRETPATH"


@dataclass
class Server:
    """What a web server was sent. answer: status and headers; slow: it never answers."""

    port: int = 0
    answer: tuple[int, dict[str, str]] = (200, {})
    slow: bool = False
    heard: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """Return where it is."""
        return f"http://127.0.0.1:{self.port}{PATH}"

    def events(self) -> list[str]:
        """Return what it heard of."""
        return [body["event"] for _, body in self.heard]


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """Serve on a free port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            server.heard.append((self.path, json.loads(content)))
            if server.slow:
                server.over.wait()
            self.send_response(server.answer[0])
            for name, value in {**server.answer[1], "Content-Length": "0"}.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.port = http.server_port
        thread = threading.Thread(target=http.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            http.shutdown()
            thread.join()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Serve, and name its URL in the environment; a proxy that is nowhere is not asked."""
    with serving(Server()) as server:
        monkeypatch.setenv("HOOK", server.url)
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        yield server


def hooked(work: Work, *hooks: dict[str, object]) -> None:
    """Write notify.yaml."""
    path = work.folder / "inventory" / "notify.yaml"
    path.write_text(yaml.safe_dump({"webhooks": list(hooks) or [{"url": "env:HOOK"}]}))


def planned(work: Work) -> None:
    """Plan a change of both leafs."""
    work.rename_tenant()
    work.plan()


def test_a_webhook_hears_of_a_push(work: Work, server: Server) -> None:
    """Of its beginning, each batch and its end; as documented."""
    hooked(work)
    planned(work)
    assert work.fabricgen(*PUSH) == 0
    assert {path for path, _ in server.heard} == {PATH}
    assert server.events() == ["begun", "batch", "batch", "ended"]
    batch, ended = server.heard[1][1], server.heard[-1][1]
    assert set(batch) == {
        *("format_version", "event", "site", "plan", "at", "who", "said", "batch"),
    }
    assert (batch["site"], batch["batch"]) == ("small", 1)
    assert batch["said"] == "batch 1: 1 confirmed"
    assert ended["said"] == "done"


def test_a_batch_that_is_rolled_back_is_told(work: Work, server: Server) -> None:
    """With the reason."""
    hooked(work, {"url": "env:HOOK", "on": ["batch", "ended"]})
    planned(work)
    work.give("fe-leaf01", Temper(breaks="10.10.11"))
    assert work.fabricgen(*PUSH, "--health-timeout", "1") == 5
    assert server.events() == ["batch", "ended"]
    assert server.heard[0][1]["said"].startswith("batch 1: 1 rolled-back; batch 1 was rolled back")
    assert server.heard[1][1]["said"].startswith("rolled-back; ")


def test_slack_reads_text_and_is_given_no_commands(staff: Staff, server: Server) -> None:
    """A broken glass is told first, by whom and why; what Slack would act on is spelled out."""
    hooked(staff.work, {"url": "env:HOOK", "style": "slack"})
    staff.plan()
    assert staff.push("cyn", "--break-glass", "<!channel> rail 3 & 4") == 0
    texts = [body["text"] for _, body in server.heard]
    assert all(set(body) == {"text"} for _, body in server.heard)
    assert texts[0].startswith("small, plan ")
    assert texts[0].endswith(
        "by cyn: --break-glass was used: &lt;!channel&gt; rail 3 &amp; 4",
    )


TROUBLE = {
    "an error": ({"answer": (500, {})}, "webhook env:HOOK: HTTP 500"),
    "silence": ({"slow": True}, "webhook env:HOOK: no answer ("),
    "elsewhere": ({"answer": (302, {"Location": "/elsewhere"})}, "webhook env:HOOK: HTTP 302"),
    "elsewhere, kept": ({"answer": (307, {"Location": "/elsewhere"})}, "env:HOOK: HTTP 307"),
}


@pytest.mark.parametrize(("trouble", "said"), TROUBLE.values(), ids=TROUBLE)
def test_a_webhook_in_trouble_costs_the_push_nothing(
    work: Work,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    trouble: dict[str, Any],
    said: str,
) -> None:
    """It is done; the webhook is warned of once, without its URL; nobody is followed."""
    monkeypatch.setattr(webhooks, "_TIMEOUT", 0.2)
    for key, value in trouble.items():
        setattr(server, key, value)
    hooked(work)
    planned(work)
    assert work.fabricgen(*PUSH) == 0
    printed = capsys.readouterr()
    assert printed.err.count("warning: webhook") == 1
    assert said in printed.err
    assert "S3CRETPATH" not in printed.err + printed.out
    assert {path for path, _ in server.heard} == {PATH}


def test_a_push_does_not_wait_for_a_webhook_that_hangs(
    work: Work,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What was not sent when it ends is waited for a while, and then said."""
    server.slow = True
    close = webhooks.Webhooks.close
    monkeypatch.setattr(webhooks.Webhooks, "close", lambda hooks: close(hooks, 0.1))
    hooked(work)
    planned(work)
    assert work.fabricgen(*PUSH) == 0
    assert "warning: webhooks: some messages were not sent in time" in capsys.readouterr().err


UNSAFE = (
    "http://example.com/S3CRETPATH",
    "http://192.0.2.1/S3CRETPATH",
    "http://127.example.com/S3CRETPATH",
    "http://[2001:db8::1]/S3CRETPATH",
    "http://[::1/S3CRETPATH",
    "ftp://127.0.0.1/S3CRETPATH",
    "file:///etc/S3CRETPATH",
    "https:///S3CRETPATH",
    None,
)


@pytest.mark.parametrize("url", ["http://127.0.0.2:9/x", "http://[::1]:9/x", "http://localhost/x"])
def test_this_machine_is_written_to_without_tls(url: str) -> None:
    """By name and by both kinds of address."""
    assert webhooks.safe(url)


@pytest.mark.parametrize("url", UNSAFE)
def test_what_is_no_safe_url_is_written_to_by_nobody(
    work: Work,
    server: Server,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    url: str | None,
) -> None:
    """HTTPS, or this machine; one that is not set is warned of, too."""
    monkeypatch.setenv("OTHER", url) if url else monkeypatch.delenv("OTHER", raising=False)
    hooked(work, {"url": "env:OTHER"}, {"url": "env:HOOK"})
    planned(work)
    capsys.readouterr()
    assert work.fabricgen(*PUSH) == 0
    printed = capsys.readouterr()
    why = "not an https:// URL, nothing is sent\n" if url else "environment variable is not set"
    assert f"warning: webhook env:OTHER: {why}" in printed.err
    assert "S3CRETPATH" not in printed.err + printed.out
    assert server.events()[-1] == "ended"


def test_a_push_that_never_began_is_no_news(work: Work, server: Server) -> None:
    """Somebody else pushes: neither webhook nor metrics say that it ended."""
    hooked(work)
    planned(work)
    with Journal.open(journal_of(work.folder / "site")) as journal:  # noqa: SIM117 - two sentences
        with journal.lock("small", "other", "ann"):
            assert work.fabricgen(*PUSH, "--metrics", "x.prom") == 4
    assert server.heard == []
    assert not (work.folder / "x.prom").exists()


def test_a_push_that_breaks_off_is_news(
    work: Work, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows how it ended: it is said so."""
    hooked(work)
    planned(work)
    monkeypatch.setattr(Batch, "run", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        work.fabricgen(*PUSH, "--metrics", "x.prom")
    assert server.heard[-1][1]["said"] == "unknown; the push ended unexpectedly"
    assert 'result="unknown"} 1.000' in (work.folder / "x.prom").read_text()


def test_who_pushed_is_who_signed_that(staff: Staff, server: Server) -> None:
    """Not who approved; without a signature it is the account on this machine."""
    hooked(staff.work, {"url": "env:HOOK", "on": ["begun"]})
    staff.plan()
    staff.approve()
    assert staff.push() == 0
    staff.rule(may={"approve": ["bob"]})
    staff.work.intend("10.10.11.0/24", "10.10.12.0/24")
    staff.plan()
    staff.approve()
    assert staff.work.fabricgen(*PUSH) == 0
    assert [body["who"] for _, body in server.heard] == ["pipeline", operator()]


def test_a_rollback_is_told_as_well(work: Work, server: Server) -> None:
    """By the id that the journal has."""
    hooked(work, {"url": "env:HOOK", "on": ["begun"]})
    planned(work)
    work.fabricgen(*PUSH)
    plan = json.loads((work.folder / "plan.json").read_text())["id"]
    assert work.fabricgen("rollback", plan, "site", "--yes") == 0
    assert [body["said"].split()[1] for _, body in server.heard] == ["push", "rollback"]


def test_no_secret_is_sent(work: Work, server: Server) -> None:
    """A switch that repeats one in its answer is not repeated."""
    hooked(work)
    planned(work)
    work.give("fe-leaf01", Temper(refuses=HASH))
    work.fabricgen(*PUSH)
    assert server.events()[-1] == "ended"
    assert HASH not in json.dumps(server.heard)


def test_not_even_in_the_reason_for_a_broken_glass(staff: Staff, server: Server) -> None:
    """Which a person writes, in a hurry."""
    hooked(staff.work)
    staff.plan()
    assert staff.push("cyn", "--break-glass", f"is it {HASH}?") == 0
    assert server.events()[0] == "break-glass"
    assert HASH not in json.dumps(server.heard)


def test_a_mistake_in_notify_is_said_at_its_line(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before a switch is asked; a URL itself is none, since the file is read by many."""
    hooked(work, {"url": "https://example.com/S3CRETPATH", "on": ["started"]})
    assert work.fabricgen("plan", "site") == 1
    printed = capsys.readouterr()
    told = printed.out + printed.err
    assert "inventory/notify.yaml:" in told
    assert "must be the location of a secret: env:NAME, file:PATH, sops:FILE#KEY, " in told
    assert "S3CRETPATH" not in told


def test_metrics_are_a_whole_file_that_others_may_read(work: Work) -> None:
    """Every line is in the text format of Prometheus."""
    planned(work)
    path = work.folder / "fabricgen.prom"
    assert work.fabricgen(*PUSH, "--metrics", str(path)) == 0
    text = path.read_text()
    line = re.compile(r"# (HELP|TYPE) fabricgen_push_\w+ .+|fabricgen_push_\w+\{[^}]+\} [0-9.]+")
    assert [each for each in text.splitlines() if not line.fullmatch(each)] == []
    own = 'site="small",kind="push"'
    assert f'fabricgen_push_result{{{own},result="done"}} 1.000\n' in text
    assert f'fabricgen_push_result{{{own},result="failed"}} 0.000\n' in text
    assert f'fabricgen_push_switches{{{own},phase="confirmed"}} 2.000\n' in text
    assert f"fabricgen_push_break_glass{{{own}}} 0.000\n" in text
    assert path.stat().st_mode & 0o777 == 0o644
    assert [each.name for each in work.folder.iterdir() if "prom" in each.name] == [path.name]


def test_metrics_that_cannot_be_written_are_warned_of(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """The push is done all the same."""
    planned(work)
    assert work.fabricgen(*PUSH, "--metrics", "nowhere/x.prom") == 0
    assert "warning: nowhere/x.prom: No such file" in capsys.readouterr().err

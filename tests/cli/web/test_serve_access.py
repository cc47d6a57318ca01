"""Strangers, foreign names and foreign pages get no data. The token is never printed."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.cli.calling import LAB, call
from tests.cli.web.opened import chromium
from tests.cli.web.serving import Served, served

from fabricgen.cli.web.server import STREAMS

TOKEN = "correct-horse-battery-staple"  # noqa: S105 - of a test
BEARER = {"Authorization": f"Bearer {TOKEN}"}
EVERYWHERE = "0.0.0.0"  # noqa: S104 - of a test
PATHS = ("/", "/app.js", "/data/site.js", "/events", "/api/v1/site", "/api/openapi.json", "/x")


@pytest.fixture(scope="module")
def token_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("token") / "token"
    path.write_text(f"{TOKEN}\n")
    return path


@pytest.fixture(scope="module")
def lab() -> Iterator[Served]:
    with served(Path(LAB), "--public-name", "fabric.example") as found:
        yield found


@pytest.fixture(scope="module")
def private(token_file: Path) -> Iterator[Served]:
    with served(Path(LAB), "--token-file", str(token_file)) as found:
        yield found


@pytest.mark.parametrize("path", PATHS)
def test_a_foreign_name_is_refused(lab: Served, path: str) -> None:
    for host in ("evil.example", f"evil.example:{lab.port}", "127.0.0.1", "127.0.0.1:1", "", "a b"):
        answer = lab.ask(path, {"Host": host})
        assert (answer.status, answer.data["code"]) == (421, "wrong-host"), host


def test_the_own_names_are_accepted(lab: Served) -> None:
    port = lab.port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", "fabric.example", "Fabric.Example:443"):
        assert lab.ask("/", {"Host": host}).status == 200, host


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "ODD"])
def test_only_reading_is_allowed(lab: Served, method: str) -> None:
    for path in PATHS:
        answer = lab.ask(path, method=method)
        assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize("relation", ["cross-site", "same-site"])
def test_a_foreign_page_gets_no_data(lab: Served, relation: str) -> None:
    site = {"Sec-Fetch-Site": relation}
    for mode, kind in (("no-cors", "script"), ("cors", "empty"), ("navigate", "iframe")):
        asked = {**site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": kind}
        assert lab.ask("/data/site.js", asked).status == 403
    link = {**site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert lab.ask("/", link).status == 200


def test_a_browser_gives_no_data_to_a_foreign_page(lab: Served) -> None:
    """A page of another port on this machine loads the data as a script."""
    page = (
        "<script>var stolen = 0; var fabricgen = {receive: () => { stolen = 1; }};</script>"
        f'<script src="{lab.url}data/site.js"></script>'
    )

    class Evil(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Evil) as evil, chromium() as browser:
        Thread(target=evil.serve_forever, daemon=True).start()
        tab = browser.new_page()
        refused: list[str] = []
        tab.on("response", lambda got: refused.append(f"{got.status} {got.url}"))
        tab.on("requestfailed", lambda asked: refused.append(f"failed {asked.url}"))
        tab.goto(f"http://localhost:{evil.server_port}/", wait_until="load")
        assert tab.evaluate("stolen") == 0
        assert any(each.endswith("/data/site.js") for each in refused)
        evil.shutdown()


@pytest.mark.parametrize("path", PATHS)
def test_a_stranger_gets_nothing(private: Served, path: str) -> None:
    wrong = ("", "Bearer", "Bearer ", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Basic {TOKEN}")
    for word in (*wrong, "Bearer \xe4"):
        answer = private.ask(path, {"Authorization": word})
        assert (answer.status, answer.data["code"]) == (401, "unauthorized"), word
        assert answer.headers["Set-Cookie"] is None
    cookie = {"Cookie": f"fabricgen_{private.port}={TOKEN}"}
    assert private.ask(path, cookie).status == 401
    assert private.ask(f"{path}?token={TOKEN}x").status == 401


def test_the_token_opens_everything(private: Served) -> None:
    for path in ("/", "/data/site.js", "/api/v1/site"):
        assert private.ask(path, BEARER).status == 200
    with private.numbers(BEARER) as numbers:
        assert next(numbers) == 1


def test_a_token_in_the_address_becomes_a_cookie(private: Served) -> None:
    answer = private.ask(f"/?token={TOKEN}")
    assert (answer.status, answer.headers["Location"], answer.body) == (303, "./", b"")
    cookie = answer.headers["Set-Cookie"]
    name, *settings = [part.strip() for part in cookie.split(";")]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(settings)
    assert TOKEN not in cookie
    assert private.ask("/data/site.js", {"Cookie": name}).status == 200
    assert private.ask(f"/data/site.js?token={TOKEN}").status == 401


def test_the_token_is_never_printed(token_file: Path) -> None:
    with served(Path(LAB), "--token-file", str(token_file)) as server:
        server.ask(f"/?token={TOKEN}")
        server.ask(f"/{TOKEN}?token={TOKEN}", BEARER)
        server.ask(f"/api/v1/site?token={TOKEN}", {**BEARER, "Host": TOKEN})
        server.ask("/events", BEARER, "HEAD")
        code, out, err = server.end(signal.SIGINT)
    assert (code, err) == (0, "")
    assert TOKEN not in server.line + out


def test_a_reverse_proxy_vouches_for_readers() -> None:
    with served(Path(LAB), "--proxy-header", "X-Reader") as server:
        assert server.ask("/").status == 401
        assert server.ask("/", {"X-Reader": " "}).status == 401
        assert server.ask("/", {"X-Reader": "ada"}).status == 200


def test_both_proofs_are_needed_if_both_are_asked_for(token_file: Path) -> None:
    with served(Path(LAB), "--proxy-header", "X-R", "--token-file", str(token_file)) as server:
        assert server.ask("/", {"X-R": "ada"}).status == 401
        assert server.ask("/", BEARER).status == 401
        assert server.ask(f"/?token={TOKEN}").status == 401
        assert server.ask("/", {**BEARER, "X-R": "ada"}).status == 200


def test_another_host_needs_a_proof(token_file: Path) -> None:
    said = call("serve", LAB, "--host", EVERYWHERE)
    assert (said.code, said.out) == (64, "")
    assert "--host 0.0.0.0 is open to other machines: add --token-file" in said.err
    with served(Path(LAB), "--host", EVERYWHERE, "--token-file", str(token_file)) as server:
        assert server.ask("/", BEARER).status == 200
        assert server.ask("/", {**BEARER, "Host": f"evil.example:{server.port}"}).status == 421


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--proxy-header", "Accept"), "no header of a proxy"),
        (("--proxy-header", "a b"), "no header of a proxy"),
        (("--public-name", "a:80"), "is no host name"),
        (("--host", "no such host"), "has no address"),
        (("--token-file", "absent"), "No such file"),
    ],
)
def test_wrong_options_are_refused(words: tuple[str, str], message: str) -> None:
    said = call("serve", LAB, *words)
    assert said.code == 64
    assert message in said.err


@pytest.mark.parametrize("text", ["", "short", "has two words of text", "wörter-sind-hier-auch"])
def test_a_weak_token_is_refused_and_not_printed(text: str, tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text(text)
    said = call("serve", LAB, "--token-file", str(path))
    assert said.code == 64
    assert "needs one word of 16 or more" in said.err
    assert not text or text not in said.err


def test_event_streams_are_limited(lab: Served) -> None:
    with ExitStack() as streams:
        for _ in range(STREAMS):
            numbers = streams.enter_context(lab.numbers())
            assert next(numbers) == 1
        answer = lab.ask("/events")
        assert (answer.status, answer.data["code"]) == (503, "busy")
        assert lab.ask("/data/site.js").status == 200

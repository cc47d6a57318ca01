"""The server sends the bytes of a report, and nothing else."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.cli.calling import LAB, call
from tests.cli.web.serving import Served, served

from fabricgen.cli.web.report import STATIC


@pytest.fixture(scope="module")
def lab() -> Iterator[Served]:
    with served(Path(LAB)) as found:
        yield found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report") / "lab"
    assert call("report", LAB, "-o", str(folder)).code == 0
    return folder


def test_the_first_line_names_address_and_site(lab: Served) -> None:
    assert lab.line == f"{lab.url} shows {LAB}; Ctrl-C ends\n"


def test_all_files_of_a_report_are_sent(lab: Served, report: Path) -> None:
    paths = [path for path in report.rglob("*") if path.suffix in (".js", ".css")]
    assert len(paths) > 30
    for path in paths:
        name = path.relative_to(report).as_posix()
        answer = lab.ask(f"/{quote(name)}")
        assert (answer.status, answer.body) == (200, path.read_bytes()), name


def test_the_page_of_a_report_gets_one_script_more(lab: Served, report: Path) -> None:
    text = lab.ask("/").body.decode()
    added = '<script src="live.js" data-generation="1"></script>\n'
    assert added in text
    assert text.replace(added, "") == (report / "index.html").read_text()
    assert text == lab.ask("/index.html").body.decode()


def test_a_report_does_not_follow_generations() -> None:
    assert not (STATIC / "live.js").exists()


def test_every_response_has_the_headers_of_a_safe_page(lab: Served) -> None:
    for path in ("/", "/app.js", "/data/site.js", "/api/v1/site", "/nothing"):
        headers = lab.ask(path).headers
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert "default-src 'none'; script-src 'self'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert headers["Server"] is None


def test_a_browser_that_asks_for_an_icon_finds_none(lab: Served) -> None:
    answer = lab.ask("/favicon.ico")
    assert (answer.status, answer.body) == (204, b"")


def test_head_has_no_body(lab: Served) -> None:
    for path in ("/", "/data/site.js", "/api/v1/site", "/events"):
        answer = lab.ask(path, method="HEAD")
        assert (answer.status, answer.body) == (200, b""), path


@pytest.mark.parametrize(
    "path",
    [
        "/../server.py",
        "/%2e%2e/server.py",
        "/..%2fserver.py",
        "/data/../app.js",
        "/data/..%2f..%2fserver.py",
        "/data/%252e%252e/%252e%252e/server.js",
        "/data/switch/no-such.js",
        "/pages",
        "/pages/",
        "//etc/passwd",
        "/data//etc/passwd",
        "/static/index.html",
        "/data/site.js%00",
        "/\\..\\server.py",
    ],
)
def test_no_other_file_can_be_asked_for(lab: Served, path: str) -> None:
    answer = lab.ask(path)
    assert (answer.status, answer.data["code"]) == (404, "not-found")


def test_two_hundred_readers_get_the_same_data(lab: Served) -> None:
    paths = ["/", "/app.js", "/data/site.js", "/data/failures.js", "/api/v1/switches"]
    expected = {path: lab.ask(path).body for path in paths}

    def read(_: int) -> bool:
        return all(lab.ask(path).body == expected[path] for path in paths)

    with ThreadPoolExecutor(200) as readers:
        assert list(readers.map(read, range(200))) == [True] * 200

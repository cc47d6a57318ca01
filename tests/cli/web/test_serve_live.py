"""The server follows the files of its site, survives each state of them, and ends cleanly."""

import asyncio
import signal
from pathlib import Path
from threading import Thread

import pytest
from tests.cli.calling import LAB, call
from tests.cli.web.opened import chromium
from tests.cli.web.serving import LONG, Served, copy_of, served

from fabricgen import Site
from fabricgen.cli.web import live
from fabricgen.cli.web.live import Live, read_whole


def rename(site: Path, name: str) -> None:
    """Give a copy of the lab another name, as an editor does: write a file and move it."""
    path, new = site / "site.yaml", site / ".site.yaml.new"
    lines = path.read_text().splitlines(keepends=True)
    changed = [f"  name: {name}\n" if line.startswith("  name:") else line for line in lines]
    assert changed != lines
    new.write_text("".join(changed))
    new.replace(path)


def test_a_change_makes_a_new_generation(tmp_path: Path) -> None:
    site = copy_of("lab", tmp_path)
    with served(site) as server, server.numbers() as numbers:
        assert next(numbers) == 1
        rename(site, "renamed")
        assert next(numbers) == 2
        assert server.ask("/api/v1/site").data["name"] == "renamed"
        assert b'"name":"renamed"' in server.ask("/data/site.js").body
        assert b'data-generation="2"' in server.ask("/").body


def test_a_broken_intent_shows_findings_until_it_is_repaired(tmp_path: Path) -> None:
    site = copy_of("lab", tmp_path)
    text = (site / "site.yaml").read_text()
    with served(site) as server, server.numbers() as numbers:
        assert next(numbers) == 1
        (site / "site.yaml").write_text("site: [")
        assert next(numbers) == 2
        assert server.ask("/api/v1/site").data["ok"] is False
        assert server.ask("/api/v1/findings").data["findings"][0]["severity"] == "error"
        assert server.ask("/api/v1/switches").status == 409
        (site / "site.yaml").write_text(text)
        assert next(numbers) == 3
        assert server.ask("/api/v1/site").data["ok"] is True


def test_a_folder_that_goes_and_comes_back_is_followed(tmp_path: Path) -> None:
    site = copy_of("lab", tmp_path)
    with served(site) as server, server.numbers() as numbers:
        assert next(numbers) == 1
        site.rename(tmp_path / "away")
        assert next(numbers) == 2
        assert "does not exist" in server.ask("/api/v1/findings").data["findings"][0]["message"]
        (tmp_path / "away").rename(site)
        assert next(numbers) == 3
        rename(site, "back")
        assert next(numbers) == 4
        assert server.ask("/api/v1/site").data["name"] == "back"
        assert server.end()[::2] == (0, "")


def test_files_that_are_replaced_while_they_are_read_never_stop_the_server(tmp_path: Path) -> None:
    site = copy_of("lab", tmp_path)
    path = site / "site.yaml"
    whole = path.read_bytes()

    def write() -> None:
        for number in range(60):
            path.write_bytes(whole[: len(whole) * (number % 7) // 7])
            path.unlink()
            path.write_bytes(whole)
        rename(site, "last")

    with served(site) as server, server.numbers() as numbers:
        writer = Thread(target=write)
        writer.start()
        while writer.is_alive():
            assert server.ask("/api/v1/site").status == 200
        writer.join()
        while server.ask("/api/v1/site").data["name"] != "last":
            next(numbers)
        assert server.ask("/api/v1/site").data["ok"] is True
        assert server.end()[::2] == (0, "")


def test_a_site_is_loaded_again_if_it_changed_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = copy_of("lab", tmp_path)
    loads: list[str] = []
    load = Site.load

    def disturbed(folder: Path, platform: str | None = None) -> Site:
        found = load(folder, platform=platform)
        if not loads:
            rename(site, "second")
        loads.append(found.name)
        return found

    monkeypatch.setattr(Site, "load", disturbed)
    _, found, is_whole = read_whole(site, None)
    assert (loads, found.name, is_whole) == (["lab", "second"], "second", True)


def test_the_last_good_generation_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = copy_of("lab", tmp_path)
    held = Live(site)
    load = Site.load

    def restless(folder: Path, platform: str | None = None) -> Site:
        found = load(folder, platform=platform)
        (site / "more.yaml").write_text(f"# {loads.pop()}" + "x" * len(loads))
        return found

    def failing(*_: object, **__: object) -> Site:
        raise MemoryError("too large")

    loads = list(range(live.ATTEMPTS))
    monkeypatch.setattr(Site, "load", restless)
    rename(site, "moving")
    asyncio.run(held.refresh())
    assert (loads, held.current.number, held.current.site.name) == ([], 1, "lab")
    monkeypatch.setattr(Site, "load", failing)
    asyncio.run(held.refresh())
    assert (held.current.number, held.current.site.name) == (1, "lab")
    assert "cannot be loaded (too large); the pages show it as before" in capsys.readouterr().err
    monkeypatch.setattr(Site, "load", load)
    rename(site, "rested")
    asyncio.run(held.refresh())
    assert (held.current.number, held.current.site.name) == (2, "rested")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_with_success(sent: int) -> None:
    with served(Path(LAB)) as server, server.numbers() as numbers:
        assert next(numbers) == 1
        assert server.end(sent) == (0, "", "")
        assert list(numbers) == []


def test_a_signal_ends_work_in_progress(tmp_path: Path) -> None:
    """The matrix of a site with two vendors takes longer than the way of a signal."""
    with served(copy_of("full", tmp_path)) as server:
        asked: list[int] = []
        reader = Thread(target=lambda: asked.append(server.ask("/api/v1/matrix").status))
        reader.start()
        server.ask("/api/v1/site")
        assert server.end(signal.SIGINT) == (0, "", "")
        reader.join(LONG)
    assert asked in ([503], [200])


def test_a_used_port_and_a_missing_site_are_errors(tmp_path: Path) -> None:
    with served(Path(LAB)) as server:
        said = call("serve", LAB, "--port", str(server.port))
    assert (said.code, said.out) == (1, "")
    assert "cannot use port" in said.err
    said = call("serve", str(tmp_path / "absent"), "--port", "0")
    assert (said.code, said.out) == (1, "")
    assert "is not a directory" in said.err


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fabricgen.cli.serve.find_spec", lambda name: None if name else name)
    said = call("serve", LAB)
    assert (said.code, said.out) == (1, "")
    assert "package 'starlette' is missing, install fabricgen[web]" in said.err


def test_a_page_shows_a_change_at_its_address(tmp_path: Path) -> None:
    site = copy_of("lab", tmp_path)
    with served(site) as server, chromium() as browser:
        tab = browser.new_page()
        wrong: list[str] = []
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        absent: set[str] = set()
        tab.on("response", lambda got: absent.add(got.url) if got.status != 200 else None)
        address = f"{server.url}#/switch/be-su01-leaf1"
        tab.goto(address)
        tab.wait_for_selector("h1:has-text('be-su01-leaf1')", timeout=LONG * 1000)
        tab.evaluate("window.untouched = true")
        show(tab, "site", "lab")
        rename(site, "renamed")
        show(tab, "site", "renamed")
        show(tab, "live", "Live: version 2 of the intent.")
        broken_and_repaired(tab, site, server)
        assert tab.url == address
        assert tab.evaluate("window.untouched") is True
        assert tab.inner_text("h1") == "be-su01-leaf1"
        assert wrong == []
        # The page asks for its switch while the intent is broken.
        assert absent <= {f"{server.url}data/switch/be-su01-leaf1.js"}


def show(tab: object, place: str, text: str) -> None:
    """Wait until an element of the page has a text."""
    condition = "([place, text]) => document.getElementById(place).textContent === text"
    tab.wait_for_function(condition, arg=[place, text], timeout=LONG * 1000)  # type: ignore[attr-defined]


def broken_and_repaired(tab: object, site: Path, server: Served) -> None:
    """Break the intent and repair it: the links of the pages go and come back."""
    assert server.ask("/api/v1/site").data["ok"] is True
    links = "([least]) => document.querySelectorAll('#pages a').length >= least"
    tab.wait_for_function(links, arg=[4], timeout=LONG * 1000)  # type: ignore[attr-defined]
    text = (site / "site.yaml").read_text()
    (site / "site.yaml").write_text(text.replace("subnet:", "sbunet:"))
    show(tab, "live", "Live: version 3 of the intent.")
    (site / "site.yaml").write_text(text)
    show(tab, "live", "Live: version 4 of the intent.")
    tab.wait_for_function(links, arg=[4], timeout=LONG * 1000)  # type: ignore[attr-defined]

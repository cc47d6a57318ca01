"""Whatever stands in a site: exit code 1, a place and a sentence, no traceback, nothing written.

Each case runs as a person would run it, in a process of its own with little time and memory.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.hostile.corpus import BACKEND, FRONTEND, TEXT, instead
from tests.hostile.runner import Done, Runner

FOUND = re.compile(r"^(\S+):([0-9]+):([0-9]+) (FG[0-9]{3}) \S", re.MULTILINE)
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def fabricgen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """Run the command line in a folder, in a process of its own."""
    runner = Runner(tmp_path_factory.mktemp("said"))
    yield runner
    runner.end()


def site(folder: Path, text: str | bytes) -> Path:
    """Write a site of one file; return the folder it stands in."""
    (folder / "site").mkdir()
    written = text if isinstance(text, bytes) else text.encode()
    (folder / "site" / "site.yaml").write_bytes(written)
    return folder


def expect_refused(folder: Path, done: Done, code: str) -> None:
    said = done.said
    assert done.code == 1, said[-2000:]
    assert "Traceback" not in said, said[-2000:]
    assert code in {found[4] for found in FOUND.finditer(said)}, said[:2000]
    assert not CONTROL.search(said), said[:2000]
    assert [path.name for path in folder.iterdir()] == ["site"]


@pytest.mark.parametrize("name", TEXT)
def test_a_bad_site_is_refused_in_plain_words(name: str, tmp_path: Path, fabricgen: Runner) -> None:
    folder = site(tmp_path, TEXT[name])
    expect_refused(folder, fabricgen(folder, "render", "site", "-o", "out"), name.split()[1])


def test_the_good_sites_are_good(tmp_path: Path, fabricgen: Runner) -> None:
    """Prove that the corpus is refused for what was changed."""
    for number, text in enumerate((BACKEND, FRONTEND)):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert fabricgen(site(folder, text), "check", "site").code == 0


def test_a_tag_runs_nothing(tmp_path: Path, fabricgen: Runner) -> None:
    owned = tmp_path / "owned"
    text = instead("lab", f"!!python/object/apply:os.system ['touch {owned}']")
    fabricgen(site(tmp_path, text), "check", "site")
    assert not owned.exists()


@pytest.mark.parametrize("target", ["nowhere.yaml", "site.yaml", "/dev/zero", "/etc"])
def test_a_link_that_is_no_file_is_refused(tmp_path: Path, target: str, fabricgen: Runner) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").symlink_to(target)
    expect_refused(tmp_path, fabricgen(tmp_path, "check", "site"), "FG001")


def test_a_pipe_is_refused(tmp_path: Path, fabricgen: Runner) -> None:
    (tmp_path / "site").mkdir()
    os.mkfifo(tmp_path / "site" / "pipe")
    (tmp_path / "site" / "site.yaml").symlink_to("pipe")
    expect_refused(tmp_path, fabricgen(tmp_path, "check", "site"), "FG001")


def test_folders_that_link_in_a_circle_are_left(tmp_path: Path, fabricgen: Runner) -> None:
    folder = site(tmp_path, BACKEND)
    (folder / "site" / "again").symlink_to(".", target_is_directory=True)
    done = fabricgen(folder, "check", "site")
    assert done.code == 0, done.out
    assert "FG001 warning: is a link to a folder" in done.out


def test_a_file_name_of_any_bytes_is_printed(tmp_path: Path, fabricgen: Runner) -> None:
    folder = site(tmp_path, BACKEND)
    (folder / "site" / os.fsdecode(b"\xff\x1b\n.yaml")).write_text("[")
    expect_refused(folder, fabricgen(folder, "check", "site"), "FG002")


LITERAL = "{{ 7*7 }} {% x %} [/1] [red] =HYPERLINK(1) @team <b> $(id) %s {0} |"


@pytest.mark.parametrize("platform", ["eos", "sonic"])
def test_text_stays_as_it_is_written(tmp_path: Path, platform: str, fabricgen: Runner) -> None:
    """No template, markup, spreadsheet, shell or format string takes a text for its own."""
    snmp = f"{{community: 'env:SNMP', location: '{LITERAL}'}}"
    text = instead("/22}", f"/22, snmp: {snmp}}}").replace("eos", platform)
    done = fabricgen(site(tmp_path, text), "render", "site", "-o", "out")
    assert done.code == 0, done.err
    rendered = [path.read_text() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert any(LITERAL in text for text in rendered)


@pytest.mark.parametrize("form", ["text", "json", "markdown", "sarif", "junit", "github", "gitlab"])
def test_every_format_carries_hostile_text(tmp_path: Path, form: str, fabricgen: Runner) -> None:
    key = "'[/1] ``` | <b>&\\\"@team::x::%0A'"
    done = fabricgen(site(tmp_path, BACKEND + f"{key}: 1\n"), "check", "site", "--format", form)
    assert done.code == 1
    assert "Traceback" not in done.err
    assert "FG101" in done.out


def test_a_secret_written_down_is_never_repeated(tmp_path: Path, fabricgen: Runner) -> None:
    users = "users: [{name: a, password_hash: $6$hunter2}, {name: b, password_hash: [hunter2]}]"
    done = fabricgen(site(tmp_path, instead("/22}", f"/22, {users}}}")), "check", "site")
    assert done.code == 1
    assert "hunter2" not in done.said


@pytest.mark.parametrize("words", [("check", "nowhere"), ("check", "x" * 5000), ("check", "")])
def test_a_site_that_is_not_there_is_told(
    tmp_path: Path, words: tuple[str, ...], fabricgen: Runner
) -> None:
    done = fabricgen(tmp_path, *words)
    assert done.code == 1, done.err
    assert "FG001 " in done.out
    assert "Traceback" not in done.err


def rendered(folder: Path, fabricgen: Runner) -> Path:
    """Render the good site into `out`."""
    assert fabricgen(site(folder, BACKEND), "render", "site", "-o", "out").code == 0
    return next((folder / "out").rglob("*.cfg"))


def test_a_file_changed_by_hand_is_not_overwritten(tmp_path: Path, fabricgen: Runner) -> None:
    path = rendered(tmp_path, fabricgen)
    path.write_text("mine")
    done = fabricgen(tmp_path, "render", "site", "-o", "out")
    assert (done.code, path.read_text()) == (1, "mine")
    assert "FG501" in done.err


def test_a_link_in_the_output_is_replaced_not_followed(tmp_path: Path, fabricgen: Runner) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path = rendered(tmp_path, fabricgen)
    path.unlink()
    path.symlink_to(victim)
    assert fabricgen(tmp_path, "render", "site", "-o", "out", "--force").code == 0
    assert victim.read_text() == "precious"
    assert not path.is_symlink()


@pytest.mark.parametrize("target", ["site/site.yaml", "site/site.yaml/out", "/proc/out"])
def test_a_place_that_cannot_be_written_is_told(
    tmp_path: Path, target: str, fabricgen: Runner
) -> None:
    done = fabricgen(site(tmp_path, BACKEND), "render", "site", "-o", target)
    assert done.code == 1
    assert "FG501" in done.err
    assert (tmp_path / "site" / "site.yaml").read_text() == BACKEND

"""Whatever stands in a site: exit code 1, a place and a sentence, no traceback, nothing written.

Each case runs as a person would run it, in a process of its own with little time and memory.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.hostile.corpus import BACKEND, FRONTEND, TEXT, instead

ROOT = Path(__file__).resolve().parents[2]
SECONDS, BYTES = 10, 1_500 * 2**20
START = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({BYTES}, {BYTES}))
from fabricgen.cli.main import run
sys.exit(run(sys.argv[1:]))
"""
FOUND = re.compile(r"^(\S+):([0-9]+):([0-9]+) (FG[0-9]{3}) \S", re.MULTILINE)
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def fabricgen(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder."""
    return subprocess.run(
        [sys.executable, "-c", START, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def site(folder: Path, text: str | bytes) -> Path:
    """Write a site of one file; return the folder it stands in."""
    (folder / "site").mkdir()
    written = text if isinstance(text, bytes) else text.encode()
    (folder / "site" / "site.yaml").write_bytes(written)
    return folder


def expect_refused(folder: Path, done: subprocess.CompletedProcess[str], code: str) -> None:
    said = done.stdout + done.stderr
    assert done.returncode == 1, said[-2000:]
    assert "Traceback" not in said, said[-2000:]
    assert code in {found[4] for found in FOUND.finditer(said)}, said[:2000]
    assert not CONTROL.search(said), said[:2000]
    assert [path.name for path in folder.iterdir()] == ["site"]


@pytest.mark.parametrize("name", TEXT)
def test_a_bad_site_is_refused_in_plain_words(name: str, tmp_path: Path) -> None:
    folder = site(tmp_path, TEXT[name])
    expect_refused(folder, fabricgen(folder, "render", "site", "-o", "out"), name.split()[1])


def test_the_good_sites_are_good(tmp_path: Path) -> None:
    """Prove that the corpus is refused for what was changed."""
    for number, text in enumerate((BACKEND, FRONTEND)):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert fabricgen(site(folder, text), "check", "site").returncode == 0


def test_a_tag_runs_nothing(tmp_path: Path) -> None:
    owned = tmp_path / "owned"
    text = instead("lab", f"!!python/object/apply:os.system ['touch {owned}']")
    fabricgen(site(tmp_path, text), "check", "site")
    assert not owned.exists()


@pytest.mark.parametrize("target", ["nowhere.yaml", "site.yaml", "/dev/zero", "/etc"])
def test_a_link_that_is_no_file_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").symlink_to(target)
    expect_refused(tmp_path, fabricgen(tmp_path, "check", "site"), "FG001")


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    os.mkfifo(tmp_path / "site" / "pipe")
    (tmp_path / "site" / "site.yaml").symlink_to("pipe")
    expect_refused(tmp_path, fabricgen(tmp_path, "check", "site"), "FG001")


def test_folders_that_link_in_a_circle_are_left(tmp_path: Path) -> None:
    folder = site(tmp_path, BACKEND)
    (folder / "site" / "again").symlink_to(".", target_is_directory=True)
    done = fabricgen(folder, "check", "site")
    assert done.returncode == 0, done.stdout
    assert "FG001 warning: a link to a folder" in done.stdout


def test_a_file_name_of_any_bytes_is_printed(tmp_path: Path) -> None:
    folder = site(tmp_path, BACKEND)
    (folder / "site" / os.fsdecode(b"\xff\x1b\n.yaml")).write_text("[")
    expect_refused(folder, fabricgen(folder, "check", "site"), "FG002")


LITERAL = "{{ 7*7 }} {% x %} [/1] [red] =HYPERLINK(1) @team <b> $(id) %s {0} |"


@pytest.mark.parametrize("platform", ["eos", "sonic"])
def test_text_stays_as_it_is_written(tmp_path: Path, platform: str) -> None:
    """No template, markup, spreadsheet, shell or format string takes a text for its own."""
    snmp = f"{{community: 'env:SNMP', location: '{LITERAL}'}}"
    text = instead("/22}", f"/22, snmp: {snmp}}}").replace("eos", platform)
    done = fabricgen(site(tmp_path, text), "render", "site", "-o", "out")
    assert done.returncode == 0, done.stderr
    rendered = [path.read_text() for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert any(LITERAL in text for text in rendered)


@pytest.mark.parametrize("form", ["text", "json", "markdown", "sarif", "junit", "github"])
def test_every_format_carries_hostile_text(tmp_path: Path, form: str) -> None:
    key = "'[/1] ``` | <b>&\\\"@team::x::%0A'"
    done = fabricgen(site(tmp_path, BACKEND + f"{key}: 1\n"), "check", "site", "--format", form)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "FG101" in done.stdout


def test_a_secret_that_was_written_down_is_never_repeated(tmp_path: Path) -> None:
    users = "users: [{name: a, password_hash: $6$hunter2}, {name: b, password_hash: [hunter2]}]"
    done = fabricgen(site(tmp_path, instead("/22}", f"/22, {users}}}")), "check", "site")
    assert done.returncode == 1
    assert "hunter2" not in done.stdout + done.stderr


@pytest.mark.parametrize("words", [("check", "nowhere"), ("check", "x" * 5000), ("check", "")])
def test_a_site_that_is_not_there_is_told(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = fabricgen(tmp_path, *words)
    assert done.returncode == 1, done.stderr
    assert "FG001 " in done.stdout
    assert "Traceback" not in done.stderr


def rendered(folder: Path) -> Path:
    """Render the good site into `out`."""
    assert fabricgen(site(folder, BACKEND), "render", "site", "-o", "out").returncode == 0
    return next((folder / "out").rglob("*.cfg"))


def test_a_file_changed_by_hand_is_not_overwritten(tmp_path: Path) -> None:
    path = rendered(tmp_path)
    path.write_text("mine")
    done = fabricgen(tmp_path, "render", "site", "-o", "out")
    assert (done.returncode, path.read_text()) == (1, "mine")
    assert "FG501" in done.stderr


def test_a_link_in_the_output_is_replaced_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    path = rendered(tmp_path)
    path.unlink()
    path.symlink_to(victim)
    assert fabricgen(tmp_path, "render", "site", "-o", "out", "--force").returncode == 0
    assert victim.read_text() == "precious"
    assert not path.is_symlink()


@pytest.mark.parametrize("target", ["site/site.yaml", "site/site.yaml/out", "/proc/out"])
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path, target: str) -> None:
    done = fabricgen(site(tmp_path, BACKEND), "render", "site", "-o", target)
    assert done.returncode == 1
    assert "FG501" in done.stderr
    assert (tmp_path / "site" / "site.yaml").read_text() == BACKEND

"""Own files on a folder that stands for a switch's disk: laid, hidden, taken away, refused."""

import stat
from pathlib import Path

import pytest

from fabricgen.nos.linux.driver.onswitch import files
from fabricgen.nos.linux.driver.onswitch.kept import Kept
from fabricgen.nos.linux.driver.onswitch.switch import SWITCH
from fabricgen.nos.shared.onswitch import disk
from fabricgen.nos.shared.onswitch.refusal import Refusal
from fabricgen.nos.shared.onswitch.store import Tree

MOTD = "etc/motd"


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let a folder be the switch's disk."""
    monkeypatch.setattr(disk, "ROOT", tmp_path)
    (tmp_path / "etc").mkdir()
    return tmp_path


def tree(text: str, path: str = MOTD) -> Tree:
    return Tree({path: disk.File(text.encode())}, [path])


def test_a_file_is_laid_seen_and_taken_away(root: Path) -> None:
    files.lay(tree("ours\n"), [MOTD])
    assert (root / MOTD).read_text() == "ours\n"
    assert files.running().files[MOTD].text == "ours\n"
    (root / MOTD).write_text("another's\n")
    assert files.changed(files.running(), tree("ours\n"), Kept({}).like) == [MOTD]
    gone = Tree({}, [])
    assert files.changed(files.running(), gone, Kept({}).like) == [MOTD]
    files.lay(gone, [MOTD])
    assert not (root / MOTD).exists()


def test_what_was_there_before_comes_back(root: Path) -> None:
    (root / MOTD).write_text("Debian's\n")
    before = Tree(files.before(files.running(), [MOTD]), None)
    files.lay(tree("ours\n"), [MOTD])
    files.lay(before, [MOTD])
    assert (root / MOTD).read_text() == "Debian's\n"


def test_a_file_that_nobody_wrote_is_none_of_ours(root: Path) -> None:
    (root / MOTD).write_text("Debian's\n")
    assert MOTD not in files.running().files


@pytest.mark.parametrize(("text", "mode"), [("a\n", 0o644), ("password = sesame\n", 0o600)])
def test_secrets_are_for_root_alone(root: Path, text: str, mode: int) -> None:
    files.lay(tree(text), [MOTD])
    assert stat.S_IMODE((root / MOTD).stat().st_mode) == mode


def test_a_difference_does_not_show_a_secret() -> None:
    shown = SWITCH.compare(tree("a\npassword = sesame\n"))
    assert "+password = <<hidden:" in shown
    assert "sesame" not in shown
    config = SWITCH.config(tree("password = sesame\n"))
    assert "sesame" not in config[MOTD].text


@pytest.mark.parametrize(
    "path", ["etc/cron.d/x", "etc/../x", "usr/bin/x", "etc/rc.local", "etc//x"]
)
def test_the_switch_refuses_what_the_intent_may_not_have(path: str) -> None:
    with pytest.raises(Refusal, match="fabricgen does not write"):
        SWITCH.judge({path: ""}, [])


def test_no_link_is_followed_and_no_file_is_a_folder(root: Path) -> None:
    (root / "etc/mine").symlink_to(root)
    (root / "etc/file").write_text("")
    for path, why in (("etc/mine/x", "symbolic link"), ("etc/file/x", "no folder")):
        with pytest.raises(Refusal, match=why):
            SWITCH.judge({path: ""}, [])


def test_an_own_file_is_not_run() -> None:
    with pytest.raises(Refusal, match="executable"):
        SWITCH.judge({MOTD: ""}, [MOTD])

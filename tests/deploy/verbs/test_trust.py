"""`fabricgen trust`: the keys that switches show, beside those that are trusted."""

import pytest
from tests.deploy.verbs.conftest import Work

from fabricgen.operate.deploy import trust
from fabricgen.operate.deploy.trust import KNOWN_HOSTS, Shown


def key(switch: str, text: str = "AAAA") -> Shown:
    return Shown(
        switch=switch,
        file=KNOWN_HOSTS,
        text=f"{switch} ssh-ed25519 {text}\n",
        fingerprint=f"ssh-ed25519 SHA256:{text}",
    )


@pytest.fixture
def shown(work: Work, monkeypatch: pytest.MonkeyPatch) -> dict[str, Shown]:
    """Say what each switch shows; the inventory has the switches of the site."""
    keys = {name: key(name) for name in work.everything()}
    monkeypatch.setattr(trust, "scan", lambda inventory: [keys[name] for name in inventory.hosts])
    return keys


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return sorted(capsys.readouterr().out.splitlines())


def test_new_keys_are_2_until_they_are_written(
    work: Work, shown: dict[str, Shown], capsys: pytest.CaptureFixture[str]
) -> None:
    file = work.folder / "inventory" / KNOWN_HOSTS
    assert work.fabricgen("trust", "site") == 2
    assert not file.exists()
    assert lines(capsys) == [f"new       {name}  ssh-ed25519 SHA256:AAAA" for name in shown]
    assert work.fabricgen("trust", "site", "--write") == 0
    assert file.read_text() == "".join(each.text for each in shown.values())
    capsys.readouterr()
    assert work.fabricgen("trust", "site") == 0
    assert lines(capsys) == [f"same      {name}  ssh-ed25519 SHA256:AAAA" for name in shown]
    assert work.requests() == []


@pytest.mark.parametrize("words", [(), ("--write",)])
def test_a_key_that_changed_is_2_and_stays_as_it_was(
    work: Work, shown: dict[str, Shown], words: tuple[str, ...]
) -> None:
    assert work.fabricgen("trust", "site", "--write") == 0
    file = work.folder / "inventory" / KNOWN_HOSTS
    before = file.read_text()
    shown["fe-spine1"] = key("fe-spine1", "BBBB")
    assert work.fabricgen("trust", "site", *words) == 2
    assert file.read_text() == before


def test_a_switch_that_does_not_answer_is_3_whatever_others_show(
    work: Work, shown: dict[str, Shown], capsys: pytest.CaptureFixture[str]
) -> None:
    shown["fe-spine1"] = Shown(switch="fe-spine1", file=KNOWN_HOSTS, said="timed out")
    assert work.fabricgen("trust", "site", "--write") == 3
    assert "no answer fe-spine1  timed out" in lines(capsys)
    assert "fe-leaf01 " in (work.folder / "inventory" / KNOWN_HOSTS).read_text()

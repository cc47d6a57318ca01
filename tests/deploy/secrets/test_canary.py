"""A canary on every path of this room, failing or not; nothing that leaves it may hold it."""

import logging
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.deploy.secrets.test_providers import installed

from fabricgen.model.settings.setting import placeholder
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Kind, Phase, Step
from fabricgen.operate.deploy.secrets.logs import hidden_logs
from fabricgen.operate.deploy.secrets.messages import Unresolved
from fabricgen.operate.deploy.secrets.secrets import Secrets

_STRANGER = """
from fabricgen.operate.deploy.secrets.messages import Found
def read(name, site):
    value = (site / "canary").read_text()
    if name == "raises":
        raise ValueError(value)
    if name == "exits":
        raise OSError(5, value)
    return {"text": value, "bytes": Found(value.encode()), "none": None}[name]
"""
_FAILING = [
    "env:SPACED",
    "env:QUOTED",
    "env:LINES",
    "file:spaced",
    "file:binary",
    "sops:secrets.json#nothing",
    "sops:secrets.json#users.7",
    "vault:kv/fabric/bgp#spine",
    "vault:kv/deleted#leaf",
    "vault:kv/broken#leaf",
    "vault:kv/sealed#leaf",
    "vault:kv/garbage#leaf",
    "vault:kv/other#leaf",
    "x-stranger:raises",
    "x-stranger:exits",
    "x-stranger:text",
    "x-stranger:bytes",
    "x-stranger:none",
    "x-stranger:fails",
]


@pytest.fixture
def kept(
    site: Path, tmp_path: Path, canary: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Path]:
    """Keep the canary everywhere in a form that cannot be used."""
    monkeypatch.setenv("SPACED", f"{canary} x")
    monkeypatch.setenv("QUOTED", f'{canary}"')
    monkeypatch.setenv("LINES", f"{canary}\nreload")
    (site / "spaced").write_text(f"{canary} x")
    (site / "binary").write_bytes(canary.encode() + b"\xff\x00")
    (site / "canary").write_text(canary)
    packages = tmp_path / "packages"
    packages.mkdir()
    sys.modules.pop("stranger_of_a_test", None)
    monkeypatch.syspath_prepend(
        installed(packages, "x-stranger", "stranger_of_a_test:read", _STRANGER)
    )
    yield site
    sys.modules.pop("stranger_of_a_test", None)


def all_of(error: BaseException | None) -> str:
    """Return everything an exception carries, also what a traceback would leave out."""
    said = []
    while error is not None:
        said += [repr(error), repr(error.args), repr(getattr(error, "__dict__", ""))]
        said += traceback.format_exception(error)
        error = error.__cause__ or error.__context__
    return "\n".join(said)


@pytest.mark.parametrize("reference", _FAILING)
@pytest.mark.usefixtures("sops", "vault")
def test_no_way_to_fail_shows_it(
    kept: Path,
    reference: str,
    canary: str,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(Unresolved) as refused:
        Secrets([placeholder("file:canary"), placeholder(reference)], kept)
    assert len(refused.value.sentences) == 1
    printed = capfd.readouterr()
    told = all_of(refused.value) + caplog.text + printed.out + printed.err
    assert reference in told
    assert canary not in told


@pytest.mark.usefixtures("sops", "vault")
def test_no_way_to_use_it_shows_it(
    kept: Path,
    tmp_path: Path,
    canary: str,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    references = ("file:canary", "sops:secrets.json#canary", "vault:kv/fabric/bgp#leaf")
    made = Secrets(map(placeholder, references), kept)
    shown = made.reveal(placeholder(references[0]))
    assert shown == canary
    with hidden_logs(made):
        logging.getLogger("napalm").warning("loading %s", shown)
        logging.getLogger("paramiko").debug({"password": shown})
    folder = tmp_path / "journal"
    with Journal.open(folder / "journal.db") as journal:
        with journal.lock("berlin1", "plan", "ann") as held:
            push = held.start(Kind.PUSH, "0.1.0", "x")
            message = made.hide(f"invalid input: secret sha512 {shown}")
            held.record(push, [Step(switch="leaf1", phase=Phase.FAILED, batch=1, message=message)])
        (step,) = journal.steps(push)
    assert step.message == "invalid input: secret sha512 <<secret:file:canary>>"
    written = b"".join(path.read_bytes() for path in folder.rglob("*"))
    assert b"invalid input" in written
    assert canary.encode() not in written
    printed = capfd.readouterr()
    assert canary not in caplog.text + printed.out + printed.err + repr(made)

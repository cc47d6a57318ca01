"""Recordings: what is stored is read back, secrets are not stored, and a damaged one is unread."""

import hashlib
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.proof.state.lab import LEAF, SPINE, whole

from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.questions import LOST, Answer
from fabricgen.nos.show import Part
from fabricgen.operate.state.recordings import (
    MANIFEST,
    Recorded,
    Recorder,
    RecordingError,
    Recordings,
    opened,
)


def about(name: str) -> Recorded:
    return Recorded(switch=name, platform="linux", release="", model="7050CX3-32S")


def kept(text: str) -> str:
    return text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two real looks as a recording."""
    place = tmp_path / "recording"
    recorder = Recorder(place, kept)
    for name in (LEAF, SPINE):
        recorder.write(about(name), LINUX.decode(whole(name)))
    return place


def test_a_recording_gives_the_answers_of_the_switch(folder: Path) -> None:
    found = Recordings(folder)
    assert found.switches == {LEAF, SPINE}
    assert found.answers(LEAF) == LINUX.decode(whole(LEAF))
    assert LINUX.parse(found.answers(LEAF)) == LINUX.read(whole(LEAF))


def test_a_manifest_names_the_switch_and_its_answers(folder: Path) -> None:
    manifest = Recordings(folder).manifest(LEAF)
    assert (manifest["switch"], manifest["platform"]) == (LEAF, "linux")
    assert manifest["tool"].startswith("fabricgen ")
    files = {row["file"] for row in manifest["answers"]}
    assert {MANIFEST, *files} == {each.name for each in (folder / LEAF).iterdir()}


def test_only_the_last_answers_of_a_switch_remain(folder: Path) -> None:
    Recorder(folder, kept).write(about(LEAF), {"version": Answer("new")})
    assert Recordings(folder).answers(LEAF) == {"version": Answer("new")}
    assert sorted(each.name for each in folder.iterdir()) == [LEAF, SPINE]


CANARY = "c4n4ry"
SECRETS = (
    f"snmp-server community {CANARY} ro",
    f"username bob privilege 15 role admin secret sha512 $6${CANARY}$x",
    f"neighbor 10.0.0.1 password 7 {CANARY}",
    f"neighbor 10.0.0.1 password {CANARY}",
    f"tacacs-server host 10.0.0.9 key 7 {CANARY}",
    f"snmp-server user a g v3 auth sha {CANARY} priv aes {CANARY}",
    f"rocommunity {CANARY} 10.0.0.0/8",
    f"-----BEGIN PRIVATE KEY-----\n{CANARY}\n-----END PRIVATE KEY-----",
    json.dumps({"hosts": [{"v1v2cParams": {"communityString": CANARY}}]}),
    json.dumps({"servers": {"a": {"passkey": CANARY, "shared-secret": CANARY}}}),
    json.dumps({"lines": ["interface Ethernet1", f"enable password {CANARY}"]}),
    json.dumps({"cmds": {f"username bob secret 5 $1${CANARY}": None}}),
    json.dumps([{"password": [CANARY]}]),
)


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_is_stored(tmp_path: Path, secret: str) -> None:
    Recorder(tmp_path, kept).write(about(LEAF), {"running": Answer(secret)})
    stored = b"".join(each.read_bytes() for each in (tmp_path / LEAF).iterdir())
    assert CANARY.encode() not in stored
    assert b"(hidden)" in stored


def test_secrets_that_the_tool_knows_are_not_stored(tmp_path: Path) -> None:
    hide: Callable[[str], str] = lambda text: text.replace("s3same", "<secret>")  # noqa: E731
    Recorder(tmp_path, hide).write(about(LEAF), {"odd": Answer('{"note": "open s3same"}')})
    assert Recordings(tmp_path).answers(LEAF)["odd"].text == '{"note": "open <secret>"}'


def test_an_answer_that_cannot_be_filtered_is_not_stored(tmp_path: Path) -> None:
    deep = "[" * 100_000
    Recorder(tmp_path, kept).write(about(LEAF), {"deep": Answer(deep), "version": Answer("x")})
    found = Recordings(tmp_path).answers(LEAF)
    assert found["deep"] == Answer("not recorded: the answer is nested too deep", LOST)
    assert found["version"] == Answer("x")


def _remove(place: Path) -> None:
    (place / "lldp.json").unlink()


def _change(place: Path) -> None:
    (place / "lldp.json").write_text("{}")


def _link(place: Path) -> None:
    _remove(place)
    (place / "lldp.json").symlink_to("/etc/passwd")


def _encode(place: Path) -> None:
    data = b"\xff\xfe"
    (place / "lldp.json").write_bytes(data)
    _edit(place, "lldp", sha256=hashlib.sha256(data).hexdigest())


def _leave(place: Path) -> None:
    _edit(place, "lldp", file="../../secret")


def _edit(place: Path, key: str, **values: object) -> None:
    manifest = json.loads((place / MANIFEST).read_text())
    for row in manifest["answers"]:
        if row["key"] == key:
            row.update(values)
    (place / MANIFEST).write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (_remove, "lldp.json of the recording is unreadable: No such file"),
        (_change, "lldp.json differs from its hash"),
        (_link, "lldp.json of the recording is unreadable: it is a link"),
        (_encode, "lldp.json of the recording is unreadable: not UTF-8"),
        (_leave, "../../secret of the recording is unreadable: '../../secret' is not a path"),
    ],
)
def test_a_damaged_answer_makes_its_part_unread(
    folder: Path, damage: Callable[[Path], None], reason: str
) -> None:
    damage(folder / LEAF)
    observed = LINUX.parse(Recordings(folder).answers(LEAF))
    assert observed.unread[Part.LLDP].startswith(reason)
    assert Part.INTERFACES not in observed.unread


def test_a_damaged_text_is_unread_as_well(folder: Path) -> None:
    """Its reason is no answer, even where an answer is plain text."""
    (folder / LEAF / "system.txt").unlink()
    observed = LINUX.parse(Recordings(folder).answers(LEAF))
    assert observed.unread[Part.DAEMONS].startswith("system.txt of the recording is unreadable")


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "[",
        "[]",
        "{}",
        '{"format_version": 2, "answers": []}',
        '{"format_version": 1}',
        '{"format_version": 1, "answers": {"key": "x"}}',
        '{"format_version": 1, "answers": [{"key": "x"}]}',
        '{"format_version": 1, "answers": [{"key": 1, "file": "x", "status": 0}]}',
        '{"format_version": 1, "answers": [{"key": "x", "file": "x", "status": "0"}]}',
        '{"format_version": 1, "answers": [{"key": "x", "file": "x", "status": true}]}',
        "[" * 100_000,
    ],
)
def test_a_broken_manifest_is_an_error_of_its_switch(folder: Path, manifest: str) -> None:
    (folder / LEAF / MANIFEST).write_text(manifest)
    found = Recordings(folder)
    with pytest.raises(RecordingError, match=r"its manifest\.json"):
        found.answers(LEAF)
    assert found.answers(SPINE)


def test_a_tarball_is_read_like_its_folder(folder: Path, tmp_path: Path) -> None:
    for name in ("one.tar", "one.tar.gz"):
        with tarfile.open(tmp_path / name, "w:gz" if name.endswith("gz") else "w") as tar:
            tar.add(folder, arcname="any/where")
        with opened(tmp_path / name) as found:
            assert found.answers(LEAF) == Recordings(folder).answers(LEAF)
            unpacked = found.folder
        assert not unpacked.exists()


def _member(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname, member.size = kind, "/etc/passwd", size
    return member


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        (_member("/etc/passwd"), "is not a path below the folder"),
        (_member("a/../../x"), "is not a path below the folder"),
        (_member("a/link", tarfile.SYMTYPE), "is not a plain file"),
        (_member("a/link", tarfile.LNKTYPE), "is not a plain file"),
        (_member("a/pipe", tarfile.FIFOTYPE), "is not a plain file"),
        (_member("a/device", tarfile.CHRTYPE), "is not a plain file"),
        (_member("a/large", size=65 << 20), "the tarball is too large"),
    ],
)
def test_an_unsafe_tarball_is_refused(tmp_path: Path, member: tarfile.TarInfo, reason: str) -> None:
    place = tmp_path / "x.tar"
    with tarfile.open(place, "w") as tar:
        tar.addfile(member, io.BytesIO(bytes(member.size)))
    with pytest.raises(RecordingError, match=reason), opened(place):
        pass


@pytest.mark.parametrize("data", [b"", b"no tarball", b"\x1f\x8b\x08broken"])
def test_a_file_that_is_no_tarball_is_an_error(tmp_path: Path, data: bytes) -> None:
    place = tmp_path / "x.tar.gz"
    place.write_bytes(data)
    with pytest.raises(RecordingError, match=r"x\.tar\.gz"), opened(place):
        pass


def test_a_folder_without_a_recording_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="has no recording"):
        Recordings(tmp_path)


def test_a_link_to_another_folder_is_no_recording(folder: Path, tmp_path: Path) -> None:
    (folder / "linked").symlink_to(folder / LEAF)
    assert Recordings(folder).switches == {LEAF, SPINE}

"""What is wrong with inventory/, each with its place."""

from pathlib import Path

import pytest

from fabricgen.core.diagnostics import Code
from fabricgen.operate.deploy.inventory.files import read_inventory
from fabricgen.operate.deploy.targets import Target

LEAF = Target(name="leaf1", fabric="frontend", platform="linux", address="10.0.0.1")


def wrong(folder: Path, **files: str | bytes) -> list[tuple[str, str, str]]:
    """Return code, message and hint of each finding."""
    for name, text in files.items():
        data = text if isinstance(text, bytes) else text.encode()
        (folder / f"{name}.yaml").write_bytes(data)
    found = read_inventory(folder, {"leaf1": LEAF}).findings
    return [(str(it.code), it.message, it.hint) for it in found]


def test_no_folder_and_empty_files_say_nothing(tmp_path: Path) -> None:
    assert wrong(tmp_path / "none") == []
    assert wrong(tmp_path, defaults="", groups="# nothing\n") == []


@pytest.mark.parametrize(
    ("file", "text", "message", "hint"),
    [
        (
            "defaults",
            "usrname: x\n",
            "unknown key 'usrname' in defaults",
            "did you mean 'username'?",
        ),
        ("nornir", "wrkers: 1\n", "unknown key 'wrkers' in nornir", "did you mean 'workers'?"),
        ("groups", "nxos: {}\n", "unknown platform or fabric 'nxos': not in this site", ""),
        (
            "groups",
            "frontnd: {}\n",
            "unknown platform or fabric 'frontnd': not in this site",
            "'frontend'",
        ),
        (
            "hosts",
            "leaf2: {}\n",
            "unknown switch 'leaf2': not in this site",
            "did you mean 'leaf1'?",
        ),
    ],
)
def test_a_word_that_is_none_is_named(
    tmp_path: Path, file: str, text: str, message: str, hint: str
) -> None:
    ((_, said, hinted),) = wrong(tmp_path, **{file: text})
    assert said == message
    assert hint in hinted


def test_every_switch_of_a_group_or_of_all_must_be_checked_for_who_it_is(tmp_path: Path) -> None:
    found = wrong(
        tmp_path,
        defaults="insecure: true\n",
        groups="linux: {insecure: true}\nfrontend: {insecure: false}\n",
        hosts="leaf1: {insecure: true}\n",
    )
    assert [message for _, message, _ in found] == [
        "`insecure` is allowed per host only, in hosts.yaml"
    ] * 2


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    ((_, message, _),) = wrong(tmp_path, hosts=b"\xff\xfe\x00")
    assert message == f"{tmp_path}/hosts.yaml: not UTF-8 text"
    (tmp_path / "hosts.yaml").unlink()
    (tmp_path / "hosts.yaml").mkdir()
    assert wrong(tmp_path)[0][1] == f"{tmp_path}/hosts.yaml: not a plain file"


def test_faults_of_several_files_come_together_with_their_places(tmp_path: Path) -> None:
    (tmp_path / "defaults.yaml").write_text("username: ann\nport: 0\n")
    (tmp_path / "hosts.yaml").write_text("leaf1:\n  timeout: 3601\n")
    read = read_inventory(tmp_path, {"leaf1": LEAF})
    places = [read.source.locate(it.path, key=it.at_key) for it in read.findings]
    assert [(it.file, it.line) for it in places if it] == [
        (str(tmp_path / "defaults.yaml"), 2),
        (str(tmp_path / "hosts.yaml"), 2),
    ]


def test_how_many_are_spoken_to_at_a_time(tmp_path: Path) -> None:
    assert read_inventory(tmp_path, {}).inventory.nornir.workers == 50
    (tmp_path / "nornir.yaml").write_text("workers: 1000\n")
    assert read_inventory(tmp_path, {}).inventory.nornir.workers == 1000
    (tmp_path / "nornir.yaml").write_text("workers: 1001\n")
    assert len(read_inventory(tmp_path, {}).findings) == 1


def test_a_file_that_is_no_yaml_is_said_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "defaults.yaml").write_text("username: ann\n")
    (tmp_path / "groups.yaml").write_text("linux: {port: 1\n")
    (tmp_path / "hosts.yaml").write_text("leaf1: *\n")
    findings = read_inventory(tmp_path, {}).findings
    assert [(found.code, str(found.position)) for found in findings] == [
        (Code.YAML_SYNTAX, f"{tmp_path}/groups.yaml:2:1"),
        (Code.YAML_SYNTAX, f"{tmp_path}/hosts.yaml:1:8"),
    ]

"""Values that the shell completes: sites, and the names in the site of the command line."""

import json
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from tests.cli.calling import LAB, ROOT
from tests.cli.completing import SHELLS, complete
from tests.cli.test_verbs import BROKEN, broken

from fabricgen.cli import candidates, completion
from fabricgen.cli.main import main
from fabricgen.cli.plain import is_inert
from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.load import load_site

__all__ = ["broken"]
FULL = str(ROOT / "intent" / "full")
SWITCHES = [
    *("fe-spine1", "fe-spine2", "fe-leaf01", "fe-leaf02", "fe-leaf03", "fe-leaf04"),
    *("be-spine1", "be-spine2"),
    *("be-su01-leaf1", "be-su01-leaf2", "be-su01-leaf3", "be-su01-leaf4"),
]


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def all_commands(group: click.Group) -> Iterator[click.Command]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from all_commands(command)
        else:
            yield command


def values(command: click.Command, parameter: click.Parameter, start: str) -> list[str]:
    """Complete a parameter after the site `intent/lab`."""
    context = click.Context(command, resilient_parsing=True)
    context.args = [LAB]
    found = parameter.shell_complete(context, start)
    return [str(item.value) for item in found if item.type == "plain"]


def takes_site(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Argument) and "SITE" in str(parameter.metavar)


COMMANDS = list(all_commands(main))
SITE_ARGUMENTS = [
    (command, item) for command in COMMANDS for item in command.params if takes_site(item)
]
SWITCH_PARAMETERS = [
    (command, item)
    for command, _ in SITE_ARGUMENTS
    for item in command.params
    if "SWITCH" in str(item.metavar) or ("--switch" in item.opts and "=" not in str(item.metavar))
]


def name_of(value: object) -> str:
    return str(value.name) if isinstance(value, click.Command | click.Parameter) else str(value)


@pytest.mark.parametrize(("command", "parameter"), SITE_ARGUMENTS, ids=name_of)
def test_every_argument_that_is_a_site_completes_sites(
    command: click.Command, parameter: click.Parameter
) -> None:
    assert values(command, parameter, "intent/fu") == ["intent/full"]


@pytest.mark.parametrize(("command", "parameter"), SWITCH_PARAMETERS, ids=name_of)
def test_every_parameter_that_is_a_switch_completes_switches(
    command: click.Command, parameter: click.Parameter
) -> None:
    assert values(command, parameter, "be-su01") == SWITCHES[-4:]


def test_there_are_such_arguments_and_parameters() -> None:
    assert len(SITE_ARGUMENTS) > 20
    assert len(SWITCH_PARAMETERS) > 5


@pytest.mark.parametrize("shell", SHELLS)
def test_switches_and_servers_after_a_site(shell: str) -> None:
    assert complete("explain", "intent/lab", "", shell=shell) == [
        *SWITCHES,
        *(f"fe-leaf0{leaf}-h{port}" for leaf in (1, 2, 3) for port in (1, 2, 3, 4)),
        *(f"gpu000{number}" for number in (1, 2, 3, 4)),
    ]


def test_fabrics_and_switches_of_a_limit() -> None:
    assert complete("push", "intent/full", "--limit", "storage") == [
        *("storage-spine1", "storage-spine2", "storage-compute-leaf01", "storage-compute-leaf02"),
        *("storage-storage-leaf01", "storage-storage-leaf02", "storage"),
    ]
    assert complete("push", "intent/full", "--limit", "=", "fron") == ["frontend"]


def test_fabrics() -> None:
    words = ("render", "intent/full", "--fabric")
    assert complete(*words, "") == ["frontend", "backend", "storage", "oob"]


def test_ends_of_a_reachability_question() -> None:
    assert complete("reach", "intent/lab", "--from", "gpu") == [
        *("gpu", "gpu0001", "gpu0002", "gpu0003", "gpu0004")
    ]
    words = ("reach", "intent/full", "--from", "gpu0001", "--to")
    assert complete(*words, "outs") == ["outside:core1", "outside:core2"]
    assert complete("reach", "intent/full", "--to", "outside", ":") == ["core1", "core2"]


def test_hardware() -> None:
    assert complete("catalog", "SN46") == ["SN4600C"]
    assert complete("catalog", "--on", "so") == ["sonic"]
    assert complete("size", "--switch", "7060X") == ["7060X6-64PE"]
    assert complete("size", "--os", "e") == ["eos"]


def test_hardware_of_a_site(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text("site: {}\n")
    assert complete("catalog", "--site", str(tmp_path), "SN46") == ["SN4600C"]


def test_what_is_given_is_not_offered_again() -> None:
    command, names = next(
        (command, item) for command, item in SWITCH_PARAMETERS if item.nargs == -1
    )
    context = click.Context(command)
    context.params = {"site": Path(LAB), str(names.name): ("fe-spine1",)}
    assert [item.value for item in names.shell_complete(context, "fe-sp")] == ["fe-spine2"]


def test_sites_are_found_below_the_folder_that_is_typed(tmp_path: Path) -> None:
    for path in ("a/one", "a/b/two", "a/b/c/three", "a/b/c/d/deep", ".hidden/four", "tree"):
        (tmp_path / path).mkdir(parents=True)
        (tmp_path / path / "site.yaml").write_text("# a site\nsite: {}\n")
    (tmp_path / "tree" / "manifest.json").touch()
    (tmp_path / "inventory").mkdir()
    (tmp_path / "inventory" / "hosts.yaml").write_text("leaf1: {site: x}\n")
    os.chdir(tmp_path)
    assert complete("check", "") == ["a/one", "a/b/two"]
    assert complete("check", "a/b") == ["a/b/two", "a/b/c/three"]
    assert complete("check", f"{tmp_path}/a/o") == [f"{tmp_path}/a/one"]
    assert complete("check", "a/one/") == ["a/one/"]
    assert complete("check", "tr", whole=True) == ["dir,tr"]
    os.chdir(tmp_path / "a" / "one")
    assert complete("check", "") == ["."]


def test_a_large_tree_is_left_to_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "_MOST_ENTRIES", 3)
    assert complete("check", "", whole=True) == ["dir,"]


@pytest.mark.parametrize("words", [("explain",), ("push", "--limit"), ("render", "--fabric")])
def test_a_broken_site_completes_nothing(words: tuple[str, ...], broken: str) -> None:
    verb, *options = words
    assert complete(verb, broken, *options, "") == []
    Path(broken, "site.yaml").write_text("site: [\n")
    assert complete(verb, broken, *options, "") == []
    Path(broken, "site.yaml").write_bytes(b"site:\n  name: \xff\n")
    assert complete(verb, broken, *options, "") == []
    assert complete(verb, "no-such-folder", *options, "") == []


def test_a_site_with_an_unknown_key_completes_nothing(tmp_path: Path) -> None:
    shutil.copytree(LAB, tmp_path, dirs_exist_ok=True)
    assert complete("explain", str(tmp_path), "fe-sp") == ["fe-spine1", "fe-spine2"]
    (tmp_path / "more.yaml").write_text("nonsense: 1\n")
    assert complete("explain", str(tmp_path), "fe-sp") == []


def test_a_site_with_an_error_of_the_design_completes_nothing() -> None:
    site = ROOT / "tests" / "diagnostics" / "FG210" / "site"
    loaded = load_site(site)
    assert not has_errors(loaded.findings)
    assert loaded.intent is not None
    assert design_site(loaded.intent)[0].fabrics[0].topology.switches
    assert complete("explain", str(site), "") == []


def test_folders_that_a_shell_would_execute_are_not_offered(tmp_path: Path) -> None:
    for name in ("good", "$(touch hit)", "`touch hit`", "a b", "*", "a;touch hit", "a\nb", "~root"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "site.yaml").write_text(BROKEN)
    os.chdir(tmp_path)
    assert complete("check", "") == ["good"]
    assert complete("check", "a", whole=True) == ["dir,a"]
    assert not list(tmp_path.glob("**/hit"))


def test_a_name_that_a_shell_would_execute_is_an_error_of_the_intent(tmp_path: Path) -> None:
    shutil.copytree(LAB, tmp_path, dirs_exist_ok=True)
    frontend = (tmp_path / "frontend.yaml").read_text()
    for name, found in (("edge-a", ["edge-a"]), ("$(touch hit)", []), ("e;touch hit", [])):
        pin = f"  switches: {{fe-spine1: {{hostname: '{name}'}}}}\n"
        (tmp_path / "frontend.yaml").write_text(frontend.rstrip("\n") + "\n" + pin)
        assert complete("explain", str(tmp_path), "")[:1] == found


def test_all_names_are_inert() -> None:
    names = complete("explain", FULL, "")
    assert len(names) > 100
    assert all(is_inert(name) for name in names)


def test_a_site_that_takes_long_completes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert complete("explain", FULL, "fe-spine") == ["fe-spine1", "fe-spine2"]
    monkeypatch.setattr(completion, "_SECONDS", 0.01)
    assert complete("explain", FULL, "fe-spine") == []


def test_running_labs_and_their_switches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("FABRICGEN_LAB", raising=False)
    assert complete("lab", "status", "--lab", "") == []
    folders = [tmp_path / f"fabricgen-{os.getuid()}" / name for name in ("one", "two", "dead")]
    with socket.socket(socket.AF_UNIX) as first, socket.socket(socket.AF_UNIX) as second:
        for folder, line in zip(folders, (first, second, None), strict=True):
            folder.mkdir()
            (folder / "up").write_text(json.dumps({"switches": [f"{folder.name}-leaf1"]}))
            if line is not None:
                line.bind(str(folder / "socket"))
                line.listen()
        assert complete("lab", "status", "--lab", "") == ["one", "two"]
        assert complete("lab", "exec", "--lab", "two", "") == ["two-leaf1"]
        assert complete("lab", "exec", "") == []
        (folders[0] / "up").unlink()
        assert complete("lab", "status", "--lab", "") == ["one", "two"]
        assert complete("lab", "exec", "--lab", "one", "") == []
    assert folders[2].is_dir()

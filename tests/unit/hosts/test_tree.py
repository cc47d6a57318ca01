"""Servers in the rendered tree: what a render takes, keeps and groups; what their hash covers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.cli.calling import call
from tests.unit.hosts.hosts import designed, plain, servers

from fabricgen.cli.formats.changes import show
from fabricgen.compiler import files, host_files, jobs
from fabricgen.fabric.topology import Server
from fabricgen.fingerprint import Fingerprints
from fabricgen.output.changes import compare
from fabricgen.output.tree import write_tree
from fabricgen.render import Renderer

if TYPE_CHECKING:
    from fabricgen.fabric.switch import Site


def tree(site: Site) -> dict[str, str]:
    return {file.path: file.text for _, group in files(site) for file in group}


def sources(site: Site) -> dict[str, str]:
    prints = Fingerprints()
    return {piece.server.name: prints.of(piece) for piece in servers(site)}


def test_servers_come_after_switches_in_a_folder_of_their_own() -> None:
    made = list(jobs(plain()))
    kinds = [isinstance(job.owner, Server) for job in made]
    assert kinds == sorted(kinds)
    assert [job.folder for job in made if isinstance(job.owner, Server)] == [
        "hosts/gpu0001",
        "hosts/gpu0002",
        "hosts/gpu0003",
    ]
    for job in made:
        assert all(file.path.startswith(f"{job.folder}/") for file in job.render())


def test_a_tree_is_written_once(tmp_path: Path) -> None:
    site = plain()
    first = write_tree(tmp_path / "out", "t", jobs(site))
    again = write_tree(tmp_path / "out", "t", jobs(site))
    assert first.rendered == first.switches
    assert (again.rendered, again.changed) == (0, 0)
    check = tmp_path / "out/hosts/gpu0001/etc/fabricgen/check"
    assert check.stat().st_mode & 0o111


def test_a_switch_alone_leaves_the_servers_out(tmp_path: Path) -> None:
    out = tmp_path / "out"
    lab = str(Path(__file__).resolve().parents[3] / "intent/lab")
    assert call("render", lab, "-o", str(out), "--switch", "be-spine1").code == 0
    assert {path.name for path in out.iterdir()} == {"backend", "manifest.json"}
    assert call("render", lab, "-o", str(out), "--fabric", "backend").code == 0
    assert len(list((out / "hosts").iterdir())) == 4
    assert call("render", lab, "-o", str(out), "--fabric", "backend", "--check").code == 0


def test_what_is_shared_is_rendered_once() -> None:
    few, many = Renderer(), Renderer()
    for renderer, count in ((few, 1), (many, 3)):
        for piece in servers(plain())[:count]:
            host_files(piece, renderer)
    assert many.rendered - few.rendered == 2 * 2  # the rails and netplan of two more servers


@pytest.mark.parametrize(
    "words",
    [
        {"nic": "thor2"},
        {"network": "networkd"},
        {"roce": {"dscp": 30}},
        {"roce": {"pfc": False, "watchdog": {"enabled": False}}},
        {"roce": {"ecn": {"enabled": False}}},
        {"roce": {"enabled": False}},
        {"roce": {"scheduler": {"lossless": 60, "best_effort": 40}}},
        {"underlay": {"mtu": 4200}},
        {"cable_length": 7},
        {"names": "node{number}"},
    ],
)
def test_the_hash_covers_what_the_files_depend_on(words: dict[str, Any]) -> None:
    before, after = sources(plain()), sources(designed(**words))
    assert not set(before.values()) & set(after.values())


def test_the_hash_is_the_same_for_the_same_server() -> None:
    assert sources(plain()).items() <= sources(designed(count=4)).items()


def test_a_change_that_servers_share_is_shown_once() -> None:
    changes = compare(tree(plain()), tree(designed(roce={"dscp": 30})))
    group = next(group for group in changes.groups if group.of_servers)
    assert len(group.switches) == 3
    said = show(changes, "text")
    assert "3 servers share this change: gpu0001, gpu0002, gpu0003" in said
    assert "switches and servers change" in said


def test_other_addresses_of_every_server_are_one_change() -> None:
    site = plain()
    moved = {
        path: text.replace("172.16.0.", "172.16.1.").replace("172.20.0.", "172.20.1.")
        if path.startswith("hosts/")
        else text
        for path, text in tree(site).items()
    }
    shared = {path: text.replace("172.16.1.0/14", "172.16.0.0/14") for path, text in moved.items()}
    shared = {path: text.replace("172.16.1.0/12", "172.16.0.0/12") for path, text in shared.items()}
    shared = {path: text.replace("172.20.1.0/14", "172.20.0.0/14") for path, text in shared.items()}
    changes = compare(tree(site), shared)
    assert [len(group.switches) for group in changes.groups] == [3]


def test_another_pool_is_one_change_of_all_servers() -> None:
    before = tree(plain())
    after = {path: text.replace("172.", "100.") for path, text in before.items()}
    groups = [group for group in compare(before, after).groups if group.of_servers]
    assert [len(group.switches) for group in groups] == [3]

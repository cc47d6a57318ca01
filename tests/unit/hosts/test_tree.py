"""Servers in the rendered tree: what a render takes, keeps and groups; what their hash covers."""

from pathlib import Path

from tests.cli.calling import call
from tests.unit.hosts.hosts import designed, plain, servers

from fabricgen.compile.compiler import files, files_of, folder_of
from fabricgen.compile.output.tree import write_tree
from fabricgen.compile.render import Renderer
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Server
from fabricgen.review.compare import compare
from fabricgen.review.model import Block
from fabricgen.review.side import folders_of


def tree(site: Site) -> dict[str, str]:
    return {file.path: file.text for _, group in files(site) for file in group}


def test_servers_come_after_switches_in_a_folder_of_their_own() -> None:
    made = list(files(plain()))
    kinds = [isinstance(owner, Server) for owner, _ in made]
    assert kinds == sorted(kinds)
    assert [folder_of(owner) for owner, _ in made if isinstance(owner, Server)] == [
        "hosts/gpu0001",
        "hosts/gpu0002",
        "hosts/gpu0003",
    ]
    for owner, group in made:
        assert all(file.path.startswith(f"{folder_of(owner)}/") for file in group)


def test_a_tree_is_written_once(tmp_path: Path) -> None:
    every = [file for _, group in files(plain()) for file in group]
    first = write_tree(tmp_path / "out", "t", every)
    again = write_tree(tmp_path / "out", "t", every)
    assert (first.changed, again.changed) == (len(every), 0)
    check = tmp_path / "out/hosts/gpu0001/etc/fabricgen/check"
    assert check.stat().st_mode & 0o111


def test_a_switch_alone_leaves_the_servers_out(tmp_path: Path) -> None:
    out = tmp_path / "out"
    lab = str(Path(__file__).resolve().parents[3] / "intent/lab")
    assert call("render", lab, "-o", str(out), "--switch", "be-spine1").code == 0
    assert {path.name for path in out.iterdir()} == {"backend", "manifest.json"}
    assert call("render", lab, "-o", str(out), "--fabric", "backend").code == 0
    assert len(list((out / "hosts").glob("gpu*.yaml"))) == 4
    assert call("render", lab, "-o", str(out), "--fabric", "backend", "--check").code == 0


def test_what_is_shared_is_rendered_once() -> None:
    few, many = Renderer(), Renderer()
    for renderer, count in ((few, 1), (many, 3)):
        for host_slice in servers(plain())[:count]:
            files_of(host_slice, renderer)
    assert many.rendered - few.rendered == 2 * 2  # the rails and netplan of two more servers


def of_servers(before: dict[str, str], after: dict[str, str]) -> list[Block]:
    found = compare(folders_of(before), folders_of(after))
    return [block for block in found.blocks if block.folders[0].startswith("hosts/")]


def test_a_change_that_servers_share_is_shown_once() -> None:
    (block,) = of_servers(tree(plain()), tree(designed(roce={"dscp": 30})))
    assert block.folders == ("hosts/gpu0001", "hosts/gpu0002", "hosts/gpu0003")


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
    (block,) = of_servers(tree(site), shared)
    assert len(block.folders) == 3


def test_another_pool_is_one_change_of_all_servers() -> None:
    before = tree(plain())
    after = {path: text.replace("172.", "100.") for path, text in before.items()}
    (block,) = of_servers(before, after)
    assert len(block.folders) == 3

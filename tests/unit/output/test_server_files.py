"""The tree has each server's own files and packages; both together are the complete folder."""

import hashlib
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.calling import call
from tests.unit.hosts.hosts import plain

from fabricgen.compile.compiler import Cutter, File, designed, files, folder_of
from fabricgen.compile.output.server_files import Layout, complete, is_package
from fabricgen.core.diagnostics import Failure
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.topology import Server
from fabricgen.prove.evidence import rendered, standing

ROOT = Path(__file__).resolve().parents[3]
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())


def texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


def golden(site: str) -> dict[str, str]:
    """Return the frozen hashes of all files of servers."""
    lines = (ROOT / "tests/golden" / site / "files/sha256.txt").read_text().splitlines()
    rows = (line.split("  ") for line in lines)
    return {path: digest for digest, path in rows if path.startswith("hosts/")}


def hashed(tree: dict[str, str]) -> dict[str, str]:
    return {
        path: hashlib.sha256(text.encode()).hexdigest()[:16]
        for path, text in tree.items()
        if path.startswith("hosts/")
    }


@pytest.mark.parametrize("site", SITES)
def test_a_tree_has_the_complete_folder_of_every_server(site: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert call("render", str(ROOT / "intent" / site), "-o", str(out)).code == 0
    assert hashed(complete(texts(out))) == golden(site)


def server() -> Server:
    return next(owner for owner in Cutter(plain()).owners() if isinstance(owner, Server))


LINES = st.text(st.sampled_from("a:#|- \n\t\r\x85'\"{"), max_size=40)


@given(own=st.dictionaries(st.sampled_from(["etc/a", "etc/b/c", "d"]), LINES), shared=LINES)
def test_any_text_comes_back(own: dict[str, str], shared: str) -> None:
    one = server()
    made = [File(f"hosts/{one.name}/{path}", text, executable=False) for path, text in own.items()]
    made.append(File(f"hosts/{one.name}/run", shared, executable=True))
    laid = list(Layout().laid(one, made))
    assert [file.executable for file in laid] == [True, False]
    tree = {file.path: file.text for file in laid}
    assert complete(tree) == {file.path: file.text for file in made}


def test_a_server_has_one_file_which_is_yaml() -> None:
    layout, tree, whole = Layout(), dict[str, str](), dict[str, str]()
    for owner, made in files(plain()):
        if isinstance(owner, Server):
            tree |= {file.path: file.text for file in layout.laid(owner, made)}
            whole |= {file.path: file.text for file in made}
            data = yaml.safe_load(tree[f"{folder_of(owner)}.yaml"])
            for path, text in data["files"].items():
                assert whole[f"{folder_of(owner)}/{path}"] == text
    packages = {path.split("/")[1] for path in tree if is_package(path)}
    assert packages == {data["shared"]}
    assert sum(not is_package(path) for path in tree) == 3
    assert len(packages) == 1
    assert complete(tree) == whole


@pytest.mark.parametrize(
    "text", ["", "shared: x\n", "shared: shared_a\nfiles:\n  ../b: |\n    x\n"]
)
def test_a_file_in_another_form_stays(text: str) -> None:
    assert complete({"hosts/gpu0001.yaml": text}) == {"hosts/gpu0001.yaml": text}


@pytest.mark.parametrize("site", SITES)
def test_an_export_has_the_complete_folder_of_every_server(site: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert call("export", "hosts", str(ROOT / "intent" / site), "-o", str(out)).code == 0
    made = {path: text for path, text in texts(out).items() if path != "manifest.json"}
    assert hashed({f"hosts/{path}": text for path, text in made.items()}) == golden(site)


def test_an_export_of_one_server(tmp_path: Path) -> None:
    lab, out = str(ROOT / "intent/lab"), tmp_path / "out"
    said = call("export", "hosts", lab, "-o", str(out), "--server", "gpu0002")
    assert said.code == 0
    assert said.out.splitlines()[-1] == f"{out}: 1 server"
    assert {path.name for path in out.iterdir()} == {"gpu0002", "manifest.json"}
    assert (out / "gpu0002/etc/fabricgen/check").stat().st_mode & 0o111
    unknown = call("export", "hosts", lab, "-o", str(out), "--server", "gpu002")
    assert unknown.code == 1
    assert "no server 'gpu002' in this site" in unknown.err
    assert "gpu0002" in unknown.err


@pytest.mark.parametrize("site", ["lab", "storage"])
def test_reachability_reads_the_complete_folders_of_a_tree(site: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    folder = ROOT / "intent" / site
    assert call("render", str(folder), "-o", str(out)).code == 0
    loaded = designed(load_site(folder)).site
    assert loaded is not None
    assert dict(standing(loaded, out)) == dict(rendered(loaded))
    place = next((out / "hosts").glob("*.yaml"))
    place.write_text(place.read_text().replace("    mtu: ", "    mtu: 1", 1).replace(" 10", " 11"))
    read, expected = dict(standing(loaded, out)), dict(rendered(loaded))
    assert [owner.name for owner in read if read[owner] != expected[owner]] == [place.stem]
    place.write_text("")
    with pytest.raises(Failure, match=place.stem):
        dict(standing(loaded, out))


def test_one_server_is_rendered_alone_and_the_rest_of_the_tree_stays(tmp_path: Path) -> None:
    lab, out = str(ROOT / "intent/lab"), tmp_path / "out"
    one = ("render", lab, "-o", str(out), "--server", "gpu0002")
    assert call(*one).code == 0
    alone = texts(out)
    assert "hosts/gpu0002.yaml" in alone
    assert not any("gpu0001" in path or path.startswith("frontend/") for path in alone)
    assert call("render", lab, "-o", str(out)).code == 0
    whole = texts(out)
    (out / "hosts/gpu0001.yaml").touch()
    assert call(*one).code == 0
    assert {path: text for path, text in texts(out).items() if path != "manifest.json"} == {
        path: text for path, text in whole.items() if path != "manifest.json"
    }
    unknown = call("render", lab, "-o", str(out), "--server", "gpu002")
    assert unknown.code == 1
    assert "no server 'gpu002'" in unknown.err

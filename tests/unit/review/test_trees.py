"""Rendered trees as sides: only folders that differ are kept, and a hostile tree is refused."""

import json
import subprocess
from pathlib import Path

import pytest

from fabricgen.compile.output.manifest import FILE, Entry, Manifest, sha256, write_manifest
from fabricgen.compile.output.server_files import complete
from fabricgen.core.diagnostics import Failure
from fabricgen.review.side import folders_of
from fabricgen.review.sides import read_side, read_sides

LEAF = "backend/be-leaf01/eos.cfg"
SPINE = "backend/be-spine1/eos.cfg"
PACKAGE = "hosts/shared_gpu-0123456789ab/etc/a.conf"
SERVER = "hosts/gpu0001.yaml"
FILES = {
    LEAF: "hostname be-leaf01\n",
    SPINE: "hostname be-spine1\n",
    PACKAGE: "common\n",
    SERVER: "shared: shared_gpu-0123456789ab\nfiles:\n  own.conf: |\n    own\n",
}


def written(place: Path, files: dict[str, str]) -> str:
    """Write a tree with its manifest, and return its path."""
    for path, text in files.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text)
    entries = {path: Entry(sha256(text), executable=False) for path, text in files.items()}
    write_manifest(place / FILE, Manifest(site="s", files=entries))
    return str(place)


def edited(place: Path, path: str, text: str) -> str:
    """Write a tree in which one file differs, and return its path."""
    return written(place, {**FILES, path: text})


def test_equal_trees_keep_no_file(tmp_path: Path) -> None:
    sides = read_sides(written(tmp_path / "a", FILES), written(tmp_path / "b", FILES))
    assert [dict(side.files) for side in sides] == [{}, {}]
    assert sides[0].unchanged == {"backend/be-leaf01", "backend/be-spine1", "hosts/gpu0001"}


def test_a_folder_that_differs_is_kept_with_all_its_files(tmp_path: Path) -> None:
    more = {**FILES, "backend/be-leaf01/more": "equal\n"}
    new = {**more, LEAF: "hostname be-leaf01\nntp server 10.0.0.1\n"}
    before, after = read_sides(written(tmp_path / "a", more), written(tmp_path / "b", new))
    assert before.tree == {"backend/be-leaf01": {"eos.cfg": FILES[LEAF], "more": "equal\n"}}
    assert dict(after.files) == {LEAF: new[LEAF], "backend/be-leaf01/more": "equal\n"}
    assert after.unchanged == {"backend/be-spine1", "hosts/gpu0001"}


def test_a_changed_package_changes_each_server_that_uses_it(tmp_path: Path) -> None:
    after = edited(tmp_path / "b", PACKAGE, "other\n")
    old, new = read_sides(written(tmp_path / "a", FILES), after)
    assert old.tree == {"hosts/gpu0001": {"etc/a.conf": "common\n", "own.conf": "own\n"}}
    assert new.files["hosts/gpu0001/etc/a.conf"] == "other\n"


def test_a_switch_of_one_side_alone_is_kept(tmp_path: Path) -> None:
    few = {path: text for path, text in FILES.items() if path != SPINE}
    before, after = read_sides(written(tmp_path / "a", FILES), written(tmp_path / "b", few))
    assert (dict(before.files), dict(after.files)) == ({SPINE: FILES[SPINE]}, {})


def test_an_edited_file_counts_as_it_is_on_disk(tmp_path: Path) -> None:
    """The hash in the manifest does not hide it."""
    names = written(tmp_path / "a", FILES), written(tmp_path / "b", FILES)
    (tmp_path / "b" / LEAF).write_text("hostname other\n")
    assert dict(read_sides(*names)[1].files) == {LEAF: "hostname other\n"}


def test_one_side_alone_is_complete(tmp_path: Path) -> None:
    side = read_side(written(tmp_path / "a", FILES))
    assert dict(side.files) == complete(FILES)
    assert side.tree == folders_of(complete(FILES))
    assert len(side.files) == 4
    assert "backend/none/eos.cfg" not in side.files


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (lambda path: path.unlink(), "No such file"),
        (lambda path: path.write_bytes(b"\xff\xfe"), "'utf-8' codec"),
        (lambda path: (path.unlink(), path.symlink_to("/etc/hostname")), "it is a link"),
    ],
)
@pytest.mark.parametrize("both", [False, True])
@pytest.mark.parametrize("file", [LEAF, PACKAGE])
def test_a_tree_that_cannot_be_read_is_an_error(
    tmp_path: Path, fault: object, said: str, file: str, *, both: bool
) -> None:
    names = written(tmp_path / "a", FILES), written(tmp_path / "b", FILES)
    for name in names if both else names[1:]:
        fault(Path(name, file))  # type: ignore[operator]
    errors = [[each.message for each in side.findings] for side in read_sides(*names)]
    assert bool(errors[0]) is both
    assert "does not match its manifest" in errors[1][0]
    assert said in errors[1][0]


def test_a_tree_that_changes_while_it_is_read_ends_the_verb(tmp_path: Path) -> None:
    after = edited(tmp_path / "b", LEAF, "hostname x\n")
    before, after_side = read_sides(written(tmp_path / "a", FILES), after)
    (tmp_path / "a" / LEAF).write_text("hostname y\n")
    with pytest.raises(Failure, match="changed while it was read"):
        before.files[LEAF]
    assert after_side.files[LEAF] == "hostname x\n"


def test_a_manifest_that_leaves_the_tree_is_refused(tmp_path: Path) -> None:
    name = written(tmp_path / "a", FILES)
    content = json.loads((tmp_path / "a" / FILE).read_text())
    content["files"]["../secret"] = {"sha256": "0" * 64}
    (tmp_path / "a" / FILE).write_text(json.dumps(content))
    assert "is not a manifest" in read_side(name).findings[0].message


def test_trees_of_two_revisions_keep_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=m")
    subprocess.run([*git, "init", "-q"], check=True)
    written(tmp_path / "out", FILES)
    for path, text in ((LEAF, FILES[LEAF]), (LEAF, "hostname x\n"), (PACKAGE, "other\n")):
        (tmp_path / "out" / path).write_text(text)
        subprocess.run([*git, "add", "-A"], check=True)
        subprocess.run([*git, "commit", "-qm", "c", "--allow-empty"], check=True)
    before, after = read_sides("HEAD~2:out", "HEAD~1:out")
    assert (dict(before.files), dict(after.files)) == (
        {LEAF: FILES[LEAF]},
        {LEAF: "hostname x\n"},
    )
    assert after.unchanged == {"backend/be-spine1", "hosts/gpu0001"}
    servers = read_sides("HEAD~1:out", "HEAD:out")
    assert servers[0].tree.keys() == {"hosts/gpu0001"}
    assert servers[1].files["hosts/gpu0001/etc/a.conf"] == "other\n"

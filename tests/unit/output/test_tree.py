"""The output folder: the old tree or the new one, never a mix, and nothing of anyone's is lost."""

import itertools
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.property.growing import backend, designed

from fabricgen.compile.compiler import File
from fabricgen.compile.output import exchange
from fabricgen.compile.output.exchange import aside_of, recover
from fabricgen.compile.output.manifest import NEXT, Manifest, read_manifest, sha256
from fabricgen.compile.output.tree import Placed, Refused, Written, building, write_tree
from fabricgen.core.workers import mapped
from fabricgen.model.fabric.topology import Switch
from fabricgen.review.sides import read_side

SWITCHES = designed(backend()).fabrics[0].topology.switches[:4]


def group(switch: Switch, text: str, fabric: str = "backend") -> list[File]:
    folder = f"{fabric}/{switch.name}"
    return [
        File(f"{folder}/a.cfg", text, executable=False),
        File(f"{folder}/b/c", "x\n", executable=False),
    ]


def write(
    target: Path,
    *texts: str,
    keep_rest: bool = False,
    force: bool = False,
    inputs: str = "",
    beside: str = "",
) -> Written:
    """Write a tree. beside: the text of another fabric, of one switch."""
    with building(target, force=force) as build:
        if beside:
            build.take(map(build.place, group(SWITCHES[0], beside, "frontend")))
        for switch, text in zip(SWITCHES, texts, strict=False):
            build.take(map(build.place, group(switch, text)))
        if keep_rest:
            build.keep_rest()
        return build.finish(Manifest(site="t", inputs=inputs))


def texts(target: Path, fabric: str = ".") -> set[str]:
    return {path.read_text() for path in (target / fabric).rglob("a.cfg")}


def test_a_tree_holds_its_files_and_their_hashes(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n", "two\n")
    manifest = read_manifest(tmp_path / "out")
    assert manifest is not None
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["format_version"] == 2
    assert {path: entry.sha256 for path, entry in manifest.files.items()} == {
        path.relative_to(tmp_path / "out").as_posix(): sha256(path.read_text())
        for path in (tmp_path / "out").rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }


def test_the_root_of_the_file_system_is_not_replaced() -> None:
    with (
        pytest.raises(Refused, match="/ is not a folder that can be replaced"),
        building(Path("/")),
    ):
        pass


def test_stale_files_go(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n", "two\n")
    assert write(tmp_path / "out", "one\n").removed == 2
    assert texts(tmp_path / "out") == {"one\n"}


def test_a_partial_render_keeps_the_rest(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n", "two\n")
    write(tmp_path / "out", "new\n", keep_rest=True)
    assert texts(tmp_path / "out") == {"new\n", "two\n"}


def test_a_file_that_is_the_same_is_not_written_again(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n", "two\n")
    kept = next(path for path in (tmp_path / "out").rglob("a.cfg") if path.read_text() == "one\n")
    before = kept.stat().st_ino
    assert write(tmp_path / "out", "one\n", "three\n").changed == 1
    assert kept.stat().st_ino == before


def test_other_inputs_of_the_same_files_are_taken_down_in_place(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n", inputs="a")
    before = (tmp_path / "out").stat().st_ino
    write(tmp_path / "out", "one\n", inputs="b")
    manifest = read_manifest(tmp_path / "out")
    assert manifest is not None
    assert manifest.inputs == "b"
    assert (tmp_path / "out").stat().st_ino == before


def inodes(target: Path) -> dict[str, int]:
    places = (target, *target.rglob("*"))
    return {path.relative_to(target).as_posix(): path.stat().st_ino for path in places}


def test_where_few_files_differ_they_alone_are_replaced(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n", "two\n", beside="beside\n")
    before = inodes(tmp_path / "out")
    written = write(tmp_path / "out", "one\n", "three\n", beside="beside\n")
    after = inodes(tmp_path / "out")
    assert (written.changed, written.removed) == (1, 0)
    differing = {path for path in before if before[path] != after[path]}
    assert differing == {f"backend/{SWITCHES[1].name}/a.cfg", "manifest.json"}
    assert texts(tmp_path / "out", "backend") == {"one\n", "three\n"}
    assert_whole(tmp_path / "out")
    assert os.listdir(tmp_path) == ["out"]  # noqa: PTH208 - hidden names matter here


def test_where_few_files_go_their_folders_go(tmp_path: Path) -> None:
    write(tmp_path / "out", *["one\n"] * 4)
    before = inodes(tmp_path / "out")
    assert write(tmp_path / "out", *["one\n"] * 3).removed == 2
    after = inodes(tmp_path / "out")
    gone = f"backend/{SWITCHES[3].name}"
    assert before.keys() - after.keys() == {gone, *(f"{gone}/{p}" for p in ("a.cfg", "b", "b/c"))}
    assert before["."] == after["."]
    assert_whole(tmp_path / "out")


def test_a_file_takes_the_place_of_a_folder(tmp_path: Path) -> None:
    def files(*paths: str) -> list[File]:
        every = [*paths, *(f"backend/{number}/a.cfg" for number in range(8))]
        return [File(path, path, executable=False) for path in every]

    for paths in (["backend/x/b/c"], ["backend/x/b"], ["backend/x/b/c"]):
        write_tree(tmp_path / "out", "t", files(*paths))
        assert_whole(tmp_path / "out")


@pytest.mark.parametrize("beside", ["", "another\n"])
def test_where_most_files_differ_the_whole_is_swapped(tmp_path: Path, beside: str) -> None:
    write(tmp_path / "out", "one\n", beside="beside\n")
    before = inodes(tmp_path / "out")["."]
    write(tmp_path / "out", "two\n", beside=beside)
    assert inodes(tmp_path / "out")["."] != before
    assert texts(tmp_path / "out") == {"two\n", beside} - {""}
    assert_whole(tmp_path / "out")


@pytest.mark.parametrize("beside", ["", "another\n"])
def test_a_fabric_comes_or_goes(tmp_path: Path, beside: str) -> None:
    write(tmp_path / "out", "one\n", beside="" if beside else "beside\n")
    write(tmp_path / "out", "one\n", beside=beside)
    assert texts(tmp_path / "out") == {"one\n", beside} - {""}
    assert_whole(tmp_path / "out")


def test_a_file_system_that_cannot_exchange_gets_the_whole_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "out", "one\n", "two\n", beside="beside\n")
    monkeypatch.setattr(exchange, "_exchange", lambda *_: False)
    write(tmp_path / "out", "one\n", "three\n", beside="another\n")
    assert texts(tmp_path / "out") == {"one\n", "three\n", "another\n"}
    assert_whole(tmp_path / "out")
    assert os.listdir(tmp_path) == ["out"]  # noqa: PTH208 - hidden names matter here


def interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a tree whose last run died before it moved a file."""
    target = tmp_path / "out"
    write(target, *["one\n"] * 4)
    with monkeypatch.context() as patch:
        patch.setattr(exchange, "_replace", lambda *_: None)
        write(target, "two\n", *["one\n"] * 3)
    return target


def test_files_that_wait_are_those_of_the_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = interrupted(tmp_path, monkeypatch)
    assert texts(target) == {"one\n", "two\n"}
    assert (target / NEXT / "manifest.json").exists()
    assert_read_whole(target)
    assert write(target, "two\n", *["one\n"] * 3).changed == 0
    assert not (target / NEXT).exists()
    assert_whole(target)


def test_a_foreign_file_among_those_that_wait_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = interrupted(tmp_path, monkeypatch)
    (target / NEXT / "mine.txt").write_text("precious")
    with pytest.raises(Refused, match=r"mine\.txt"):
        write(target, *["one\n"] * 4)
    assert (target / NEXT / "mine.txt").read_text() == "precious"


def test_files_that_wait_do_not_leave_by_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = interrupted(tmp_path, monkeypatch)
    (target / "backend" / SWITCHES[0].name).rename(tmp_path / "elsewhere")
    (target / "backend" / SWITCHES[0].name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="cannot write"):
        write(target, *["one\n"] * 4)
    assert (tmp_path / "elsewhere" / "a.cfg").read_text() == "one\n"


def test_a_folder_without_a_manifest_is_no_tree_with_files_that_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = interrupted(tmp_path, monkeypatch)
    (target / "manifest.json").unlink()
    with pytest.raises(Refused, match="no manifest"):
        write(target, *["one\n"] * 4)
    assert texts(target / "backend") == {"one\n"}


def test_files_are_placed_by_any_process(tmp_path: Path) -> None:
    alone, together = tmp_path / "alone", tmp_path / "together"
    write(alone, "one\n", "two\n", "three\n")
    with building(together) as build:
        groups = [
            group(*each) for each in zip(SWITCHES, ("one\n", "two\n", "three\n"), strict=False)
        ]
        for placed in mapped(lambda files: list(map(build.place, files)), groups, 2):
            build.take(placed)
        build.finish(Manifest(site="t"))
    assert texts(together) == texts(alone)
    assert (together / "manifest.json").read_bytes() == (alone / "manifest.json").read_bytes()


def test_a_worker_that_is_killed_leaves_the_old_tree(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n")

    def dying(files: list[File]) -> list[Placed]:
        os.kill(os.getpid(), signal.SIGKILL)
        return []

    def rebuilt() -> None:
        with building(tmp_path / "out") as build:
            list(mapped(dying, [group(SWITCHES[0], "two\n")], 2))
            build.finish(Manifest(site="t"))

    with pytest.raises(Refused, match="SIGKILL"):
        rebuilt()
    assert texts(tmp_path / "out") == {"one\n"}
    assert os.listdir(tmp_path) == ["out"]  # noqa: PTH208 - hidden names matter here


def test_a_tree_of_the_format_before_is_taken_over(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n")
    place = tmp_path / "out" / "manifest.json"
    old = json.loads(place.read_text())
    assert old["format_version"] == 2
    place.write_text(json.dumps({**old, "format_version": 1, "sources": {}}))
    assert write(tmp_path / "out", "one\n").changed == 0


def test_the_same_tree_again_touches_nothing(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n")
    before = (tmp_path / "out").stat().st_ino
    assert write(tmp_path / "out", "one\n").changed == 0
    assert (tmp_path / "out").stat().st_ino == before


def test_executables_are_executable(tmp_path: Path) -> None:
    write_tree(tmp_path / "out", "t", [File("backend/x/a.cfg", "#!/bin/sh\n", executable=True)])
    assert os.access(next((tmp_path / "out").rglob("a.cfg")), os.X_OK)


def test_a_foreign_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(Refused, match="no manifest"):
        write(tmp_path, "one\n")
    assert (tmp_path / "mine.txt").read_text() == "precious"


def test_a_foreign_file_in_the_tree_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n")
    (tmp_path / "out" / "notes.txt").write_text("precious")
    with pytest.raises(Refused, match=r"notes\.txt"):
        write(tmp_path / "out", "two\n")
    assert texts(tmp_path / "out") == {"one\n"}


def test_an_edited_file_is_refused_and_forced(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n")
    next((tmp_path / "out").rglob("a.cfg")).write_text("by hand\n")
    with pytest.raises(Refused, match="changed by hand"):
        write(tmp_path / "out", "one\n")
    write(tmp_path / "out", "one\n", force=True)
    assert texts(tmp_path / "out") == {"one\n"}


def test_a_link_in_the_tree_does_not_lead_a_write_astray(tmp_path: Path) -> None:
    victim = tmp_path / "passwd"
    victim.write_text("root")
    write(tmp_path / "out", "one\n")
    place = next((tmp_path / "out").rglob("a.cfg"))
    place.unlink()
    place.symlink_to(victim)
    write(tmp_path / "out", "two\n", force=True)
    assert victim.read_text() == "root"
    assert texts(tmp_path / "out") == {"two\n"}


def test_a_render_that_fails_leaves_the_old_tree(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n")

    def breaking() -> Iterator[File]:
        yield from group(SWITCHES[0], "two\n")
        raise OSError(28, "No space left on device")

    with pytest.raises(Refused, match="No space left"):
        write_tree(tmp_path / "out", "t", breaking())
    assert texts(tmp_path / "out") == {"one\n"}
    assert os.listdir(tmp_path) == ["out"]  # noqa: PTH208 - hidden names matter here


def test_a_full_disk_leaves_the_old_tree(tmp_path: Path) -> None:
    """A file-size limit stands in for a full disk: the write fails in the middle of a file."""
    write(tmp_path / "out", "one\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, before[1]))
        with pytest.raises(Refused, match="cannot write"):
            write(tmp_path / "out", "x" * 200_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert texts(tmp_path / "out") == {"one\n"}


def test_a_run_killed_between_two_renames_is_repaired(tmp_path: Path) -> None:
    write(tmp_path / "out", "one\n")
    (tmp_path / "out").rename(aside_of(tmp_path / "out"))
    write(tmp_path / "out", "one\n")
    assert texts(tmp_path / "out") == {"one\n"}
    assert os.listdir(tmp_path) == ["out"]  # noqa: PTH208 - hidden names matter here


WRITER = """
import os, signal, sys
from pathlib import Path
from fabricgen.compile.output import tree
from tests.unit.output.test_tree import SWITCHES, write as write_whole

FILES = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.chmod", "shutil.rmtree"}

def write(target, number, few, moment):
    passed = 0
    def note(event, arguments):
        nonlocal passed
        inside = str(target.parent) in str(arguments)
        below = any(isinstance(each, int) and each > 2 for each in arguments[1:])  # a descriptor
        if event not in FILES or not (inside or below):
            return
        passed += 1
        if passed == moment:
            os.kill(os.getpid(), signal.SIGKILL)
    os.sync = os.fsync = lambda *_: None  # what is written outlives a killed process without it
    tree._FEW = 0 if few else 10**9
    sys.addaudithook(note)
    switches = len(SWITCHES) - number % 2
    write_whole(target, *[f"{number}\\n" * 2000] * switches, beside=f"{number}\\n" * 2000)

for line in sys.stdin:
    target, number, few, moment = line.split()
    child = os.fork()
    if not child:
        write(Path(target), int(number), few == "True", int(moment))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.parametrize("few", [True, False])
def test_kill_9_at_any_file_that_is_touched_leaves_one_whole_tree(
    tmp_path: Path, *, few: bool
) -> None:
    """Every file that is opened, moved or removed is a moment; all of them are tried.

    few: the files are replaced one by one; otherwise the whole tree is swapped.
    """
    target, root = tmp_path / "out", Path(__file__).resolve().parents[3]
    write(target, *["0\n"] * len(SWITCHES), beside="0\n")
    with subprocess.Popen(
        [sys.executable, "-c", WRITER],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        waited = 0
        for moment in itertools.count(1):
            writer.stdin.write(f"{target} {moment} {few} {moment}\n")
            writer.stdin.flush()
            if writer.stdout.readline() == "0\n":
                break
            if not target.exists():
                continue
            read = assert_read_whole(target)
            assert len({text for path, text in read.items() if path.endswith("a.cfg")}) == 1
            waited += (target / NEXT).exists()
            if moment % 2:  # otherwise the next run finds it so
                recover(target)
                assert_whole(target)
        writer.stdin.close()
    assert_whole(target)
    assert moment > 3 * len(SWITCHES), "each switch has two files and a folder"
    assert (waited > 2 * len(SWITCHES)) is few


def assert_read_whole(target: Path) -> dict[str, str]:
    """A reader finds the files of the manifest, to the byte."""
    manifest, side = read_manifest(target), read_side(str(target))
    assert manifest is not None
    assert {path: sha256(text) for path, text in side.files.items()} == {
        path: entry.sha256 for path, entry in manifest.files.items()
    }
    return dict(side.files)


def assert_whole(target: Path) -> None:
    """The files are those of the manifest, to the byte."""
    manifest = read_manifest(target)
    assert manifest is not None
    files = {p.relative_to(target).as_posix(): p for p in target.rglob("*") if p.is_file()}
    assert {path for path in files if not path.endswith("manifest.json")} == set(manifest.files)
    for path, entry in manifest.files.items():
        assert sha256(files[path].read_text()) == entry.sha256

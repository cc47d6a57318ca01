"""The sampler itself: what it breaks, what it leaves alone, and that what it finds is true."""

import ast
import multiprocessing
import os
import subprocess
import time
from itertools import chain
from pathlib import Path

import pytest
from tests.mutants import rooms
from tests.mutants.changed import BASE, changed_rooms
from tests.mutants.child import run_tests
from tests.mutants.mutations import mutations, source_of
from tests.mutants.rooms import modules, room_of, stages
from tests.mutants.running import end_runs_at_termination
from tests.mutants.sample import mutants_of, mutated, sample, shares, unmutated


def broken(source: str) -> set[str]:
    """Return every mutant of a source, each on one line."""
    tree = ast.parse(source)
    return {source_of(tree, one).strip().replace("\n", ";") for one in mutations(tree)}


@pytest.mark.parametrize(
    ("source", "mutant"),
    [
        ("a = b < c", "a = b <= c"),
        ("a = b in c", "a = b not in c"),
        ("a = b + c", "a = b - c"),
        ("a = 7", "a = 8"),
        ("a = 7", "a = 6"),
        ("a = 7", "a = 9"),
        ("a = True", "a = False"),
        ("a = b and c", "a = b or c"),
        ("a = not b", "a = b"),
        ("a = all(b)", "a = any(b)"),
        ("a = min(b)", "a = max(b)"),
        ("a = f(b, c)", "a = f(c, b)"),
        ("a = f(x=b, y=c)", "a = f(x=c, y=b)"),
        ("a = [b for b in c if b]", "a = [b for b in c]"),
        ("if a:\n    b()", "if not a:;    b()"),
        ("if a:\n    b()", "if False:;    b()"),
        ("a()", "pass"),
        ("raise Wrong('b c')", "pass"),
        ("def f():\n    return a", "def f():;    return None"),
        ("a = 'key'", "a = 'keyX'"),
        ("a = f'{b + 1}.{c}'", "a = f'{b - 1}.{c}'"),
    ],
)
def test_a_step_that_changes_what_happens_is_taken(source: str, mutant: str) -> None:
    assert mutant in broken(source)


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring."""',
        "import a",
        "a: int",
        "def f(a: Literal[1]) -> Literal[2]: ...",
        "@lru_cache(maxsize=64)\ndef f(): ...",
        "class A(Protocol):\n    def f(self):\n        return 1",
        "def __repr__(self):\n    return 1 + 2",
        "if TYPE_CHECKING:\n    a = 1",
        "assert a == 1",
        "raise AssertionError(1)",
        "a = 'words for people'",
        "a = f'{b + 1} switches'",
        "a(hint='x')",
        "a('x' + b)",
        "a = gcd(b, c)",
    ],
)
def test_what_no_test_should_hold_to_is_left_alone(source: str) -> None:
    of_calls = {"pass", "a('xX' + b)", "a(hint='x')"}  # that it is called may matter
    assert broken(source) <= of_calls


def test_every_mutant_of_a_module_is_python_and_differs_in_its_own_way() -> None:
    module = "src/fabricgen/model/fabric/addressing.py"
    texts = [mutated(mutant) for mutant in mutants_of(module)]
    assert len(texts) > 100
    for text in texts:
        compile(text, module, "exec")
    assert unmutated(module) not in texts
    assert source_of(ast.parse(unmutated(module)), None) == unmutated(module)


def test_a_seed_draws_the_same_mutants_another_seed_others() -> None:
    one, again, other = (list(map(str, sample(40, seed, modules()))) for seed in "112")
    assert one == again
    assert len(set(one) & set(other)) < 20


def test_every_room_has_its_share_and_none_is_left_out() -> None:
    lines = {"large": 9000, "small": 10, "middle": 990}
    assert shares(100, lines) == {"large": 76, "small": 8, "middle": 16}
    assert shares(3, lines) == {"large": 1, "small": 1, "middle": 1}
    assert shares(2, lines).keys() == lines.keys()
    assert sum(shares(2, lines).values()) == 2
    assert shares(9, {}) == {}
    drawn = {room_of(mutant.module) for mutant in sample(200, "1", modules())}
    assert drawn == {room_of(module) for module in modules()}


def test_a_change_of_one_module_leaves_what_is_drawn_of_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    among = [module for module in modules() if room_of(module) == "model/lossless"]
    changed = among[0]
    before = sample(40, "1", among)
    monkeypatch.setattr(
        "tests.mutants.sample.mutants_of",
        lambda module: mutants_of(module)[module == changed :],
    )
    others = [one for one in sample(40, "1", among) if one.module != changed]
    assert others == [one for one in before if one.module != changed]


def test_a_small_room_gives_what_it_has() -> None:
    module = "src/fabricgen/operate/lab/machine/uml.py"
    drawn = sample(10_000, "1", [module])
    assert sorted(map(str, drawn)) == sorted(map(str, mutants_of(module)))


@pytest.mark.parametrize(
    ("module", "first"),
    [
        ("compile/checks/vnis.py", "tests/unit/checks/test_vnis.py"),
        ("nos/eos/driver/health.py", "tests/deploy/eapi/test_health.py"),
        ("nos/hosts/gaps.py", "tests/unit/hosts/test_gaps.py"),
        ("importer/tenant_numbers.py", "tests/unit/adopt/test_tenants.py"),
        ("compile/checks/across.py", "tests/cli/test_sites.py"),
        ("model/fabric/vrfs.py", "tests/unit/design/test_diagnostics.py"),
    ],
)
def test_the_nearest_tests_are_asked_first(module: str, first: str) -> None:
    groups = stages(f"src/fabricgen/{module}")
    assert groups[0][0] == first
    every = [file for group in groups for file in group]
    assert len(every) == len(set(every))


def test_every_module_has_tests_that_are_asked() -> None:
    assert [module for module in modules() if not stages(module)] == []


def test_what_the_tables_of_tests_name_is_there() -> None:
    """A file that moved would silently be asked no more."""
    named = [*rooms.SLOW, *rooms.GOLDEN, *chain(*rooms.HOMES.values(), *rooms.FAR.values())]
    named += [f"{rooms.PACKAGE}{place}" for place in (*rooms.HOMES, *rooms.FAR, *rooms.NOT_MUTATED)]
    named += [*rooms.ABOUT, *(f"{rooms.PACKAGE}{each}" for each in chain(*rooms.ABOUT.values()))]
    assert [place for place in named if not (rooms.ROOT / place).exists()] == []


def test_golden_files_are_asked_about_what_is_compiled_and_nothing_else() -> None:
    golden = "tests/golden/test_golden.py"
    assert any(golden in group for group in stages("src/fabricgen/compile/design/addressing.py"))
    assert not any(golden in group for group in stages("src/fabricgen/operate/deploy/push/gate.py"))


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ("assert True", ""),
        ("assert False", "tests/test_a.py::test_one"),
        ("os._exit(0)", "(ended before its tests did)"),
        ("os._exit(9)", "(ended with 9, as pytest or in its place)"),
        ("os.kill(os.getpid(), 15)", "(ended by SIGTERM)"),
    ],
)
def test_how_a_run_ends_is_told(body: str, outcome: str, tmp_path: Path) -> None:
    """A mutant may make a fork take the wrong side, and end the run with 0 before any test did."""
    copy = tmp_path / "copy"
    (copy / "tests").mkdir(parents=True)
    (copy / "tests" / "test_a.py").write_text(f"import os\n\ndef test_one():\n    {body}\n")
    assert run_tests(copy, ["tests/test_a.py"]).failed == outcome


def test_a_worker_that_is_terminated_ends_its_run(tmp_path: Path) -> None:
    copy, told = tmp_path / "copy", tmp_path / "pid"
    (copy / "tests").mkdir(parents=True)
    (copy / "tests" / "test_a.py").write_text(
        "import os, pathlib, time\n\ndef test_one():\n"
        f"    pathlib.Path({str(told)!r}).write_text(f'{{os.getpid()}} ')\n    time.sleep(600)\n"
    )

    def work() -> None:
        end_runs_at_termination()
        run_tests(copy, ["tests/test_a.py"])

    worker = multiprocessing.get_context("fork").Process(target=work)
    worker.start()
    while not (told.exists() and told.read_text().endswith(" ")):
        time.sleep(0.05)
    worker.terminate()
    worker.join()
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


def git(tree: Path, *words: str) -> None:
    own = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *own, *words], cwd=tree, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a repository of two commits; the second touches the room `tree`."""
    monkeypatch.delenv(BASE, raising=False)
    tree = tmp_path / "repository"
    for room in ("core/tree", "compile/design"):
        (tree / "src/fabricgen" / room).mkdir(parents=True)
        (tree / "src/fabricgen" / room / "a.py").write_text("a = 1\n")
    git(tree.parent, "init", str(tree))
    git(tree, "add", ".")
    git(tree, "commit", "-m", "one")
    (tree / "src/fabricgen/core/tree/a.py").write_text("a = 2\n")
    git(tree, "commit", "-am", "two")
    return tree


def test_on_main_the_rooms_of_the_last_commit_are_asked(repository: Path) -> None:
    found, why = changed_rooms(repository)
    assert found == {"core/tree"}
    assert why.endswith(": core/tree")


def test_on_a_branch_the_rooms_since_it_left_main_are_asked(repository: Path) -> None:
    git(repository, "checkout", "-b", "branch")
    assert changed_rooms(repository)[0] == {"core/tree"}
    for text in ("a = 3\n", "a = 4\n"):
        (repository / "src/fabricgen/compile/design/a.py").write_text(text)
        git(repository, "commit", "-am", "more")
    assert changed_rooms(repository)[0] == {"compile/design"}


def test_what_is_not_committed_counts_too(repository: Path) -> None:
    (repository / "src/fabricgen/compile/design/a.py").write_text("a = 5\n")
    assert changed_rooms(repository)[0] == {"core/tree", "compile/design"}


def test_a_commit_that_changes_no_room_asks_none(repository: Path) -> None:
    (repository / "README.md").write_text("words\n")
    git(repository, "add", ".")
    git(repository, "commit", "-m", "words")
    found, why = changed_rooms(repository)
    assert found == set()
    assert why.endswith(": no room")


def test_without_an_earlier_commit_all_rooms_are_asked(repository: Path, tmp_path: Path) -> None:
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--depth", "1", f"file://{repository}", str(shallow))
    found, why = changed_rooms(shallow)
    assert found is None
    assert "shallow clone" in why
    nothing = tmp_path / "unpacked"
    nothing.mkdir()
    assert changed_rooms(nothing)[0] is None

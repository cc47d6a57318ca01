"""Without an extra, the other modules still import and a site renders to the same bytes."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.architecture.import_graph import (
    SRC,
    Import,
    all_imports,
    module_files,
    reachable_modules,
)
from tests.longer import ALL

from fabricgen.cli.main import VERBS

ROOT = SRC.parent
SITES = ("lab", "full") if ALL else ("lab",)

VERBS_OF = {
    "importer": {"import"},
    "operate": {
        *("plan", "approve", "push", "resume", "maintenance", "rollback", "unlock", "drift"),
        *("verify", "watch", "trust", "history", "export", "lab"),
    },
    "plan": {"size", "summary", "cabling", "accept"},
    "prove.audit": {"audit"},
    "prove.failures": {"failures", "maintenance"},
    "prove.reach": {"reach"},
}
"""Each extra, with the verbs that leave together with it."""
ABOVE = {"prove.failures": "prove.incidents"}
"""An extra that stands on another one and leaves together with it. It has no verb of its own."""

AS_NEEDED = ("cli", "review", "prove.incidents")
"""Modules that stay only where a verb that stays needs them."""

PROGRAM = """
import contextlib, importlib, io, json, re, sys
names, sites, out = json.load(sys.stdin)
for name in names:
    importlib.import_module(name)
from fabricgen.cli.main import run
codes = [run(["render", f"{site}", "-o", f"{out}/{n}", "--jobs", "1"]) for n, site in sites]
with contextlib.redirect_stdout(io.StringIO()) as shown:
    run(["--help"])
listed = shown.getvalue().split("Verbs:")[1].split("\\n\\n")[0]
verbs = re.findall("^  (\\\\w+)", listed, re.MULTILINE)
said = {}
for verb in VERBS:
    with contextlib.redirect_stderr(io.StringIO()) as refused:
        said[verb] = run([verb]), refused.getvalue()
loaded = [name for name in sys.modules if name.startswith("fabricgen.")]
print("\\n" + json.dumps([fabricgen.__file__, codes, verbs, said, loaded]))
"""


def is_in(module: str, wing: str) -> bool:
    above = wing in ABOVE and is_in(module, ABOVE[wing])
    return above or f"{module}.".startswith(f"fabricgen.{wing}.")


def imports_without(wing: str) -> list[Import]:
    """Return imports that may happen where a wing is not installed."""
    return [
        each for each in all_imports() if wing not in each.guards and not is_in(each.importer, wing)
    ]


@cache
def modules_without(wing: str) -> set[str]:
    """Return modules that stay: those of AS_NEEDED where a verb that stays needs them."""
    verbs = {verb.module for verb in VERBS if wing not in verb.needs}
    groups = {each for each in verbs if module_files()[each].name == "__init__.py"}
    verbs |= {name for name in module_files() for group in groups if name.startswith(f"{group}.")}
    starts = {"fabricgen.cli.main", *verbs}
    needed = reachable_modules(starts, imports_without(wing))
    return {
        name
        for name in module_files()
        if not is_in(name, wing)
        and (name in needed or not any(is_in(name, each) for each in AS_NEEDED))
    }


def install_without(wing: str, place: Path) -> None:
    """Lay out the package as links to its sources and templates, without a wing."""
    gone = {module_files()[name] for name in module_files().keys() - modules_without(wing)}
    link_what_stays(SRC / "fabricgen", place / "fabricgen", gone)
    (place / "fabricgen" / "templates").symlink_to(ROOT / "templates")


def link_what_stays(folder: Path, link: Path, gone: set[Path]) -> None:
    """Link a folder as a whole where all of it stays, which keeps its bytecode at hand."""
    link.mkdir(parents=True)
    for path in folder.iterdir():
        if path.is_dir() and path / "__init__.py" in gone:
            continue
        if path.is_dir() and any(path in each.parents for each in gone):
            link_what_stays(path, link / path.name, gone)
        elif path not in gone and path.name != "__pycache__":
            (link / path.name).symlink_to(path)


def run_in(place: Path, modules: list[str], verbs: list[str], out: Path) -> list[object]:
    """Import modules in a new process, render the sites there and ask for verbs."""
    sites = [(name, str(ROOT / "intent" / name)) for name in SITES]
    ran = subprocess.run(
        [sys.executable, "-c", f"import fabricgen; VERBS = {verbs!r}\n{PROGRAM}"],
        input=json.dumps([modules, sites, str(out)]),
        env={**os.environ, "PYTHONPATH": str(place)},
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    result = json.loads(ran.stdout.splitlines()[-1])
    assert isinstance(result, list)
    assert result[1] == [0] * len(SITES), ran.stderr
    return result


def bytes_in(folder: Path) -> dict[str, bytes]:
    """Return the rendered files. The manifest hashes the program, too, so it always differs."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files that the whole package renders."""
    out = tmp_path_factory.mktemp("whole")
    run_in(SRC, [], [], out)
    return bytes_in(out)


def test_each_extra_has_its_verbs() -> None:
    wings = {wing for verb in VERBS for wing in verb.needs}
    found = {wing: {verb.name for verb in VERBS if wing in verb.needs} for wing in wings}
    assert found == VERBS_OF


@pytest.mark.parametrize("wing", [*VERBS_OF, *ABOVE.values()])
def test_nothing_that_stays_imports_an_extra(wing: str) -> None:
    stays = modules_without(wing)
    offenders = [
        str(each)
        for each in imports_without(wing)
        if each.importer in stays and is_in(each.imported, wing) and not each.typing
    ]
    assert offenders == []


@pytest.mark.parametrize("wing", VERBS_OF)
def test_the_rest_works_without_an_extra(
    wing: str, whole: dict[str, bytes], tmp_path: Path
) -> None:
    install_without(wing, tmp_path / "src")
    gone = sorted(VERBS_OF[wing])
    stays = sorted(modules_without(wing) - {"fabricgen.__main__"})  # it runs when imported
    out = tmp_path / "out"
    out.mkdir()
    file, _codes, verbs, said, loaded = run_in(tmp_path / "src", stays, gone, out)
    assert file == str(tmp_path / "src" / "fabricgen" / "__init__.py")
    assert set(stays) - {"fabricgen"} <= set(loaded)  # type: ignore[call-overload]
    assert verbs == [verb.name for verb in VERBS if verb.name not in gone]
    why = f"this installation lacks fabricgen.{wing}\n"
    assert isinstance(said, dict)
    for verb in gone:
        code, message = said[verb]
        assert (code, f"no verb '{verb}'; {why}" in message) == (64, True)
    assert bytes_in(out) == whole

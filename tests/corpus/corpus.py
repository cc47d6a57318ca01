"""Writes what the compiler says of every example site, so that two versions can be compared.

usage: python -m tests.corpus.corpus FOLDER [WORD…]
A case is written when its name has one of the words; without words all are.
"""

import hashlib
import io
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from unittest.mock import patch

from fabricgen.cli.main import run
from fabricgen.prove.written import judge_of

ROOT = Path(__file__).resolve().parents[2]
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())
TARGETS = (
    *("eos:4.32", "eos:4.34"),
    *("sonic:202405", "sonic:202605"),
    *("linux:debian12", "linux:debian13"),
)
"""Two releases of each platform."""
TOTALS = re.compile(r"^[0-9,]+ checks examined .*\n", re.MULTILINE)
"""The line that counts checks and objects: with it, a new check would change every case."""
Case = Callable[[Path], None]
"""Writes its files into a folder."""


def cases() -> Iterator[tuple[str, Case]]:
    """Yield every case with its name."""
    for site in SITES:
        yield f"model {site}", partial(_model, site)
        yield f"explain {site}", partial(_explanations, site)
        for target in (None, *TARGETS):
            yield f"render {site} {target or 'as it is'}", partial(_rendered, site, target)
    for number, line in enumerate((Path(__file__).parent / "edits.txt").read_text().splitlines()):
        site, file, old, new = line.replace("\\n", "\n").split(" | ")
        yield (
            f"edit {number + 1:02} {site}: {old} to {' '.join(new.split())}",
            partial(_edited, site, file, old, new),
        )


def digests(case: Case) -> str:
    """Return one hash for each part of a case: of the bytes of its files, with their names.

    A part is what stands at the top of the folder. The files of the switches are a part of their
    own, so the hash of rendered bytes does not change with a sentence of a finding.
    """
    with tempfile.TemporaryDirectory() as place:
        case(Path(place))
        return " ".join(f"{part.name}={_hash(part)}" for part in sorted(Path(place).iterdir()))


def _hash(part: Path) -> str:
    seen = hashlib.sha256()
    for path in sorted([part, *part.rglob("*")]):
        if path.is_file():
            seen.update(f"{path.relative_to(part)}\n".encode() + path.read_bytes())
    return seen.hexdigest()[:12]


def _said(*words: str | Path) -> str:
    """Return what a command prints on both streams, and its exit code."""
    out = io.StringIO()
    width = patch.dict(os.environ, COLUMNS="200")
    with width, chdir(ROOT), redirect_stdout(out), redirect_stderr(out):
        os.environ.pop("FABRICGEN_SONIC_YANG", None)
        code = run([str(word) for word in words])
    return f"{out.getvalue()}exit code {code}\n"


def _model(site: str, folder: Path) -> None:
    (folder / "model.json").write_text(_said("model", f"intent/{site}"))


def _explanations(site: str, folder: Path) -> None:
    """Write every rule of one switch of each sort; its name without numbers says the sort."""
    with tempfile.TemporaryDirectory() as tree:
        _said("render", f"intent/{site}", "-o", tree)
        names = {re.sub(r"\d+", "", path.name): path.name for path in _switches(Path(tree))}
    (folder / "explain").mkdir()
    for name in names.values():
        (folder / "explain" / f"{name}.txt").write_text(_said("explain", f"intent/{site}", name))


def _switches(tree: Path) -> list[Path]:
    """Return the folders of switches in a rendered tree."""
    folders = (path for path in sorted(tree.glob("*/*")) if path.is_dir())
    return [path for path in folders if path.parent.name != "hosts"]


def _rendered(site: str, target: str | None, folder: Path) -> None:
    """Write the tree, the findings, and the facts that are read back from each switch."""
    tree = folder / "files"
    told = ("--as", target) if target else ()
    _said("render", f"intent/{site}", "-o", tree, "--jobs", "1", *told)
    (tree / "manifest.json").unlink(missing_ok=True)  # it has hashes of the compiler's own sources
    said = _said("check", f"intent/{site}", *told)
    (folder / "findings.txt").write_text(TOTALS.sub("", said))
    (folder / "facts").mkdir()
    for path in _switches(tree):
        (folder / "facts" / f"{path.name}.txt").write_text(_facts(path, target))


def _facts(switch: Path, target: str | None) -> str:
    files = {
        str(path.relative_to(switch)): path.read_text()
        for path in sorted(switch.rglob("*"))
        if path.is_file()
    }
    spoken = {"eos.cfg": "eos", "config_db.json": "sonic"}
    platform = next((spoken[name] for name in files if name in spoken), "linux")
    judge = judge_of(platform)
    assert judge is not None, target
    facts, strange = judge.facts(files)
    lines = (f"{key} {dict(sorted(own.items()))}" for key, own in sorted(facts.items()))
    return "\n".join([*lines, *strange]) + "\n"


def _edited(site: str, file: str, old: str, new: str, folder: Path) -> None:
    """Write the difference that an edit makes, with its risk."""
    with tempfile.TemporaryDirectory() as place:
        edited = Path(place, site)
        shutil.copytree(ROOT / "intent" / site, edited)
        text = (edited / file).read_text()
        assert text.count(old), f"{site}/{file} has no {old}"
        (edited / file).write_text(text.replace(old, new, 1))
        said = _said("diff", f"intent/{site}", edited)
    (folder / "diff.txt").write_text(said.replace(place, ""))


def main(words: list[str]) -> int:
    """Write the cases into a folder, one below the other."""
    if not words:
        sys.stderr.write(f"{__doc__}\n")
        return 64
    for name, case in cases():
        if len(words) == 1 or any(word in name for word in words[1:]):
            place = Path(words[0], name.replace("/", "-").replace(" ", "_"))
            place.mkdir(parents=True)
            case(place)
            sys.stderr.write(f"{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What the compiler says of every example site: the model, then the files, then the findings.

For each site the hash of every switch is kept, and in full one switch of each fabric, role and
platform, border leafs apart. FABRICGEN_GOLDEN=update rewrites, FABRICGEN_GOLDEN=diff fails with
the difference.
"""

import difflib
import hashlib
import io
import json
import os
import shutil
from functools import cache
from pathlib import Path

import pytest

from fabricgen.api.findings import entries
from fabricgen.cli.formats.findings import text as print_findings
from fabricgen.compile.compiler import compile_site, files
from fabricgen.compile.reports.model import write_model
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site

ROOT = Path(__file__).resolve().parents[2]
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())
MODE = os.environ.get("FABRICGEN_GOLDEN", "")


@cache
def compiled(name: str) -> tuple[Site, str]:
    """Return an example site, and its findings as `check` prints them."""
    loaded = load_site(ROOT / "intent" / name)
    made = compile_site(loaded)
    assert made.ok, made.findings
    assert made.site is not None
    found = print_findings(entries(made.findings, loaded.source), [])
    return made.site, found.replace(f"{ROOT}/", "")


def shown(site: Site) -> set[str]:
    """The first switch of each fabric, role and platform, and the first with external peers."""
    first: dict[tuple[str, str, str, bool], str] = {}
    for fabric in site.fabrics:
        borders = fabric.overlay.external if fabric.overlay else {}
        for switch in fabric.topology.switches:
            key = (fabric.name, switch.role.value, switch.platform, switch.name in borders)
            first.setdefault(key, switch.name)
    return set(first.values())


def model_texts(site: Site) -> dict[str, str]:
    stream = io.StringIO()
    write_model(site, stream)
    data = json.loads(stream.getvalue())
    texts = {}
    for fabric in data["fabrics"]:
        for switch in fabric.pop("switches"):
            texts[f"{fabric['name']}/{switch['name']}.json"] = json.dumps(switch, indent=1) + "\n"
        links = "\n".join(json.dumps(link) for link in fabric.pop("links"))
        texts[f"{fabric['name']}/links.json"] = links + "\n"
        texts[f"{fabric['name']}/fabric.json"] = json.dumps(fabric, indent=1) + "\n"
    return texts


def file_texts(site: Site) -> dict[str, str]:
    return {file.path: file.text for _, group in files(site) for file in group}


def expect(folder: Path, texts: dict[str, str], in_full: set[str]) -> None:
    """Compare all hashes, and the texts of the switches that are kept in full."""
    sums = {path: hashlib.sha256(text.encode()).hexdigest()[:16] for path, text in texts.items()}
    kept = {
        path: text
        for path, text in texts.items()
        if in_full & set(path.replace(".json", "").split("/"))
    }
    kept["sha256.txt"] = "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items()))
    if MODE == "update":
        shutil.rmtree(folder, ignore_errors=True)
        for path, text in kept.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return
    have = {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }
    changed = sorted(path for path in kept.keys() | have.keys() if kept.get(path) != have.get(path))
    if not changed:
        return
    said = "\n".join(
        "\n".join(
            difflib.unified_diff(
                have.get(path, "").splitlines(),
                kept.get(path, "").splitlines(),
                f"golden/{path}",
                f"now/{path}",
                lineterm="",
                n=2,
            )
        )
        for path in changed
    )
    limit = None if MODE == "diff" else 4000
    pytest.fail(
        f"{len(changed)} golden files differ; `make golden` accepts:\n{said[:limit]}", pytrace=False
    )


@pytest.mark.parametrize("name", SITES)
def test_the_model_is_what_it_was(name: str) -> None:
    site, _ = compiled(name)
    expect(Path(__file__).parent / name / "model", model_texts(site), shown(site) | {"fabric"})


@pytest.mark.parametrize("name", SITES)
def test_the_files_are_what_they_were(name: str) -> None:
    site, _ = compiled(name)
    expect(Path(__file__).parent / name / "files", file_texts(site), shown(site))


@pytest.mark.parametrize("name", SITES)
def test_the_findings_are_what_they_were(name: str) -> None:
    _, now = compiled(name)
    place = Path(__file__).parent / name / "findings.txt"
    if MODE == "update":
        place.write_text(now)
    assert now.splitlines() == place.read_text().splitlines(), "`make golden` accepts"

"""A check that another package brings: it runs after ours, under its own code, and ends no run."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.cli.calling import ROOT, call
from tests.diagnostics.planted import SITE
from tests.outside.packages import from_page, installed, written

from fabricgen.compile.checks.registry import CHECKS
from fabricgen.compile.compiler import Compiled, compile_site
from fabricgen.compile.output.inputs import Inputs
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts

CHECK = """
from fabricgen.core.diagnostics import Diagnostic, Examined

class Names:
    name = "names"

    def __init__(self, site):
        self.seen = []

    def see(self, fabric, piece):
        self.seen.append(piece.switch.name)
        {see}

    def result(self):
        finding = Diagnostic("{code}", "a name is too short", path=("site", "name"))
        return Examined(check=self.name, objects={objects}, noun="names", findings=(finding,))
"""


@contextmanager
def brought(
    folder: Path, see: str = "pass", code: str = "ACME1", objects: str = "9"
) -> Iterator[None]:
    """Install a package with one check."""
    text = CHECK.format(see=see, code=code, objects=objects)
    entries = {"checks": {"names": "acme_checks:Names"}}
    with installed(written(folder, {"acme_checks.py": text}, entries)):
        yield


def compiled() -> Compiled:
    return compile_site(load_texts({"site.yaml": SITE}))


def faults() -> list[tuple[str, str]]:
    made = compiled()
    assert not made.ok
    return [(finding.code, finding.message) for finding in made.findings]


def test_the_check_of_the_docs_says_what_they_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ROOT / "docs" / "extend" / "add-a-check.md"
    from_page(page, tmp_path)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").write_text(SITE)
    monkeypatch.chdir(tmp_path)
    with installed(tmp_path):
        said = call("check", "site").out.splitlines()
    shown = page.read_text().split("$ fabricgen check site\n")[1].split("```")[0].splitlines()
    assert set(shown) <= set(said)


def test_it_runs_after_ours_and_sees_every_switch(tmp_path: Path) -> None:
    with brought(tmp_path, objects="len(self.seen)"):
        examined = compiled().examined
    assert [(each.check, each.objects) for each in examined[len(CHECKS) :]] == [("names", 6)]


def test_its_finding_is_told_with_its_own_code_and_the_place(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").write_text(SITE)
    with brought(tmp_path):
        told = call("check", str(tmp_path / "site"))
        assert call("check", str(tmp_path / "site"), "--format", "sarif").code == 1
    assert told.code == 1
    assert "site.yaml:2:9 ACME1 a name is too short" in told.out


def test_a_check_that_raises_is_named_with_its_package_and_shown_nothing_more(
    tmp_path: Path,
) -> None:
    with brought(tmp_path, see="1 / 0"):
        ((code, message),) = faults()
    assert code == Code.EXTENSION_FAILED
    assert message.startswith("the package acme-net (checks, names): the check raised ZeroDivision")


@pytest.mark.parametrize("code", ["FG301", "FG999"])
def test_a_code_of_ours_is_not_theirs_and_the_finding_is_not_lost(
    code: str, tmp_path: Path
) -> None:
    with brought(tmp_path, code=code):
        ((found, message),) = faults()
    assert found == Code.EXTENSION_FAILED
    assert message.endswith(f"the code {code}, which is fabricgen's, for: a name is too short")


def test_a_check_that_examined_nothing_is_an_error_as_one_of_ours_is(tmp_path: Path) -> None:
    with brought(tmp_path, objects="0"):
        assert [code for code, _ in faults()] == ["ACME1", Code.NOTHING_EXAMINED]


def test_a_package_that_cannot_be_imported_is_named(tmp_path: Path) -> None:
    entries = {"checks": {"names": "acme_checks:Names"}}
    with installed(written(tmp_path, {"acme_checks.py": "import no_such_module"}, entries)):
        ((code, message),) = faults()
    assert code == Code.EXTENSION_FAILED
    assert "acme_checks:Names cannot be imported: ModuleNotFoundError" in message


def test_what_it_is_made_of_is_part_of_the_hash_of_a_tree(tmp_path: Path) -> None:
    with brought(tmp_path):
        one = Inputs().whole({})
    with brought(tmp_path, code="ACME2"):
        assert Inputs().whole({}) != one

"""The public names are listed, lazy, and drawn in the documentation."""

import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys

import pytest
from tests.architecture.test_imports import HEAVY
from tests.cli.calling import ROOT
from tests.unit.api.public import GOLDEN, listing

import fabricgen
import fabricgen.api
from fabricgen import Failure

PAGE = (ROOT / "docs" / "extend" / "library.md").read_text()
MODULES = [f"fabricgen.api.{each.name}" for each in pkgutil.iter_modules(fabricgen.api.__path__)]


def test_the_public_names_are_those_of_the_list() -> None:
    hint = "a changed name needs CHANGELOG.md and `python -m tests.unit.api.public`"
    assert listing() == GOLDEN.read_text(), hint


def test_every_name_of_the_list_can_be_imported_and_no_other() -> None:
    assert sorted(dir(fabricgen)) == sorted(fabricgen.__all__)
    for name in fabricgen.__all__:
        assert getattr(fabricgen, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = fabricgen.Nothing


def modules_after(program: str) -> set[str]:
    show = "print(json.dumps([each for each in sys.modules if each not in old]))"
    program = f"import sys; old = {{*sys.modules}}; {program}; import json; {show}"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return set(json.loads(ran.stdout))


def test_the_import_of_the_package_loads_nothing_heavy() -> None:
    loaded = modules_after("import fabricgen")
    assert {each for each in loaded if each.startswith("fabricgen")} == {"fabricgen"}
    assert len(loaded) < 40


def test_the_import_of_a_site_loads_no_heavy_library() -> None:
    loaded = modules_after("from fabricgen import Site")
    assert "fabricgen.api.site" in loaded
    assert not HEAVY & {each.partition(".")[0] for each in loaded}


def errors_below(root: type) -> set[type]:
    found: set[type] = set(type.__subclasses__(root))
    return found.union(*map(errors_below, found))


def test_the_errors_are_the_tree_of_the_page() -> None:
    for name in MODULES:
        importlib.import_module(name)
    drawn = PAGE.partition("<!-- errors -->\n```text\n")[2].partition("```")[0]
    root, *rows = drawn.splitlines()
    assert root == "Failure"
    names = [re.sub(r"^[├└]── (\w+) .*", r"\1", row) for row in rows]
    public = [getattr(fabricgen, name) for name in fabricgen.__all__]
    raised = {each for each in public if isinstance(each, type) and issubclass(each, BaseException)}
    assert {each.__name__ for each in raised - {Failure}} == {*names}
    assert all(each.__bases__[0] is Failure for each in raised - {Failure})
    own = {each for each in errors_below(Failure) if each.__module__.startswith("fabricgen.")}
    assert own == raised - {Failure}


def test_the_page_names_every_public_object() -> None:
    missing = [each for each in fabricgen.__all__ if f"`{each}" not in PAGE and each not in PAGE]
    assert missing == ["__version__"]


@pytest.mark.parametrize("name", [*MODULES, "fabricgen.core.plain_text"])
def test_examples_of_docstrings_hold(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_two_modules_have_examples() -> None:
    found = [doctest.DocTestFinder().find(importlib.import_module(name)) for name in MODULES]
    assert sum(bool(each.examples) for tests in found for each in tests) >= 1

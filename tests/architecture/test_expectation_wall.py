"""The contract that keeps expectations from lowerings names every module that it has to name."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOS = ROOT / "src" / "fabricgen" / "nos"
PLATFORMS = ("eos", "sonic", "linux", "shared/frr")
EXPECTS = re.compile(r"(expected\w*|grammar|foreign|facts|show|readback)$")
FACTS_OF_HARDWARE = {"fabricgen.nos.sonic.facts"}
"""What the catalog says of SONiC, not what a switch shall do."""
VIEWS = re.compile(
    r"^from fabricgen\.nos\.\S*\bview\w*(?:\.\w+)* import|^from fabricgen\.nos\.\S+ import view$",
    re.MULTILINE,
)


def contract() -> dict[str, list[str]]:
    """Return the contract as pyproject.toml has it."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    every = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    return next(each for each in every if each["id"] == "expectation")


def modules() -> dict[str, Path]:
    """Return the modules and packages of each platform by their import name."""
    found = {}
    for platform in PLATFORMS:
        for path in (NOS / platform).iterdir():
            if path.suffix == ".py" or (path / "__init__.py").exists():
                name = path.relative_to(ROOT / "src").with_suffix("")
                found[".".join(name.parts)] = path
    return found


@pytest.mark.parametrize("name", sorted(modules()))
def test_whoever_expects_or_reads_is_kept_apart(name: str) -> None:
    if EXPECTS.search(name) and name not in FACTS_OF_HARDWARE:
        assert name in contract()["source_modules"]


@pytest.mark.parametrize("name", sorted(modules()))
def test_whoever_makes_views_is_forbidden(name: str) -> None:
    path = modules()[name]
    if path.suffix == ".py" and VIEWS.search(path.read_text(encoding="utf-8")):
        assert name in {*contract()["forbidden_modules"], f"{name.rpartition('.')[0]}.nos"}


def test_the_contract_names_nothing_that_is_gone() -> None:
    for name in (*contract()["source_modules"], *contract()["forbidden_modules"]):
        path = ROOT / "src" / Path(*name.split("."))
        assert path.is_dir() or path.with_suffix(".py").exists(), name

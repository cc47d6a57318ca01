"""Nothing is invented: every address and number of what is found stands in the files."""

from __future__ import annotations

import re
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.adopt.examples import example, tree_of
from tests.unit.adopt.strangers import FAULTS, said
from tests.unit.adopt.told import inventory

from fabricgen.core.diagnostics import Code
from fabricgen.importer.sections import sections
from fabricgen.importer.structure import structure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ADDRESS = re.compile(r"(?<![\d.])\d+\.\d+\.\d+\.\d+(?![\d.])")
_NUMBER = re.compile(r"\d[\d.]*(?:/\d+)?")
_SMALL = 1000
"""Below, a number counts something: servers, leafs, cages."""


def values(words: Any) -> Iterator[str]:
    """Yield every value of a tree."""
    if isinstance(words, dict | list):
        for each in words.values() if isinstance(words, dict) else words:
            yield from values(each)
    else:
        yield str(words)


def traced(number: str, text: str) -> bool:
    """Tell whether a number stands in a text, or an address of a subnet does."""
    if "/" in number:
        subnet = ip_network(number, strict=False)
        return any(ip_address(each) in subnet for each in _ADDRESS.findall(text))
    return number in text


@pytest.mark.parametrize("name", ["tenants", "edge", "storage", "oob"])
def test_addresses_and_numbers_stand_in_the_files(name: str) -> None:
    there = example(name)
    text = "\n".join(each for read in there.switches for each in read.found.texts.values())
    found = sections(there, structure(there, inventory(tree_of(name))).tree)
    numbers = {each for each in values(found) if _NUMBER.fullmatch(each)}
    large = [each for each in numbers if "." in each or "/" in each or int(each) >= _SMALL]
    assert large
    assert [each for each in large if not traced(each, text)] == []


def test_what_no_file_shows_is_said_and_has_a_comment(tmp_path: Path) -> None:
    code, _, err = said(tmp_path, FAULTS[Code.ADOPT_ASSUMED], "--model", "7050CX3-32S")
    assert code == 0
    assert err.count("FG886 warning") == 2
    text = (tmp_path / "site" / "site.yaml").read_text(encoding="utf-8")
    assert "name: site  # not in the given files" in text
    assert "subnet: 10.255.0.0/16  # not in the given files" in text

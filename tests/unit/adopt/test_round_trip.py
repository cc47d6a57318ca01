"""An example is rendered, its intent forgotten and found again: rendering that differs in nothing.

No pin and no own line takes part. What an example's platform was asked by a caller (`as_platform`)
is written in what is found, as the switches run it.
"""

import pytest
from tests.longer import longer
from tests.unit.adopt.examples import EXAMPLES, INTENT, network, rendered, tree_of
from tests.unit.adopt.told import inventory

from fabricgen.importer.sections import sections
from fabricgen.importer.structure import structure
from fabricgen.importer.written import lines_of, written

LARGE = ("full", "three-tier")
OWN = "as it is"
MOST = 3
"""Times the lines of the original."""


def _cases() -> list[object]:
    every: list[object] = []
    for name in EXAMPLES:
        for platform in (OWN, "eos", "sonic", "linux"):
            marks = [longer] if name in LARGE or platform != OWN else []
            every.append(pytest.param(name, platform, marks=marks))
    return every


@pytest.mark.parametrize(("name", "platform"), _cases())
def test_what_is_found_renders_to_the_same(name: str, platform: str) -> None:
    as_platform = None if platform == OWN else platform
    tree = tree_of(name)
    before, platforms = rendered(tree, as_platform)
    there = network(before, platforms)
    found = sections(there, structure(there, inventory(tree, as_platform)).tree)
    assert rendered(found)[0] == before
    original = {str(p): p.read_text(encoding="utf-8") for p in (INTENT / name).rglob("*.yaml")}
    assert lines_of(written(found)) <= MOST * lines_of(original)

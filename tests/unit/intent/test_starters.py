"""Starter sites: the files of each, which are valid as they stand."""

import pytest

from fabricgen.intent.load import load_texts
from fabricgen.intent.starters import starter

FILES = {
    "rail-only": {"site.yaml", "backend.yaml"},
    "rail-optimized": {"site.yaml", "backend.yaml"},
    "three-tier": {"site.yaml", "backend.yaml"},
    "leaf-spine": {"site.yaml", "frontend.yaml", "tenants.yaml"},
    "collapsed": {"site.yaml", "frontend.yaml", "tenants.yaml"},
    "full": {"site.yaml", "backend.yaml", "frontend.yaml", "tenants.yaml"},
}


@pytest.mark.parametrize("design", FILES)
def test_a_starter_is_a_valid_site_of_its_design(design: str) -> None:
    texts = starter(design)
    assert texts.keys() == FILES[design]
    loaded = load_texts(texts)
    assert loaded.intent is not None, loaded.findings
    assert loaded.findings == ()
    designs = {
        fabric.design for fabric in (loaded.intent.backend, loaded.intent.frontend) if fabric
    }
    assert designs == ({"rail-optimized", "leaf-spine"} if design == "full" else {design})


@pytest.mark.parametrize("design", FILES)
def test_an_editor_knows_each_file_by_its_first_line(design: str) -> None:
    for text in starter(design).values():
        assert text.startswith("# yaml-language-server: $schema=fabricgen.schema.json\n")


def test_no_other_design_has_a_starter() -> None:
    with pytest.raises(KeyError):
        starter("clos")

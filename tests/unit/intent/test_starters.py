"""Starter sites: the files of each shape are a valid site."""

import pytest

from fabricgen.intent.load import load_texts
from fabricgen.intent.starters import SHAPES, starter

FILES = {
    "lab": {"frontend", "servers", "site", "tenants"},
    "rail-only": {"backend", "racks", "servers", "site"},
    "rail-optimized": {"backend", "frontend", "servers", "site", "tenants"},
    "four-fabrics": {
        *("backend", "frontend", "oob", "racks", "servers", "site", "storage", "tenants"),
    },
    "collapsed": {"frontend", "racks", "servers", "site", "tenants"},
}


def test_every_shape_has_its_files() -> None:
    assert SHAPES.keys() == FILES.keys()
    for shape, names in FILES.items():
        assert starter(shape).keys() == {f"{name}.yaml" for name in names}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_starter_is_a_valid_site(shape: str) -> None:
    loaded = load_texts(starter(shape))
    assert loaded.intent is not None, loaded.findings
    assert loaded.findings == ()


@pytest.mark.parametrize("shape", SHAPES)
def test_an_editor_knows_each_file_by_its_first_line(shape: str) -> None:
    texts = starter(shape)
    for text in texts.values():
        modeline, comment, *_ = text.splitlines()
        assert modeline == "# yaml-language-server: $schema=fabricgen.schema.json"
        assert comment.startswith("# ")
    assert "# Next steps:" in texts["site.yaml"]


def test_no_other_shape_has_a_starter() -> None:
    with pytest.raises(KeyError):
        starter("clos")

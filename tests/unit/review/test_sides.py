"""One side of a comparison: a line of one of its files, and the place in the intent behind it."""

from pathlib import Path

import pytest

from fabricgen.core.diagnostics import Position
from fabricgen.intent.load import load_site
from fabricgen.intent.source import SourceMap
from fabricgen.review.sides import Side

FRONTEND = """\
# the frontend
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
"""
SITE = """\
site:
  name: lab
"""


def side(name: str, source: SourceMap) -> Side:
    return Side(name=name, files={}, findings=(), source=source)


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("frontend/fe-leaf01/eos.cfg", Position("site/frontend.yaml", 2, 1)),
        ("hosts/gpu0001/netplan.yaml", Position("site/site.yaml", 1, 1)),
    ],
)
def test_a_line_comes_from_its_fabric_else_from_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, place: Position
) -> None:
    monkeypatch.chdir(tmp_path)
    site = tmp_path / "site"
    site.mkdir()
    (site / "site.yaml").write_text(SITE)
    (site / "frontend.yaml").write_text(FRONTEND)
    source = load_site(site.relative_to(tmp_path)).source
    assert side("site", source).cause(Position(file, 7, 1)) == place


@pytest.mark.parametrize(("name", "folder"), [("rendered", "rendered"), ("main:a/tree", "a/tree")])
def test_of_a_rendered_tree_the_line_itself_is_the_place(name: str, folder: str) -> None:
    line = Position("frontend/fe-leaf01/eos.cfg", 7, 3)
    place = side(name, SourceMap()).cause(line)
    assert place == Position(f"{folder}/frontend/fe-leaf01/eos.cfg", 7, 3)

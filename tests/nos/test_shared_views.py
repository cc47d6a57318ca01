"""What several switches or servers have in common is one view, whose text is made once."""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from tests.nos.claims import pieces
from tests.nos.eos.test_ptp import compiled
from tests.unit.hosts.hosts import NICS, designed
from tests.unit.hosts.test_slots import SLOTS
from tests.unit.jobs.sites import SITE, made

import fabricgen.nos
import fabricgen.nos.hosts
from fabricgen.compile.compiler import Piece, compile_site, files_of, host_slices, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.provenance import SharedBlock
from fabricgen.intent.load import load_texts
from fabricgen.nos.registry import OURS

EXAMPLE = Path(__file__).parents[2] / "intent" / "tenants"
"""Leafs that have the same VLANs, on every platform."""
ANNOUNCED = '10.111.0.0/24, subnet6: "2001:db8:111::/64", announce: slaac}'


class Watched(Renderer):
    """A renderer that counts how often it makes the text of a view."""

    def __init__(self) -> None:
        super().__init__()
        self.views: dict[int, object] = {}  # held, so that no other view gets the same identity
        self.made: Counter[tuple[str, int]] = Counter()
        self.again: set[type] = set()

    def kept(self, view: Any, place: str) -> str | None:
        text = super().kept(view, place)
        if text:
            self.again.add(type(view))
        return text

    def keep(self, text: str, place: str, view: Any) -> str:
        self.views[id(view)] = view
        self.made[place, id(view)] += 1
        return super().keep(text, place, view)


@cache
def watched(platform: str) -> tuple[Watched, ...]:
    """Render each site of a platform, or its servers, with a renderer of its own."""
    if platform == "hosts":
        timed = compiled().site
        assert timed is not None
        named = designed(nic_slots=SLOTS)
        working = made(SITE).site
        assert working is not None
        sites = (*(designed(nic=nic) for nic in NICS.values()), named, timed)
        jobs = [each for each in host_slices(working) if each.job is not None]
        return (*(_all(host_slices(each)) for each in sites), _all(jobs))
    by_site = groupby(pieces(platform), key=lambda each: each[0])
    texts = {str(path.relative_to(EXAMPLE)): path.read_text() for path in EXAMPLE.rglob("*.yaml")}
    announced = {name: text.replace("10.111.0.0/24}", ANNOUNCED) for name, text in texts.items()}
    example = compile_site(load_texts(announced), platform).site
    assert example is not None
    return (
        _all(switch_slice for _, switch_slice in slices(example)),
        *(_all(switch_slice for _, switch_slice, _ in group) for _, group in by_site),
    )


def _all(site: Iterable[Piece]) -> Watched:
    renderer = Watched()
    renderer.plain = False  # the views of every server, also of those that share a form
    for switch_slice in site:
        files_of(switch_slice, renderer)
    return renderer


@pytest.mark.parametrize("platform", [*OURS, "hosts"])
def test_the_text_of_one_view_is_made_once(platform: str) -> None:
    twice = {
        f"{place} {type(renderer.views[view]).__name__}"
        for renderer in watched(platform)
        for (place, view), often in renderer.made.items()
        if often > 1
    }
    assert twice == set()


def _sharing() -> set[type]:
    """Return every class of views that says it is shared."""
    modules = [
        importlib.import_module(found.name)
        for package in (fabricgen.nos, fabricgen.nos.hosts)
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if "view" in found.name
    ]
    return {
        each
        for module in modules
        for each in vars(module).values()
        if isinstance(each, type) and getattr(each, "shared", False) and each is not SharedBlock
    }


def test_every_view_that_says_it_is_shared_is() -> None:
    again = {kind for name in (*OURS, "hosts") for each in watched(name) for kind in each.again}
    assert sorted(kind.__qualname__ for kind in _sharing() - again) == []

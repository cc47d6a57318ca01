"""A site in, both engines of `reach` over it out, its files as rendered or broken by hand."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from tests.unit.reach.features import FEATURES

from fabricgen.compile.compiler import Owner, designed
from fabricgen.intent.load import load_site, load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.prove.evidence import rendered, walk
from fabricgen.prove.reach.matrix import Case, cases
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stand import Stand
from fabricgen.prove.reach.stations import stands

ROOT = Path(__file__).resolve().parents[3]


@cache
def site(name: str, platform: str | None = None) -> Site:
    """Design an example site, or one of a feature, as if its switches ran a platform."""
    text = {"site/site.yaml": FEATURES[name][0]} if name in FEATURES else None
    result = designed(load_texts(text) if text else load_site(ROOT / "intent" / name), platform)
    assert result.ok, result.findings
    assert result.site is not None
    return result.site


@cache
def files(name: str, platform: str | None = None) -> tuple[tuple[Owner, Mapping[str, str]], ...]:
    """Render it once."""
    return tuple(rendered(site(name, platform)))


@cache
def people(name: str, platform: str | None = None) -> tuple[Stand, ...]:
    """Return its stations."""
    return tuple(stands(site(name, platform)))


def every_case(
    name: str,
    platform: str | None = None,
    *,
    changed: Callable[[str, str], str] | None = None,
    chosen: Callable[[Stand], bool] = lambda _: True,
    service: tuple[str, int] = ("", 0),
) -> Iterator[Case]:
    """Yield every pair; changed: takes the place of a file's text, by `switch/path`."""
    every = people(name, platform)
    texts = [
        (owner, {path: changed(f"{owner.name}/{path}", text) for path, text in own.items()})
        if changed
        else (owner, own)
        for owner, own in files(name, platform)
    ]
    second = walk(site(name, platform), [each.station for each in every], texts)
    some: Sequence[Stand] = [each for each in every if chosen(each)]
    yield from cases(some, some, Model(site(name, platform), every), second, service)


def broken(
    of: tuple[str, str | None], place: str, old: str, new: str, *ends: str
) -> Iterator[Case]:
    """Yield what goes from the first of some stations, where files of a pattern are changed.

    of: the name of a site, and the platform of its switches. Fails where the text is in no file.
    """
    every = every_case(
        *of, changed=_replaced(place, old, new), chosen=lambda each: each.station.name in ends
    )
    return (case for case in every if case.one.station.name == ends[0])


def _replaced(place: str, old: str, new: str) -> Callable[[str, str], str]:
    """Return a change of each file of a pattern; fails where the text is not in it."""

    def change(path: str, text: str) -> str:
        if not fnmatch(path, place):
            return text
        after, count = re.subn(old, new, text)
        assert count, f"{old} is not in {place}"
        return after

    return change

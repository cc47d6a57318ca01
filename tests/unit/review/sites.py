"""Sites that tests of a review compare: small changes of the designed example sites."""

from collections import Counter
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from typing import Any

from tests.cli.calling import ROOT

from fabricgen.compile.compiler import designed
from fabricgen.core.diagnostics import has_errors
from fabricgen.core.tree.risk import Risk
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Switch
from fabricgen.review.model import Block, Review


@cache
def example(name: str) -> Site:
    """Return an example site as it is designed."""
    return edited(name)


def edited(name: str, *edits: tuple[str, str, str]) -> Site:
    """Return an example site after edits: file, old text, new text."""
    folder = ROOT / "intent" / name
    texts = {str(each.relative_to(folder)): each.read_text() for each in folder.rglob("*.yaml")}
    for file, old, new in edits:
        assert old in texts[file], f"{file} has no {old!r}"
        texts[file] = texts[file].replace(old, new)
    done = designed(load_texts(texts))
    assert not has_errors(done.findings), done.findings
    assert done.site is not None
    return done.site


def with_fabric(site: Site, name: str, change: Callable[[Fabric], Fabric]) -> Site:
    """Return a site with one changed fabric."""
    fabrics = tuple(change(each) if each.name == name else each for each in site.fabrics)
    return changed(site, fabrics=fabrics)  # type: ignore[no-any-return]


def changed(thing: Any, **values: Any) -> Any:
    """Return a copy of a record with other values."""
    facts = {each.name: getattr(thing, each.name) for each in fields(thing)}
    return type(thing)(**(facts | values))


def relinked(site: Site, name: str, change: Callable[[Link], Link | None]) -> Site:
    """Return a site with changed links of one fabric; None removes a link."""

    def new(fabric: Fabric) -> Fabric:
        links = tuple(link for each in fabric.topology.links if (link := change(each)))
        return changed(fabric, topology=replace(fabric.topology, links=links))  # type: ignore[no-any-return]

    return with_fabric(site, name, new)


def switch(site: Site, name: str) -> Switch:
    """Return a switch."""
    every = (each for fabric in site.fabrics for each in fabric.topology.switches)
    return next(each for each in every if each.name == name)


def moved_server(site: Site) -> Site:
    """Return `pairs` with web0001 on leafs 3 and 4 instead of leafs 1 and 2."""
    leafs = {"fe-leaf01": "fe-leaf03", "fe-leaf02": "fe-leaf04"}

    def move(link: Link) -> Link:
        if link.lower.name != "web0001":
            return link
        leaf = switch(site, leafs[link.upper.name])
        return changed(link, upper=leaf, upper_port=leaf.ports[20])  # type: ignore[no-any-return]

    return relinked(site, "frontend", move)


def block(risk: Risk, *folders: str, status: str = "changed") -> Block:
    """Return changed text of devices without its lines."""
    return Block(folders=folders, shapes=(), risk=risk, status=status, added=1, removed=1)


def review(*blocks: Block, devices: int = 100) -> Review:
    """Return a review of changed text."""
    radius: Counter[Risk] = Counter()
    for each in blocks:
        radius[each.risk] += len(each.folders)
    return Review(
        before="main:site", after="site", devices=devices, effects=(), blocks=blocks, radius=radius
    )

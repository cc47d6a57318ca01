"""Names of the intent and of switches are text in every notebook, never markup."""

from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.unit.api.conftest import RECORDED

import fabricgen
from fabricgen import (
    Cabling,
    ConfigFile,
    Fabric,
    LosslessReport,
    Server,
    Site,
    SiteDiff,
    Switch,
    Verification,
)
from fabricgen.compile.reports.buffer_picture import picture

IMAGE = "<img src=x onerror=alert(1)>"
TAGS = {"table", "caption", "tr", "th", "td", "pre"}


class Tags(HTMLParser):
    """Collects the tags of a text, and its characters."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags, self.text = set[str](), ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        assert not attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def hostile(shown: Any) -> str:
    """Check that the image is text in a representation, and return that."""
    html: str = shown._repr_html_()
    found = Tags(html)
    assert found.tags <= TAGS
    assert IMAGE in found.text
    return html


def made(kind: type, **facts: object) -> Any:
    """Return an object of a class with these attributes."""
    found: Any = object.__new__(kind)
    for name, value in facts.items():
        found.__dict__[name] = value
    return found


def test_each_class_with_a_representation_is_tested() -> None:
    public = [getattr(fabricgen, name) for name in fabricgen.__all__]
    own = {each for each in public if hasattr(each, "_repr_html_")}
    assert own == {
        Cabling, ConfigFile, Fabric, LosslessReport, Server, Site, SiteDiff, Switch, Verification
    }  # fmt: skip


def test_a_site_with_errors(copy: Path) -> None:
    file = copy / "site.yaml"
    file.write_text(file.read_text() + f"\n'{IMAGE}': 1\n")
    site = Site.load(copy)
    assert not site.ok
    hostile(site)


def test_a_site_and_its_fabrics() -> None:
    switch = SimpleNamespace(name=IMAGE, role="leaf", model=IMAGE, platform=IMAGE)
    fabric = made(Fabric, name=IMAGE, design=IMAGE, switches={IMAGE: switch})
    hostile(fabric)
    compiled = SimpleNamespace(ok=True, site=SimpleNamespace(name=IMAGE))
    hostile(made(Site, _compiled=compiled, fabrics={IMAGE: fabric}))


def test_a_switch_and_a_server() -> None:
    cells = dict.fromkeys(("port", "use", "speed", "address"), IMAGE)
    hostile(made(Switch, name=IMAGE, facts={"ports": [{**cells, "peer": [IMAGE, IMAGE]}]}))
    cells = dict.fromkeys(("name", "fabric", "switch", "switch_port", "speed"), IMAGE)
    hostile(made(Server, name=IMAGE, ports=(SimpleNamespace(**cells),)))


def test_a_file() -> None:
    hostile(made(ConfigFile, text=f"description {IMAGE}"))


def test_the_cables() -> None:
    columns = ("id", "speed", "a_device", "a_port", "b_device", "b_port", "length_m")
    hostile(made(Cabling, rows=(dict.fromkeys(columns, IMAGE),)))


def test_a_diff(copy: Path) -> None:
    before = Site.load(copy)
    file = copy / "site.yaml"
    file.write_text(file.read_text().replace("10.255.0.251", "10.255.0.252"))
    found = Site.load(copy).diff(before)
    review = found._review
    effects = tuple(replace(each, text=IMAGE) for each in review.effects)
    hostile(SiteDiff(replace(review, effects=effects), ()))


def test_a_verification() -> None:
    site = Site.load(RECORDED / "site")
    found = site.verify(answers=next(RECORDED.glob("answers*")))
    results = {
        name: tuple(
            replace(each, findings=tuple(replace(one, sentence=IMAGE) for one in each.findings))
            for each in every
        )
        for name, every in found.results.items()
    }
    verified = replace(found.verified, results={IMAGE: next(iter(results.values()))})
    hostile(replace(found, verified=verified))


def test_the_pictures_of_a_lossless_report(lab: Site) -> None:
    report = lab.lossless()
    kind = report.kinds[0]
    assert IMAGE not in picture(IMAGE, kind.buffers, {})
    assert escape(IMAGE) in picture(IMAGE, kind.buffers, {})
    assert report._repr_html_().count("<svg") == len(report.kinds)

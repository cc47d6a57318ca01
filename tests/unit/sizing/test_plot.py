"""The picture has a line for each design and panel, and nothing that leaves it."""

import re
from xml.etree import ElementTree as ET

import pytest
from tests.unit.sizing.asking import needs

from fabricgen.plan.sizing.plot import PANELS, WIDTH, Point, plot, sizes, sweep

SVG = "{http://www.w3.org/2000/svg}"


def test_sizes_double_and_end_at_the_last() -> None:
    assert sizes(1000) == [64, 128, 256, 512, 1000]
    assert sizes()[-2:] == [65_536, 100_000]


def test_a_design_is_swept_until_it_no_longer_fits() -> None:
    """Of 32 ports at NIC speed: rail-only to 256 GPUs, two tiers to 512, three on."""
    found = sweep(needs("--servers", "1", "--switch", "SN3700", "--nic-speed", "200G"), sizes(1024))
    ends = {point.design: point.gpus for point in found}
    assert ends == {
        "rail-only": 256,
        "rails-apart": 1024,
        "rail-optimized": 512,
        "three-tier": 1024,
    }
    first = found[0]
    assert (first.design, first.gpus, first.switches) == ("rail-only", 64, 8)


def points(watts: float | None) -> list[Point]:
    return [
        Point(design=design, gpus=gpus, switches=gpus // 8, optics=3 * gpus, watts=watts)
        for design in ("rail-only", "three-tier")
        for gpus in (64, 256, 1024)
    ]


@pytest.mark.parametrize(("watts", "lines"), [(1000.0, 6), (None, 4)])
def test_what_is_known_is_drawn_and_the_rest_said(watts: float | None, lines: int) -> None:
    text = plot("a <title>", points(watts))
    tree = ET.fromstring(text)  # noqa: S314 - our own text
    drawn = tree.findall(f"{SVG}polyline")
    assert len(drawn) == lines
    assert ("not known" in text) is (watts is None)
    assert text.count("for each GPU") == len(PANELS)
    height = float(tree.attrib["viewBox"].split()[-1])
    for line in drawn:
        for x, y in re.findall(r"([\d.]+),([\d.]+)", line.attrib["points"]):
            assert 0 <= float(x) <= WIDTH
            assert 0 <= float(y) <= height


def test_larger_values_are_higher() -> None:
    some = [
        Point(design="rail-only", gpus=64, switches=64, optics=1, watts=None),
        Point(design="rail-only", gpus=128, switches=16, optics=1, watts=None),
    ]
    (first, second) = re.findall(r"([\d.]+),([\d.]+)", plot("t", some).split("polyline")[1])[:2]
    assert float(first[0]) < float(second[0])
    assert float(first[1]) < float(second[1])

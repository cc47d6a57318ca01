"""The plan of whole sites: each link is a cable, each end is there once, no label ever changes."""

import csv
from collections import Counter
from collections.abc import Callable
from io import StringIO

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.property.test_whole_sites import COUNT, compiled
from tests.property.whole_growth import STEPS, grown
from tests.property.whole_sites import Whole, sites

from fabricgen.model.cabling.cables import cables
from fabricgen.model.cabling.lengths import length_between
from fabricgen.model.fabric.floor import Laying, Rack, Stand
from fabricgen.model.fabric.switch import Site
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.labels import labels

LENGTHS = (0.5, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0)


def said(site: Site) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(labels(Plan.of(site)))))


@settings(max_examples=COUNT, deadline=None)
@given(whole=sites())
def test_as_many_cables_come_out_as_links_and_ports_to_the_outside_go_in(whole: Whole) -> None:
    site = compiled(whole)
    laid = list(cables(site))
    links = [link for fabric in site.fabrics for link in fabric.topology.links]
    inside = [each.link for each in laid if each.link is not None]
    assert Counter(map(id, inside)) == Counter(map(id, links))
    assert all(each.far.owner is None for each in laid if each.link is None)
    assert len({each.name for each in laid}) == len(laid)
    there = {switch.name for fabric in site.fabrics for switch in fabric.topology.switches}
    there |= {server.name for fabric in site.fabrics for server in fabric.topology.servers}
    for each in laid:
        assert each.near.name in there
        assert each.far.owner is None or each.far.name in there
        if each.length.sold is not None:
            assert each.length.sold >= each.length.way


@settings(max_examples=COUNT, deadline=None)
@given(whole=sites())
def test_no_label_is_there_twice_and_all_can_be_printed(whole: Whole) -> None:
    rows = said(compiled(whole))
    texts = [row["label"] for row in rows]
    assert len(set(texts)) == len(texts)
    assert all(text.isascii() and text.isprintable() for text in texts)
    assert all(max(map(len, (r["line1"], r["line2"]))) == int(r["characters"]) for r in rows)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
def test_growing_changes_no_label(step: Callable[..., bool]) -> None:
    @settings(max_examples=COUNT, deadline=None)
    @given(whole=sites(), data=st.data())
    def law(whole: Whole, data: st.DataObject) -> None:
        more = grown(whole, step, data.draw)
        assume(more is not None)
        assert more is not None
        before, after = (said(compiled(each)) for each in (whole, more))
        kept = {row["label"]: row["cable"] for row in after}
        assert [row for row in before if kept.get(row["label"]) != row["cable"]] == []

    law()


@given(
    rows=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    places=st.tuples(st.integers(1, 60), st.integers(1, 60)),
    units=st.tuples(st.integers(1, 42), st.integers(1, 42)),
    farther=st.integers(0, 20),
    slack=st.integers(0, 10),
    percent=st.integers(0, 50),
)
def test_what_is_farther_takes_a_cable_that_is_no_shorter(
    *,
    rows: tuple[int, int],
    places: tuple[int, int],
    units: tuple[int, int],
    farther: int,
    slack: int,
    percent: int,
) -> None:
    laying = Laying(width=0.6, pitch=4.2, rise=0.45, slack=slack, percent=percent, lengths=LENGTHS)
    here = stand("here", min(rows), min(places), units[0])
    there = stand("there", max(rows), max(places), units[1])
    near = length_between(here, there, laying)
    assert length_between(there, here, laying).way == near.way
    for row, place in ((farther, 0), (0, farther)):
        away = stand("away", max(rows) + row, max(places) + place, units[1])
        far = length_between(here, away, laying)
        assert far.way >= near.way
        assert far.meters >= near.meters


def stand(name: str, row: int, position: int, unit: int) -> Stand:
    rack = Rack(
        name=name, type="a", number=1, row=row, position=position, units=42, watts=None, path=()
    )
    return Stand(name=name, kind="switch", rack=rack, unit=unit, units=1, path=())

"""Where switches and cables are pinned, every report tells what the configurations tell."""

import csv
import json
from io import StringIO
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.property.growing import ADDITIONS, designed
from tests.property.test_pins import GROWING, UNSHRUNK, pinned

from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.reports.model import write_model
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Role, Switch
from fabricgen.nos.lowering import spell
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.cabling import cabling
from fabricgen.plan.documents.plan import neighbors
from fabricgen.prove.failures.failures import singles

End = tuple[str, str]
Cables = set[frozenset[End]]


def drawn(data: st.DataObject, site: Site) -> dict[str, dict[str, Any]]:
    """Draw names of leafs, dead uplinks, and leafs that a spine has no link to."""
    pins: dict[str, dict[str, Any]] = {}
    fabric = site.fabrics[0]
    for number, switch in enumerate(fabric.topology.switches):
        links = [
            link
            for link in fabric.topology.links_at[switch.name]
            if link.lower is switch and not link.of_pair
        ]
        own: dict[str, Any] = {}
        if data.draw(st.booleans(), label=f"name of {switch.name}"):
            own["hostname"] = f"box-{number}"
        what = data.draw(st.sampled_from(["", "dead", "absent"]), label=switch.name)
        if switch.role is Role.LEAF and links and what:
            label = links[0].lower_port.label
            dead = {"ports": {label: {"state": "dead"}}}
            own |= dead if what == "dead" else {"links": {label: "absent"}}
        if own:
            pins[switch.name] = own
    return pins


def configured(site: Site) -> Cables:
    """Return the cables as the configurations of both ends know them."""
    return {
        frozenset(
            {(switch_slice.switch.name, each.port.label), (each.peer.name, each.peer_port.label)}
        )
        for fabric in site.fabrics
        for switch_slice in Slicer(fabric).slices()
        for each in switch_slice.interfaces
        if each.peer is not None and each.peer_port is not None
    }


def listed(site: Site) -> Cables:
    """Return those of cabling.csv, without those to the outside, of which nobody knows the port."""
    rows = csv.DictReader(StringIO(cabling(Plan.of(site))))
    ends = (tuple((row[f"{end}_device"], row[f"{end}_port"]) for end in "ab") for row in rows)
    return {frozenset(both) for both in ends if all(port for _, port in both)}


@settings(max_examples=draws(25), deadline=None, phases=UNSHRUNK)
@given(st.sampled_from(GROWING), st.data())
def test_reports_follow_pins(name: str, data: st.DataObject) -> None:
    bare = ADDITIONS[name][0]
    pins = drawn(data, designed(bare))
    site = designed(pinned(bare, pins))
    cables = configured(site)
    links = [link for fabric in site.fabrics for link in fabric.topology.links]
    assert len(cables) == len(links)
    stream = StringIO()
    write_model(site, stream)
    model = json.loads(stream.getvalue())["fabrics"]
    told = {
        frozenset({tuple(link["a"]), tuple(link["b"])}) for each in model for link in each["links"]
    }
    assert told == cables
    assert listed(site) == cables
    failing = {each.name for each in singles(site.fabrics[0])}
    assert {switch.name for switch in site.fabrics[0].topology.switches} <= failing
    heard = neighbors(site)
    for link in links:
        port = heard[link.upper.name][spell(link.upper, link.upper_port)]
        assert port[0] == link.lower.name
        if isinstance(link.lower, Switch):
            assert isinstance(link.lower_port, type(link.upper_port))
            back = heard[link.lower.name][spell(link.lower, link.lower_port)]
            assert back[0] == link.upper.name

"""Laws of the grouping: it loses no finding, keeps identities, and agrees with the analysis."""

import random

import pytest
from tests.unit.proof.incidents.simulated import ROOT, Broken, finding, simulated, with_findings
from tests.unit.proof.incidents.test_roots import grouped

from fabricgen.core.tree.facts import Value
from fabricgen.model.fabric.failures import Fails, Together
from fabricgen.nos.show import SHUT
from fabricgen.prove.failures.survey import Survey
from fabricgen.prove.incidents.grouping import incidents
from fabricgen.prove.incidents.impact import Impacts
from fabricgen.prove.incidents.model import Kind

_ODD: Value = "odd"


def any_faults(seed: int, site: str) -> Broken:
    """Break some cables, switches, daemons and values of a site by seed."""
    network, lots = simulated(site), random.Random(seed)
    broken = Broken(network)
    for pair in lots.sample(network.cables, 3):
        broken.cable(lots.choice(pair))
    names = sorted(network.expected)
    broken.daemon(lots.choice(names), lots.choice(("bgpd", "bfdd", "lldpd")))
    if lots.random() < 0.5:
        broken.switch(lots.choice(names))
    for name in lots.sample(names, 3):
        for key in lots.sample(sorted(broken.facts[name]), 12):
            if lots.random() < 0.5:
                del broken.facts[name][key]
            else:
                odd = dict.fromkeys(broken.facts[name][key], _ODD)
                broken.facts[name][key] = odd | ({"link": SHUT} if "link" in odd else {})
    return broken


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("site", ["lab", "full"])
def test_each_finding_is_in_exactly_one_incident(site: str, seed: int) -> None:
    broken = any_faults(seed, site)
    seen = broken.seen()
    given = [id(each) for one in seen.values() for each in one.findings]
    network = broken.network
    made = incidents(network.site, seen, broken.silent, network.expected, network.impacts)
    assert sorted(id(each) for it in made for each in it.findings) == sorted(given)
    assert len({it.id for it in made}) == len(made)


def test_findings_of_unknown_kinds_are_incidents_of_their_own() -> None:
    broken = Broken(simulated("lab"))
    odd = (
        finding("fe-leaf01", ()),
        finding("fe-leaf01", ("nothing-known",)),
        finding("fe-leaf01", ("interface",), ""),
        finding("fe-leaf01", ("interface", "no-such-port"), "link"),
        finding("fe-leaf01", ("route", "default", "not a prefix"), "ports"),
        finding("fe-leaf01", ("session", "default", "odd"), "state"),
        finding("fe-leaf01", ("cable", "swp1"), "far"),
        finding("fe-leaf01", ("flood", "10"), "vteps", "10.65.0.2, 10.65.0.3", "nothing"),
        finding("fe-leaf01", ("vni", "odd"), "layer"),
    )
    seen = with_findings(broken.seen(), "fe-leaf01", *odd)
    made = incidents(broken.network.site, seen, {}, broken.network.expected)
    assert sum(len(it.findings) for it in made) == len(odd)


@pytest.mark.parametrize("site", ["lab", "full"])
def test_the_impact_of_an_incident_is_what_the_failure_analysis_says(site: str) -> None:
    network, lots = simulated(site), random.Random(5)
    surveys = [Survey(fabric) for fabric in network.site.fabrics]
    impacts = Impacts(network.site)
    names = sorted(network.expected)
    for number in range(10):
        if number % 2:
            broken = Broken(network).cable(lots.choice(network.cables)[0])
        else:
            broken = Broken(network).switch(lots.choice(names))
        (incident,) = incidents(
            network.site, broken.seen(), broken.silent, network.expected, impacts
        )
        cause = incident.cause
        said = Together(
            kind=Fails.DOUBLE,
            name="the same",
            switches=cause.dead_switches,
            ports=tuple((it.link.upper.name, it.link.upper_port.label) for it in cause.dead_cables),
        )
        rows = [row for survey in surveys for row in survey.together([said])]
        wanted = {group.label: outcome for row in rows for group, outcome in row.outcomes.items()}
        assert {group.label: outcome for group, outcome in incident.impact.outcomes} == wanted
        assert incident.impact.servers == max((it.hit for it in wanted.values()), default=0)


def test_an_incident_keeps_its_identity_while_its_findings_change() -> None:
    network = simulated("lab")
    end = ("fe-leaf01", "swp29")
    (first,) = grouped(Broken(network).cable(end))
    again = Broken(network).cable(end)
    again.facts["fe-leaf02"].pop(("route", "default", "10.64.0.1/32"))
    (second,) = grouped(again)
    assert first.id == second.id
    assert len(first.findings) != len(second.findings) or first.findings != second.findings


def test_the_worst_incident_is_first() -> None:
    network = simulated("lab")
    broken = Broken(network).daemon("be-su01-leaf1", "lldpd").switch("fe-leaf01")
    kinds = [each.cause.kind for each in grouped(broken)]
    assert kinds == [Kind.SWITCH_DOWN, Kind.DAEMON]


def test_the_page_has_every_kind_in_the_order_of_explanation() -> None:
    page = (ROOT / "docs" / "prove" / "incidents.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| ")]
    named = [name.strip() for row in rows[1:] for name in row.split("<br>")]
    assert named == [kind.value for kind in Kind]

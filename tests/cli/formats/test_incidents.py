"""Incidents as text, data and Markdown."""

from dataclasses import replace

from tests.unit.proof.incidents.simulated import Broken, finding, simulated, with_findings
from tests.unit.proof.incidents.test_roots import grouped

from fabricgen.api.incidents import data
from fabricgen.cli.formats.incidents import table, text
from fabricgen.prove.incidents.grouping import incidents
from fabricgen.prove.incidents.model import Incident


def cut() -> tuple[Incident, ...]:
    return grouped(Broken(simulated("lab")).cable(("fe-leaf01", "swp29")))


def hostile() -> tuple[Incident, ...]:
    """Return an incident whose switch put an escape and Markdown into its answer."""
    network = simulated("lab")
    odd = finding("fe-leaf01", ("user", "\x1b[2J|@all"), "role", "operator", "a\nb")
    seen = with_findings(Broken(network).seen(), "fe-leaf01", odd)
    return incidents(network.site, seen, {}, network.expected, network.impacts)


def test_the_text_has_the_cause_its_findings_and_its_impact() -> None:
    heading, cause, scope = text(cut())
    assert heading == "1 incident explains 9 findings:"
    assert cause.endswith("cable dead: fe-leaf01:swp29 -- fe-spine1:swp1: no link")
    assert "9 findings on fe-leaf01, fe-leaf02, fe-leaf03, fe-leaf04 and 1 more" in scope
    assert "4 servers and 0 GPUs keep less, tenants blue, red" in scope


def test_no_incident_is_no_line() -> None:
    assert [*text(())] == []
    assert table(()) == []


def test_the_first_time_is_in_text_and_data() -> None:
    (undated,) = cut()
    incident = replace(undated, since=86_400.0)
    assert "since 1970-01-02 00:00:00 UTC" in "\n".join(text([incident]))
    assert data([incident])[0]["since"] == "1970-01-02 00:00:00 UTC"


def test_data_has_every_finding_and_the_share_of_each_group() -> None:
    (incident,) = cut()
    (row,) = data([incident])
    assert len(row["findings"]) == 9
    assert row["impact"]["failure"] == "fe-leaf01:29 -- fe-spine1:1"
    assert row["impact"]["keeps"]["frontend"] == 87.5


def test_text_of_a_switch_is_harmless_in_every_format() -> None:
    found = hostile()
    shown = "\n".join(text(found))
    assert "\x1b" not in shown
    assert len(shown.splitlines()) == 3
    assert "\x1b" not in str(data(found))
    assert "|@all" not in "\n".join(table(found))


def test_a_comment_has_at_most_forty_incidents_and_their_number() -> None:
    (incident,) = cut()
    lines = table([incident] * 45)
    assert "5 more incidents" in "\n".join(lines)
    assert len([line for line in lines if incident.id in line]) == 40

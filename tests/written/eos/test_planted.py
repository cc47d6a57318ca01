"""Each fault that is planted into a written right switch is found by its check, and named."""

import pytest
from tests.written.eos import planting
from tests.written.eos.faults import FAULTS
from tests.written.eos.planting import RAIL, Fault
from tests.written.eos.sites import Plant, bench, checked, found, reader, seen

from fabricgen.prove.catalogue.model import Outcome
from fabricgen.prove.differences import compare


@pytest.mark.parametrize("fault", FAULTS, ids=[each.name for each in FAULTS])
def test_a_planted_fault_is_found(fault: Fault) -> None:
    sentences = found(checked(*fault.where, fault.plant)).get(fault.check, [])
    assert any(fault.says in each for each in sentences), sentences


def test_there_are_at_least_a_hundred_different_faults() -> None:
    assert len({each.name for each in FAULTS}) == len(FAULTS) >= 100


def test_a_switch_without_serial_number_is_not_compared_by_it() -> None:
    """Virtual switches have none, and not every intent has serial numbers."""
    facts = seen("full", "fe-leaf01", planting.put("show version", "serialNumber", "")).facts
    assert "serial" not in facts["identity",]


@pytest.mark.parametrize("plant", [planting.ranged_drop, planting.voq_drop])
def test_drops_are_read_on_every_kind_of_chip(plant: Plant) -> None:
    look = seen(*RAIL, plant)
    assert look.measures["queue-drops", planting.EDGE, "3"] == 5
    assert look.measures["queue-drops", "Ethernet1/5", "3"] == 0
    assert look.unread == {}


def test_a_queue_that_counts_no_marks_is_unknown_and_not_zero() -> None:
    right, marked = seen(*RAIL), seen(*RAIL, planting.marked_in("6"))
    key = ("ecn-marked", planting.EDGE, "6")
    assert key not in right.measures
    assert marked.measures[key] == 77


def test_a_guessed_field_fails_no_switch() -> None:
    """No document shows PFC frames by priority of all ports in one answer."""
    results = {each.check: each for each in checked(*RAIL, planting.paused("3", 10**9))}
    assert results["PauseShare"].outcome is Outcome.UNREAD


def test_a_refused_guess_is_unknown_and_not_unread() -> None:
    look = seen(*RAIL, planting.lose(planting.PRIORITIES))
    assert look.unread == {}
    assert ("pause-received",) in look.unknown


def test_what_another_chip_does_not_support_is_unknown_with_its_reason() -> None:
    refused = "Unavailable command (not supported on this hardware platform)"

    def plant(shown: dict[str, object]) -> None:
        shown[planting.TABLES] = {"errors": [refused]}

    look = seen("full", "fe-leaf01", plant)
    assert look.unread == {}
    assert "not supported" in look.unknown["capacity-used",]


def test_a_virtual_switch_has_no_hardware_and_no_difference() -> None:
    """As containerlab's cEOS, whose optics, queues and fans nobody can ask for."""
    lacks = (
        *(
            planting.DOM,
            planting.PHY,
            planting.QUEUES,
            planting.TABLES,
            planting.COOLING,
            planting.POWER,
        ),
        *(planting.HEAT, planting.STORMS, "show inventory", "show hardware tcam profile"),
        *("show priority-flow-control counters", "show qos interfaces ecn counters queue"),
    )
    cut = planting.both(
        *(planting.lose(command) for command in lacks),
        planting.put("show version", "modelName", "cEOSLab"),
    )
    wanted, look = bench("full").wanted["fe-leaf01"], seen("full", "fe-leaf01", cut)
    assert look.unread == {}
    assert look.unknown["light-received",] == "a virtual switch has no hardware"
    assert [each.attribute for each in compare(wanted, look)] == ["model"]


def test_a_command_that_hardware_refuses_is_unread() -> None:
    """Only a virtual switch may lack it."""
    assert seen("full", "fe-leaf01", planting.lose(planting.DOM)).unread


def test_open_sessions_of_a_push_are_not_of_others() -> None:
    look = seen("full", "fe-leaf01", planting.open_session("fabricgen-p1-3"))
    assert not look.of("pending")


def test_every_source_names_a_command_of_the_look() -> None:
    there = reader()
    lines = {each.line.split()[0] for each in there.questions({})}
    assert lines == {"show"}
    for topic, source in there.sources.items():
        assert source.asks.startswith("show "), topic
    metrics = {(name,) for name in there.measured}
    assert metrics <= there.sources.keys()
    assert there.about.keys() <= there.sources.keys()

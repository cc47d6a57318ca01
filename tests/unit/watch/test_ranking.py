"""The ten tightest are ranked over all kinds, and numbers without a threshold are left out."""

from dataclasses import replace

from tests.unit.watch.site import leaf, plans, reports, spine, to_server, to_switch
from tests.unit.watch.written import Series

from fabricgen.operate.state.watch.ranking import GROUP, POOL_ROOM, QUEUE, ROOM
from fabricgen.prove.catalogue.thresholds import HEADROOM, KMAX, POOL

LEAF, SPINE = leaf(), spine()
SERVER, UP, DOWN = to_server(LEAF), to_switch(LEAF), to_switch(SPINE)


def test_peaks_of_all_kinds_are_ranked_by_their_share() -> None:
    series = Series(plans())
    kmax, room = LEAF.numbers[KMAX, SERVER, "3"], SPINE.numbers[HEADROOM, DOWN, "4"]
    series.levels[LEAF.switch] = {
        ("queue-peak", SERVER, "3"): 1.5 * kmax,
        ("pool-headroom-peak", "pool"): 0.9 * LEAF.numbers[POOL,],
    }
    series.levels[SPINE.switch] = {("headroom-peak", DOWN, "4"): 0.7 * room}
    rows = reports(series).tightest
    assert len(rows) == 10
    assert [(row.kind, row.switch, row.port, row.number) for row in rows[:3]] == [
        (QUEUE, LEAF.switch, SERVER, "3"),
        (POOL_ROOM, LEAF.switch, "", "pool"),
        (ROOM, SPINE.switch, DOWN, "4"),
    ]
    assert [round(row.share, 3) for row in rows[:3]] == [1.5, 0.9, 0.7]
    assert (rows[0].peak, rows[0].computed, rows[0].sampled) == (1.5 * kmax, kmax, 60.0)
    assert rows[0].far == LEAF.ports[SERVER].far
    assert list(rows) == sorted(rows, key=lambda row: -row.share)


def test_a_peak_without_a_computed_threshold_is_not_ranked_and_not_fine() -> None:
    bare = replace(LEAF, numbers={})
    series = Series({LEAF.switch: bare})
    series.levels[LEAF.switch] = {("headroom-peak", SERVER, "3"): 1e9}
    report = reports(series)
    assert report.tightest == ()
    reasons = {each.rule: each.reason for each in report.gaps}
    assert reasons["HeadroomUse"] == "the model does not compute headroom"
    assert reasons["GroupPeak"] == "the model does not compute pause-at"


def test_a_group_is_never_ranked_against_less_than_the_designed_pause_point() -> None:
    """More peaks than the pool holds were at different times, so the threshold has a floor."""
    series = Series(plans())
    series.levels[LEAF.switch] = {("group-peak", port, "3"): 1e9 for port in (SERVER, UP)}
    rows = [row for row in reports(series).tightest if row.kind == GROUP]
    assert rows[0].computed == LEAF.numbers["pause-at", SERVER, "3"]

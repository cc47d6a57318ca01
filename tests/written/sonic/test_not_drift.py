"""What is unknown is neither right nor a difference, and what a storm changes is no drift."""

import json
from dataclasses import replace

import pytest
from tests.written.sonic.databases import CONFIG, COUNTERS, STATE
from tests.written.sonic.planting import MASK, SERVER, add, asic, count, lose, printed, put, uncount
from tests.written.sonic.served import Served, Written, written
from tests.written.sonic.site import BONDED, LOSSLESS, RELEASES

from fabricgen.nos.show import Observed
from fabricgen.nos.sonic.show.reader import SONIC
from fabricgen.prove.catalogue.engine import run
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Outcome, Result, Subject
from fabricgen.prove.differences import compare

MARKED = "SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS"
_ACCEPTED = {
    ("CountersPolled", "202405"): "ecn-marked not counted: the release does not count marked",
    ("CountersPolled", "202411"): "ecn-marked not counted: the release does not count marked",
}
"""Warnings of a right switch: its release has no such counter, and the check names it."""


def results(switch: Written, look: Observed) -> tuple[Result, ...]:
    """Run the catalogue, with a look a minute before that was alike."""
    assert look.clock is not None
    before = replace(look, clock=look.clock - 60)
    subject = Subject(expected=switch.expected, observed=look, before=before)
    return run(catalogue(), subject, SONIC)


@pytest.mark.parametrize("release", RELEASES)
def test_no_check_fails_on_a_right_switch(redis: Served, release: str) -> None:
    switch = written(LOSSLESS, release)
    for each in results(switch, redis.look(switch)):
        if (each.check, release) in _ACCEPTED:
            said = [one.sentence for one in each.findings]
            assert all(_ACCEPTED[each.check, release] in one for one in said)
        else:
            assert each.outcome in (Outcome.PASSED, Outcome.NOT_APPLICABLE), each


def test_a_priority_that_a_storm_cleared_is_no_drift(redis: Served) -> None:
    switch = written(LOSSLESS, "202505").copy()
    asic("PORT", SERVER, **{MASK: "0"})(switch)
    count(f"queue {SERVER}:3", PFC_WD_STATUS="stormed")(switch)
    storm = {"PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED": "1"}
    count(f"queue {SERVER}:3", **storm)(switch)
    failed = [
        each
        for each in results(switch, redis.look(switch))
        if each.outcome not in (Outcome.PASSED, Outcome.NOT_APPLICABLE)
    ]
    assert [each.check for each in failed] == ["PfcStorms"]


@pytest.mark.parametrize("release", ["202405", "202411"])
def test_marks_that_a_release_does_not_count_are_unknown(redis: Served, release: str) -> None:
    switch = written(LOSSLESS, release).copy()
    for name in (f"queue {SERVER}:{number}" for number in range(8)):
        count(name, **{MARKED: "0"})(switch)  # a value that nobody counts
    look = redis.look(switch)
    assert not [each for each in look.measures if each[0] == "ecn-marked"]
    assert look.unknown["ecn-marked",] == "the release does not count marked packets"


@pytest.mark.parametrize(
    ("group", "metric"),
    [
        ("WRED_ECN_QUEUE", "ecn-marked"),
        ("PORT", "pause-received"),
        ("QUEUE", "queue-drops"),
        ("PG_DROP", "group-drops"),
        ("PG_WATERMARK", "headroom-peak"),
        ("QUEUE_WATERMARK", "queue-peak"),
        ("BUFFER_POOL_WATERMARK", "pool-peak"),
    ],
)
@pytest.mark.parametrize("plant", ["disabled", "absent"])
def test_last_values_of_counters_that_are_off_are_unknown(
    redis: Served, group: str, metric: str, plant: str
) -> None:
    switch = written(LOSSLESS, "202505").copy()
    key = f"FLEX_COUNTER_TABLE|{group}"
    (lose(CONFIG, key) if plant == "absent" else put(CONFIG, key, FLEX_COUNTER_STATUS="disable"))(
        switch
    )
    look = redis.look(switch)
    assert not [each for each in look.measures if each[0] == metric]
    assert look.unknown[metric,] == f"the counters of the group {group} are switched off"
    assert metric not in look.sampled


def test_counters_of_a_young_switch_are_not_yet_there(redis: Served) -> None:
    switch = written(LOSSLESS, "202505").copy()
    printed("/proc/uptime", "864000.25", "90.5")(switch)
    for name in [each for each in switch.data.oids if each.startswith("queue ")]:
        if MARKED in switch.counters(name):
            uncount(name, MARKED)(switch)
    look = redis.look(switch)
    assert look.unknown["ecn-marked",] == "the switch started 90 s ago and has not counted yet"


def test_a_counter_without_number_is_absent(redis: Served) -> None:
    switch = written(LOSSLESS, "202505").copy()
    count(SERVER, SAI_PORT_STAT_IF_IN_ERRORS="N/A", SAI_PORT_STAT_IF_OUT_ERRORS="-1")(switch)
    switch.data.of[COUNTERS][f"RATES:{switch.data.oids[SERVER]}"]["FEC_PRE_BER"] = "-1"
    look = redis.look(switch)
    for metric in ("receive-errors", "transmit-errors", "pre-fec-ber"):
        assert (metric, SERVER) not in look.measures
        assert (metric, "Ethernet4") in look.measures


def test_rates_are_bits_and_lanes_without_light_have_a_number(redis: Served) -> None:
    switch = written(LOSSLESS, "202505").copy()
    switch.data.of[6][f"TRANSCEIVER_DOM_SENSOR|{SERVER}"]["rx2power"] = "-inf"
    look = redis.look(switch)
    assert look.measures["rate-received", SERVER] == 8 * 1250000.5
    assert look.measures["light-received", SERVER, "2"] == -40
    assert ("light-received", SERVER, "5") not in look.measures
    assert look.sampled["headroom-peak"] == 60


def test_more_headroom_than_computed_is_no_difference(redis: Served) -> None:
    switch = written(LOSSLESS, "202505").copy()
    group = switch.asic("INGRESS_PRIORITY_GROUP", f"group {SERVER}:3")
    oid = group["SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE"]
    profile = switch.data.of[1][f"ASIC_STATE:SAI_OBJECT_TYPE_BUFFER_PROFILE:{oid}"]
    profile["SAI_BUFFER_PROFILE_ATTR_XOFF_TH"] = "900000"
    assert redis.differences(switch) == ()


def test_a_message_has_no_control_character_of_a_switch(redis: Served) -> None:
    """A terminal obeys escapes, also in the name of a neighbor, a VLAN or a container."""
    bell = "\x1b]0;x\x07\u009b2J"
    switch = written(BONDED, "202505").copy()
    put(CONFIG, "DEVICE_METADATA|localhost", hostname=bell, hwsku=bell)(switch)
    put(STATE, "LAG_MEMBER_TABLE|PortChannel1|Ethernet0", runner__selected=bell)(switch)
    add(STATE, f"VLAN_TABLE|Vlan{bell}", state="{1}")(switch)
    printed("docker exec lldp", '"fe-spine1"', json.dumps(bell))(switch)
    printed("docker ps", "syncd\n", f"{bell}\n")(switch)
    look = redis.look(switch)
    messages = [each.sentence for each in compare(switch.expected, look)]
    messages += list(look.unread.values())
    assert len(messages) > 5
    assert [each for each in messages if not each.isprintable()] == []

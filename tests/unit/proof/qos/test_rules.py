"""From one port that differs in one fact: the sentence that says so, and no other."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.proof.qos.ports import (
    CLASSES,
    GOOD,
    GOOD_STORAGE,
    QOS,
    STRICT,
    WANTED,
    WANTED_STORAGE,
    other,
)

from fabricgen.model.fabric.port_qos import Lack, Marks, Serving, Watch
from fabricgen.prove.qos.rules import broken, paused_for_nothing

SHARE = GOOD.serving
NONE: frozenset[Lack] = frozenset()
FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "shut": ({"up": False}, "is shut, but a path runs over it"),
    "mtu": ({"mtu": 1500}, "has MTU 1500; it must be 9000"),
    "rate": ({"rate": 10**11}, "is scheduled as 100000000000 bit/s; its cable has 400G"),
    "trust": (
        {"trust": "cos"},
        "trusts cos; it must trust dscp",
    ),
    "no trust": ({"trust": None}, "trusts no marking that the file names"),
    "untagged": ({"default": 3}, "puts packets without DSCP into class 3; it must be 0"),
    "roce astray": (
        {"classes": other(CLASSES, 26, 0)},
        "puts DSCP 26 into class 0; it must be class 3 (lossless)",
    ),
    "intruder": (
        {"classes": other(CLASSES, 5, 3)},
        "puts DSCP 5 into class 3; it must be class 0 (best-effort)",
    ),
    "unmapped": ({"classes": other(CLASSES, 5, None)}, "puts DSCP 5 into no class"),
    "implied": ({"implied": frozenset({5, 6})}, "does not map DSCP 5, 6 in its file"),
    "shared queue": (
        {"queues": other(GOOD.queues, 6, 3), "stops": other(GOOD.stops, 6, 3)},
        "puts class 6 (cnp) into queue 3, which belongs to the lossless class",
    ),
    "no queue": (
        {"queues": other(GOOD.queues, 6, None), "stops": other(GOOD.stops, 6, None)},
        "gives class 6 (cnp) no queue",
    ),
    "stray class": (
        {"queues": other(GOOD.queues, 1, 3), "stops": other(GOOD.stops, 1, 3)},
        "lets the undefined class 1 into the queue of lossless",
    ),
    "no pause": (
        {"paused": frozenset(), "watched": frozenset()},
        "has PFC for nothing; it must be 3",
    ),
    "two pauses": (
        {"paused": frozenset({3, 4}), "watched": frozenset({3, 4})},
        "has PFC for 3, 4; it must be 3",
    ),
    "wrong stop": ({"stops": other(GOOD.stops, 3, 4)}, "lets a pause of priority 3 stop queue 4"),
    "no headroom": ({"headroom": {}}, "keeps no headroom for group 3 of the lossless class"),
    "too little": ({"headroom": {3: 499}}, "keeps 499 bytes for a pause; it must be at least 500"),
    "whole buffer": (
        {"sized": True},
        "keeps 500 bytes for a pause; it must be at least 600",
    ),
    "second group": ({"headroom": {3: 500, 4: 500}}, "keeps headroom for group 3, 4"),
    "wrong pause": ({"fills": other(GOOD.fills, 3, 0)}, "sends a pause of priority 3 for group 0"),
    "lossy in group": (
        {"groups": (0, 0, 0, 3, 3, 0, 0, 0)},
        "lets class 4 into the lossless group",
    ),
    "nobody's group": ({"groups": (0, 1, 0, 3, 0, 0, 0, 0)}, "puts class 1 into group 1"),
    "short cable": ({"cable": 4}, "keeps headroom for 4 m of cable; the cable has 5 m"),
    "alpha": (
        {"alpha": {3: -2}},
        "pauses at the threshold 2^-2 of free memory; the design has 2^0",
    ),
    "lossy memory": ({"keeps": frozenset()}, "never drops from queue nothing; it must be only 3"),
    "no marking": (
        {"marks": {}},
        "queue 3 has no marking; it must have marking of 1,000 to 2,000 bytes",
    ),
    "points": ({"marks": {3: Marks(1000, 2001, 5)}}, "queue 3 has marking of 1,000 to 2,001 bytes"),
    "chance": ({"marks": {3: Marks(1000, 2000, 6)}}, "with up to 6 %; it must have"),
    "drops": ({"marks": {3: Marks(1000, 2000, 5, spares=False)}}, "others dropped; it must have"),
    "marked elsewhere": (
        {"marks": {**GOOD.marks, 6: Marks(1, 2, 3)}},
        "queue 6 has marking of 1 to 2 bytes with up to 3 %; it must have no marking",
    ),
    "shared cnp": (
        {"serving": {**SHARE, 6: Serving(strict=False, share=0)}},
        "serves queue 6 of cnp with 0 %; it must be served strictly",
    ),
    "strict roce": ({"serving": {**SHARE, 3: STRICT}}, "serves queue 3 of lossless strictly"),
    "share": (
        {"serving": {**SHARE, 3: Serving(strict=False, share=61)}},
        "distributes 101 % of the line; it must be 100",
    ),
    "unserved": (
        {"serving": {**SHARE, 6: Serving(strict=False, share=None)}},
        "serves queue 6 of cnp with",
    ),
    "no watchdog": ({"watch": None, "watched": frozenset()}, "has no PFC watchdog; it must be"),
    "slow watchdog": (
        {"watch": Watch(100, 400, 300, "drop")},
        "has a watchdog of 100/400/300 ms (poll/detection/restoration) with action drop",
    ),
    "timers of a few ports, polled with many": (
        {"watch": Watch(100, 200, 300, "drop", by_software=True)},
        "with action drop; it must be a watchdog of 200/400/600 ms",
    ),
    "watching another": ({"watched": frozenset({4})}, "watches priority 4; PFC is on for 3"),
    "said by the reader": ({"faults": ("has an odd line",)}, "has an odd line"),
}


STORAGE = GOOD_STORAGE
STORAGE_FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "one pause": (
        {"paused": frozenset({3}), "watched": frozenset({3})},
        "has PFC for 3; it must be 3, 4",
    ),
    "no headroom": ({"headroom": {3: 500}}, "keeps no headroom for group 4 of the storage class"),
    "too little": ({"headroom": {3: 500, 4: 499}}, "keeps 499 bytes for a pause; it must be"),
    "one group": (
        {"groups": (0, 0, 0, 3, 3, 0, 0, 0), "headroom": {3: 500}, "alpha": {3: 0}},
        "has storage in group 3 of lossless; it must have its own",
    ),
    "groups swapped": (
        {"groups": (0, 0, 0, 4, 3, 0, 0, 0)},
        "sends a pause of priority 4 for group 4; the storage class is in group 3",
    ),
    "third group": (
        {"headroom": {3: 500, 4: 500, 5: 500}},
        "keeps headroom for group 3, 4, 5; it must be only 3, 4",
    ),
    "intruder": (
        {"groups": (0, 0, 0, 3, 4, 4, 0, 0)},
        "lets class 5 into the lossless group 4",
    ),
    "one queue": (
        {"queues": other(STORAGE.queues, 4, 3), "stops": other(STORAGE.stops, 4, 3)},
        "puts class 4 (storage) into queue 3, which belongs to the lossless class",
    ),
    "wrong stop": ({"stops": other(STORAGE.stops, 4, 3)}, "lets a pause of priority 4 stop queue"),
    "alpha": ({"alpha": {3: 0, 4: 1}}, "pauses at the threshold 2^1 of free memory"),
    "lossy memory": ({"keeps": frozenset({3})}, "never drops from queue 3; it must be only 3, 4"),
    "no marking": (
        {"marks": GOOD.marks},
        "queue 4 has no marking; it must have marking of 3,000 to",
    ),
    "points of data": (
        {"marks": {3: Marks(1000, 2000, 5), 4: Marks(1000, 2000, 5)}},
        "queue 4 has marking of 1,000 to 2,000 bytes",
    ),
    "share": (
        {"serving": {**STORAGE.serving, 4: Serving(strict=False, share=19)}},
        "serves queue 4 of storage with 19 %; it must be served with 20 %",
    ),
    "unwatched": ({"watched": frozenset({3})}, "watches priority 3; PFC is on for 3, 4"),
    "astray": (
        {"classes": other(STORAGE.classes, 4, 3)},
        "puts DSCP 4 into class 3; it must be class 4 (storage)",
    ),
    "data astray": (
        {"classes": other(STORAGE.classes, 26, 4)},
        "puts DSCP 26 into class 4; it must be class 3 (lossless)",
    ),
}


def test_a_sound_port_has_no_fault() -> None:
    assert broken(GOOD, WANTED, NONE) == ()
    assert broken(GOOD_STORAGE, WANTED_STORAGE, NONE) == ()


@pytest.mark.parametrize(("changes", "sentence"), STORAGE_FAULTS.values(), ids=STORAGE_FAULTS)
def test_a_fault_of_two_lossless_classes_is_said(changes: dict[str, Any], sentence: str) -> None:
    said = broken(replace(STORAGE, **changes), WANTED_STORAGE, NONE)
    assert any(sentence in fault for fault in said), said
    assert len(said) <= 6


@pytest.mark.parametrize(("changes", "sentence"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_said(changes: dict[str, Any], sentence: str) -> None:
    said = broken(replace(GOOD, **changes), WANTED, NONE)
    assert any(sentence in fault for fault in said), said
    assert len(said) <= 3


def test_computed_headroom_must_be_for_this_very_cable() -> None:
    longer = replace(GOOD, headroom={3: None}, cable=6)
    assert broken(longer, WANTED, NONE) == ("computes headroom for 6 m; the cable has 5 m",)
    assert broken(replace(GOOD, cable=6), WANTED, NONE) == ()  # a vendor's row may be longer


def test_without_a_source_no_bytes_are_claimed() -> None:
    unknown = replace(WANTED, least=None, alpha=None, buffer=None)
    said = broken(replace(GOOD, sized=True), unknown, NONE)
    assert said == ("keeps 500 bytes for a pause; no source has a value for this cable",)
    bare = replace(GOOD, sized=True, headroom={}, groups=(0,) * 8)
    assert broken(bare, unknown, NONE) == ()


def test_what_a_platform_lacks_is_accepted() -> None:
    unwatched = replace(GOOD, watch=None, watched=frozenset())
    assert broken(unwatched, WANTED, frozenset({Lack.WATCHDOG})) == ()
    assert broken(replace(GOOD, headroom={}), WANTED, frozenset({Lack.HEADROOM})) == ()


def test_classes_without_numbers_are_told_by_their_code_points() -> None:
    moved = {0: 5, 3: 3, 6: 1, 7: 0}
    bands = replace(
        GOOD,
        numbered=False,
        classes=tuple(moved[number or 0] for number in CLASSES),
        serving={5: SHARE[0], 3: SHARE[3], 1: STRICT, 0: STRICT},
    )
    assert broken(bands, WANTED, NONE) == ()


def test_a_design_without_pause_forbids_it() -> None:
    lossy = tuple(replace(item, paused=None) for item in QOS.classes)
    design = replace(WANTED, qos=replace(QOS, classes=lossy, watchdog=None))
    said = "; ".join(broken(GOOD, design, NONE))
    assert "has PFC for 3; it must be nothing" in said
    assert "keeps headroom for group 3, but no class is paused" in said
    assert "has a PFC watchdog, but the design has none" in said


def test_a_port_on_no_path_pauses_nothing() -> None:
    quiet = replace(GOOD, paused=frozenset(), watched=frozenset(), watch=None)
    quiet = replace(quiet, headroom={}, cable=0, keeps=frozenset())
    assert paused_for_nothing(quiet) == ()
    assert "is on no path" in paused_for_nothing(replace(quiet, paused=frozenset({3})))[0]
    assert "keeps memory" in paused_for_nothing(replace(quiet, cable=5))[0]


def test_a_qos_without_best_effort_is_judged_too() -> None:
    rest = tuple(item for item in QOS.classes if item.kind != "best-effort")
    assert broken(GOOD, replace(WANTED, qos=replace(QOS, classes=rest)), NONE) == (
        "distributes 60 % of the line; it must be 100",
    )

"""Traffic classes: every code point in one class, the profile's numbers, shares of the whole."""

from typing import Any

import pytest
from tests.unit.design.sites import R32, Keys, backend, fabric, findings, frontend, only

from fabricgen.compile.design.roce_profiles import PROFILES
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.qos import Kind, Marking, Qos

SPEED = BitsPerSecond.parse("400G")


def roce(**words: object) -> Keys:
    return backend("rail-only", R32, 4, roce=words)


def designed(**words: object) -> Qos:
    qos = fabric(roce(**words)).qos
    assert qos is not None
    return qos


def by_kind(qos: Qos) -> dict[Kind, int]:
    return {item.kind: item.number for item in qos.classes}


def test_a_backend_has_four_classes() -> None:
    assert by_kind(designed()) == {
        Kind.BEST_EFFORT: 0,
        Kind.LOSSLESS: 3,
        Kind.CNP: 6,
        Kind.CONTROL: 7,
    }


def test_storage_is_a_fifth_class_paused_on_its_own() -> None:
    qos = designed(storage={})
    assert by_kind(qos)[Kind.STORAGE] == 4
    assert qos.class_of(4).kind is Kind.STORAGE
    assert qos.paused == (3, 4)
    assert [item.share for item in qos.classes if not item.strict] == [33, 34, 33]


def test_storage_has_the_numbers_it_is_given() -> None:
    qos = designed(storage={"dscp": 18, "priority": 2, "share": 20})
    assert qos.class_of(18).number == 2
    assert qos.paused == (2, 3)
    assert [item.share for item in qos.classes if not item.strict] == [40, 20, 40]


@pytest.mark.parametrize(
    ("profile", "share", "shares"),
    [("arista-ai-leaf", 20, [4, 76, 20]), ("arista-ai-leaf", 98, [1, 1, 98])],
)
def test_a_profile_shares_what_storage_leaves(profile: str, share: int, shares: list[int]) -> None:
    qos = designed(profile=profile, storage={"share": share})
    assert [item.share for item in qos.classes if not item.strict] == shares


def test_a_scheduler_counts_storage() -> None:
    scheduler = {"lossless": 50, "best_effort": 30}
    qos = designed(scheduler=scheduler, storage={"share": 20})
    assert [item.share for item in qos.classes if not item.strict] == [30, 50, 20]


def test_storage_is_marked_by_its_own_points() -> None:
    ecn = {"minimum": 20_000, "maximum": 90_000, "probability": 7}
    data, storage = designed(storage={"ecn": ecn}).lossless
    assert storage.marking is not None
    assert data.marking is not None
    assert storage.marking[SPEED] == Marking(20_000, 90_000, 7)  # type: ignore[arg-type]
    assert data.marking[SPEED].probability == 20


@pytest.mark.parametrize("alone", [Kind.LOSSLESS, Kind.STORAGE])
def test_marking_may_be_off_for_one_class(alone: Kind) -> None:
    off: dict[str, Any] = {"enabled": False}
    storage = {"ecn": off} if alone is Kind.LOSSLESS else {}
    ecn = off if alone is Kind.STORAGE else {}
    marked = {item.kind for item in designed(ecn=ecn, storage=storage).classes if item.marking}
    assert marked == {alone}


def test_without_pause_storage_has_none_either() -> None:
    qos = designed(pfc=False, storage={})
    assert qos.lossless == ()
    assert by_kind(qos)[Kind.STORAGE] == 4


def test_a_frontend_has_two_classes_and_no_loss_protection() -> None:
    qos = fabric(frontend()).qos
    assert qos is not None
    assert by_kind(qos) == {Kind.BEST_EFFORT: 0, Kind.CONTROL: 7}
    assert qos.lossless == ()


def test_a_backend_without_roce_has_the_classes_of_a_frontend() -> None:
    assert by_kind(designed(enabled=False)) == {Kind.BEST_EFFORT: 0, Kind.CONTROL: 7}


@pytest.mark.parametrize("words", [{}, {"dscp": 0}, {"dscp": 56, "cnp": {"dscp": 63}}])
def test_every_code_point_is_in_one_class(words: dict[str, Any]) -> None:
    every = sorted(dscp for item in designed(**words).classes for dscp in item.dscps)
    assert every == list(range(64))


def test_a_code_point_finds_its_class() -> None:
    qos = designed(dscp=40)
    assert qos.class_of(40).kind is Kind.LOSSLESS
    assert qos.class_of(26).kind is Kind.BEST_EFFORT


@pytest.mark.parametrize("profile", PROFILES)
def test_the_shares_of_a_profile_make_a_whole(profile: str) -> None:
    shares = [item.share for item in designed(profile=profile).classes if not item.strict]
    assert sum(filter(None, shares)) == 100


@pytest.mark.parametrize(
    ("profile", "minimum", "maximum", "probability"),
    [
        ("nvidia-roce", 150_000, 1_500_000, 100),
        ("sonic-default", 1_048_576, 2_097_152, 5),
        ("arista-ai", 256_000, 512_000, 100),
        ("arista-ai-leaf", 256_000, 512_000, 100),
        ("cisco-nexus-ai", 150_000, 3_000_000, 7),
        ("hpcc-scaled", 1_600_000, 6_400_000, 20),  # 100 and 400 kB per 25G of port speed
    ],
)
def test_a_profile_marks_as_it_is_published(
    profile: str, minimum: int, maximum: int, probability: int
) -> None:
    (lossless,) = designed(profile=profile).lossless
    assert lossless.marking is not None
    assert lossless.marking[SPEED] == Marking(minimum, maximum, probability)  # type: ignore[arg-type]


def test_own_marking_points_replace_those_of_the_profile() -> None:
    (lossless,) = designed(ecn={"minimum": 20_000, "maximum": 90_000, "probability": 7}).lossless
    assert lossless.marking is not None
    assert lossless.marking[SPEED] == Marking(20_000, 90_000, 7)  # type: ignore[arg-type]


def test_marking_may_be_off() -> None:
    (lossless,) = designed(ecn={"enabled": False}).lossless
    assert lossless.marking is None


def test_without_pause_nothing_is_lossless_or_watched() -> None:
    qos = designed(pfc=False)
    assert qos.lossless == ()
    assert qos.watchdog is None


def test_the_watchdog_has_the_asked_timers() -> None:
    watchdog = designed(watchdog={"poll": 200, "detection": 400, "restoration": 800}).watchdog
    assert watchdog is not None
    assert (watchdog.poll, watchdog.detection, watchdog.restoration) == (200, 400, 800)
    assert watchdog.polling(1000) is watchdog


@pytest.mark.parametrize(
    ("words", "grows"),
    [
        ({}, True),
        ({"watchdog": {"action": "forward"}}, True),
        ({"watchdog": {"restoration": 400}}, False),
        ({"profile": "sonic-default"}, True),
        ({"profile": "sonic-default", "watchdog": {"poll": 100}}, False),
    ],
)
def test_timers_that_nobody_wrote_grow_with_the_ports(
    words: dict[str, Any], *, grows: bool
) -> None:
    watchdog = designed(**words).watchdog
    assert watchdog is not None
    assert watchdog.grows is grows
    assert watchdog.polling(32) == watchdog
    assert (watchdog.polling(33).detection == 2 * watchdog.detection) is grows


@pytest.mark.parametrize(
    ("words", "code", "path", "said"),
    [
        (
            {"scheduler": {"lossless": 60, "best_effort": 50}},
            Code.QUEUES_INCOMPLETE,
            ("scheduler",),
            "the shares add up to 60 + 50 = 110 %, not 100",
        ),
        (
            {"dscp": 48},
            Code.QUEUES_INCOMPLETE,
            ("cnp", "dscp"),
            "DSCP 48 cannot be used for RoCE data and CNP at once",
        ),
        (
            {"priority": 0},
            Code.QUEUES_INCOMPLETE,
            ("priority",),
            "priority 0 of RoCE data is already used by best effort",
        ),
        (
            {"priority": 7},
            Code.QUEUES_INCOMPLETE,
            ("priority",),
            "priority 7 of RoCE data is already used by routing protocols",
        ),
        (
            {"priority": 6},
            Code.QUEUES_INCOMPLETE,
            ("cnp", "priority"),
            "priority 6 of CNP is already used by RoCE data",
        ),
        (
            {"storage": {"share": 20}, "scheduler": {"lossless": 50, "best_effort": 50}},
            Code.QUEUES_INCOMPLETE,
            ("scheduler",),
            "the shares add up to 50 + 50 + 20 = 120 %, not 100",
        ),
        (
            {"storage": {"dscp": 26}},
            Code.QUEUES_INCOMPLETE,
            ("storage", "dscp"),
            "DSCP 26 of storage is already used by RoCE data",
        ),
        (
            {"storage": {"dscp": 48}},
            Code.QUEUES_INCOMPLETE,
            ("storage", "dscp"),
            "DSCP 48 of storage is already used by CNP",
        ),
        (
            {"storage": {"dscp": 56}},
            Code.QUEUES_INCOMPLETE,
            ("storage", "dscp"),
            "DSCP 56 of storage is already used by routing protocols",
        ),
        *(
            (
                {"storage": {"priority": priority}},
                Code.QUEUES_INCOMPLETE,
                ("storage", "priority"),
                f"priority {priority} of storage is already used by {owner}",
            )
            for priority, owner in (
                (0, "best effort"),
                (3, "RoCE data"),
                (6, "CNP"),
                (7, "routing protocols"),
            )
        ),
        (
            {"storage": {"ecn": {"minimum": 500_000, "maximum": 500_000}}},
            Code.MARKING_RULE,
            ("storage", "ecn"),
            "ECN of storage on 400G ports: Kmin below Kmax: 500,000 < 500,000",
        ),
        (
            {"watchdog": {"detection": 199}},
            Code.WATCHDOG_RULE,
            ("watchdog", "detection"),
            "PFC watchdog: detection spans two polls: 199 >= 2 x 100 ms",
        ),
        (
            {"watchdog": {"restoration": 150}},
            Code.WATCHDOG_RULE,
            ("watchdog", "restoration"),
            "PFC watchdog: restoration spans two polls: 150 >= 2 x 100 ms",
        ),
        (
            {"ecn": {"minimum": 900_000, "maximum": 900_000}},
            Code.MARKING_RULE,
            ("ecn",),
            "ECN on 400G ports: Kmin below Kmax: 900,000 < 900,000",
        ),
    ],
)
def test_classes_that_contradict_each_other_are_refused(
    words: dict[str, Any], code: Code, path: tuple[str, ...], said: str
) -> None:
    found = only(roce(**words))
    assert (found.code, found.path) == (code, ("backend", "roce", *path))
    assert found.message.startswith(said)


def test_a_watchdog_that_is_off_may_have_any_timers() -> None:
    assert not findings(roce(watchdog={"enabled": False, "detection": 100}))

"""Which changes of an intent are tried, in which order, and that only those that help are named."""

from collections.abc import Callable

from tests.unit.design.sites import backend, intent

from fabricgen.compile.design.port_memory import CABLES, NONE, ways_out
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.intent import LosslessFabric

POINTS = {"minimum": 100_000, "maximum": 200_000}


def words(near: int = 40, far: int = 100, **roce: object) -> Backend:
    servers = {"count": 8, "gpus": 2, "nic_speed": "400G", "cable_length": near}
    links = {"speed": "400G", "length": far}
    keys = backend("rail-optimized", "7060X6-64PE", 8, servers=servers, links=links, roce=roce)
    found = intent(keys).backend
    assert found is not None
    return found


def tried(given: Backend, helps: Callable[[Backend], bool] = lambda _: False) -> list[Backend]:
    """Every change that is tried, until one of its kind helps."""
    seen: list[Backend] = []

    def holds(changed: LosslessFabric) -> bool:
        assert isinstance(changed, Backend)
        seen.append(changed)
        return helps(changed)

    ways_out(given, holds)
    return seen


def test_what_helps_nobody_is_not_named() -> None:
    assert ways_out(words(), lambda _: False) == NONE


def test_of_each_kind_the_first_that_helps_is_named() -> None:
    given = words(profile="hpcc-scaled", storage={"ecn": POINTS}, ecn=POINTS, alpha=2)
    assert ways_out(given, lambda _: True) == (
        "remove roce.ecn.minimum and maximum; or "
        "set roce.congested_ingresses: 2, if at least that many feed a queue in equal parts; or "
        "remove roce.storage; or set roce.alpha: 3; or use cables of at most 50 m"
    )


def test_ingresses_are_tried_one_by_one_up_to_eight() -> None:
    for asked, first in ((None, 2), (1, 2), (5, 6)):
        given = words() if asked is None else words(congested_ingresses=asked)
        counts = [one.roce.congested_ingresses for one in tried(given)]
        assert [count for count in counts if count != asked] == list(range(first, 9))


def test_thresholds_are_tried_above_the_one_there_is() -> None:
    exponents = [one.roce.alpha for one in tried(words(alpha=4)) if one.roce.alpha != 4]
    assert exponents == [5, 6, 7]


def test_cables_are_shortened_to_each_length_and_never_made_longer() -> None:
    given = words(near=40, far=100)
    found = [
        (one.servers.cable_length, one.links.length)
        for one in tried(given)
        if (one.servers.cable_length, one.links.length) != (40, 100)
    ]
    limits = [int(limit) for limit in reversed(CABLES) if limit < 100]
    assert found == [(min(40, limit), limit) for limit in limits]


def test_points_that_are_written_are_left_out_alone() -> None:
    given = words(storage={"ecn": POINTS}, ecn={**POINTS, "probability": 7})
    first, second, *_ = tried(given)
    assert (first.roce.ecn.minimum, first.roce.ecn.maximum) == (None, None)
    assert first.roce.ecn.probability == 7
    assert first.roce.storage == given.roce.storage
    assert second.roce.ecn == given.roce.ecn
    assert second.roce.storage is not None
    assert second.roce.storage.ecn.minimum is None


def test_a_profile_and_a_storage_class_are_given_up_where_there_are_such() -> None:
    plain = tried(words())
    assert {one.roce.profile for one in plain} == {"computed"}
    assert {one.roce.storage for one in plain} == {None}
    changed = tried(words(profile="hpcc-scaled", storage={}))
    assert [one.roce.storage is None for one in changed].count(True) == 1
    assert [one.roce.profile for one in changed].count("computed") == 1

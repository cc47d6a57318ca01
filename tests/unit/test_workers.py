"""Work done by forked processes: the same results in the same order, and every end is noticed."""

import os
import signal
from collections.abc import Iterator

import pytest

from fabricgen.core.diagnostics import Code, Diagnostic, Failure
from fabricgen.core.workers import Forked, WorkerDied, mapped


def square(number: int) -> int:
    return number * number


@pytest.mark.parametrize("jobs", [1, 2, 3, 7])
def test_results_come_in_the_order_of_the_items(jobs: int) -> None:
    assert list(mapped(square, range(20), jobs)) == [square(number) for number in range(20)]


def test_the_work_is_done_by_other_processes() -> None:
    assert os.getpid() not in set(mapped(lambda _: os.getpid(), range(4), 2))


@pytest.mark.parametrize("jobs", [0, 1])
def test_one_job_is_done_here(jobs: int) -> None:
    assert set(mapped(lambda _: os.getpid(), range(4), jobs)) == {os.getpid()}


def test_more_jobs_than_items_is_no_error() -> None:
    assert list(mapped(square, range(2), 5)) == [0, 1]
    assert list(mapped(square, [], 3)) == []


def test_what_the_work_raises_is_raised_here() -> None:
    failure = Failure(Diagnostic(Code.OUTPUT_UNWRITABLE, "no"))

    def failing(number: int) -> int:
        if number == 3:
            raise failure
        return number

    with pytest.raises(Failure, match="no") as caught:
        list(mapped(failing, range(5), 2))
    assert caught.value.diagnostic == failure.diagnostic


def test_an_error_that_cannot_be_sent_arrives_as_its_words() -> None:
    def failing(_: int) -> int:
        error = ValueError("odd")
        error.inside = lambda: 0  # type: ignore[attr-defined]
        raise error

    with pytest.raises(RuntimeError, match="ValueError: odd"):
        list(mapped(failing, range(2), 2))


def test_a_worker_that_is_killed_is_an_error() -> None:
    def killed(number: int) -> int:
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    with pytest.raises(WorkerDied, match="SIGKILL"):
        list(mapped(killed, range(6), 2))


def test_a_worker_that_exits_is_an_error() -> None:
    def leaving(_: int) -> int:
        os._exit(3)

    with pytest.raises(WorkerDied, match="ended with 3"):
        list(mapped(leaving, range(2), 2))


def test_what_results_share_stays_one_object() -> None:
    common: tuple[str, list[str]] = ("shared", [])

    def sharing() -> Iterator[object]:
        yield from (common, common)

    one, other = Forked(sharing)
    assert one is other


def test_who_stops_asking_leaves_no_process() -> None:
    results = mapped(lambda _: os.getpid(), range(100_000), 2)
    pids = {next(results), next(results)}
    results.close()  # type: ignore[attr-defined]
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

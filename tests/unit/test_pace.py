"""How many are asked at a time, when how many of them are late; nothing here waits."""

import pytest

from fabricgen.core.pace import Pace

NAMES = tuple(f"leaf{number}" for number in range(1, 21))


class Machine:
    """Answers in time as long as not more than so many are asked at a time; the dead never do."""

    def __init__(self, pace: Pace, most: int, dead: tuple[str, ...] = ()) -> None:
        self.pace, self.most, self.dead = pace, most, dead
        self.asked: list[tuple[int, int]] = []

    def ask(self, names: tuple[str, ...]) -> dict[str, str]:
        at_once = min(self.pace.now, len(names))
        self.asked.append((len(names), at_once))
        slow = at_once > self.most
        return {name: "late" if slow or name in self.dead else "well" for name in names}

    def answers(self, names: tuple[str, ...] = NAMES) -> dict[str, str]:
        return self.pace.rounds(names, self.ask, lambda answer: answer == "late")


@pytest.mark.parametrize("most", range(1, 21))
def test_a_slow_machine_answers_for_every_switch_in_the_end(most: int) -> None:
    machine = Machine(Pace(50), most)
    assert set(machine.answers().values()) == {"well"}
    assert machine.asked[-1][1] <= most
    assert len(machine.asked) <= 6  # 20, 10, 5, 2, 1


def test_a_fast_machine_is_asked_once() -> None:
    machine = Machine(Pace(50), 50)
    machine.answers()
    assert machine.asked == [(20, 20)]


def test_a_quarter_that_is_dead_halves_nothing_and_is_asked_once() -> None:
    machine = Machine(Pace(50), 50, dead=NAMES[:5])
    found = machine.answers()
    assert machine.asked == [(20, 20)]
    assert [name for name, answer in found.items() if answer == "late"] == [*NAMES[:5]]


def test_more_than_a_quarter_are_asked_again_alone_and_then_given_up() -> None:
    machine = Machine(Pace(50), 50, dead=NAMES[:6])
    assert [*machine.answers().values()].count("late") == 6
    assert machine.asked == [(20, 20), (6, 6), (6, 3), (6, 1)]


def test_answers_are_in_the_order_of_the_names() -> None:
    assert [*Machine(Pace(4), 1).answers()] == [*NAMES]


def test_the_pace_is_kept_and_grows_by_rounds_without_a_late_answer() -> None:
    pace = Pace(8)
    Machine(pace, 2).answers()
    assert pace.now == 3
    fast = Machine(pace, 50)
    for _ in range(6):
        fast.answers()
    assert [at_once for _, at_once in fast.asked] == [3, 4, 5, 6, 7, 8]
    assert pace.now == 8


def test_nobody_is_asked_for_nothing() -> None:
    machine = Machine(Pace(4), 4)
    assert machine.answers(()) == {}
    assert machine.asked == []

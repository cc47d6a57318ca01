"""Chooses how many switches are asked at a time and lowers the number when answers are late.

A slow machine or network delays every answer, and asking all switches at once makes it slower. When
more than a quarter of a round is late, the next round asks half as many at a time. It also asks the
late ones again, down to one at a time. A single dead switch does not halve the number. Only counts
decide, never a clock.
"""

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

R = TypeVar("R")
_SHARE = 4  # a quarter
_FASTER = 4  # after a round without a late answer a quarter more, and at least one more


@dataclass(slots=True)
class Pace:
    """Number of switches that are asked at a time. `most`: initial number."""

    most: int
    now: int = field(init=False)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Start with the maximum."""
        self.now = self.most

    def is_worth_asking_again(self, asked: int, late: int) -> bool:
        """Record a round; return whether late switches may answer if fewer are asked."""
        with self._lock:
            at_once = min(self.now, asked)
            if late * _SHARE > asked and at_once > 1:
                self.now = at_once // 2
                return True
            if asked and not late:
                self.now = min(self.most, self.now + max(1, self.now // _FASTER))
            return False

    def rounds(
        self,
        names: Collection[str],
        ask: Callable[[tuple[str, ...]], Mapping[str, R]],
        is_late: Callable[[R], bool],
    ) -> dict[str, R]:
        """Ask all, and late ones again as long as that may help."""
        answers: dict[str, R] = {}
        left = tuple(names)
        while left:
            found = ask(left)
            answers |= found
            late = tuple(name for name in left if is_late(found[name]))
            if not self.is_worth_asking_again(len(left), len(late)):
                break
            left = late
        return {name: answers[name] for name in names}

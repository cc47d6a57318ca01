"""Decides by the health of switches whether a change may stay."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fabricgen.nos.health import Health, grown, lost
from fabricgen.operate.deploy.fleet import Outcome
from fabricgen.operate.deploy.push.model import BatchComparison
from fabricgen.operate.deploy.push.traffic_loss import cut

_PAUSE = 1.0  # seconds between two looks
_TWICE = 2  # looks in a row that have to be good: a session may fall right after the first
ERRORS = 10
"""Errors that a counter may gain while a change settles: links that come up lose some frames."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Opens when every switch is twice as healthy as before; shuts when that takes too long.

    patience: seconds. go_on: whether the operator wants to go on waiting. pause: seconds between
    two good looks; between others it is one second.
    """

    patience: float
    go_on: Callable[[], bool]
    pause: float

    def watch(
        self,
        before: Mapping[str, Health],
        look: Callable[[], Mapping[str, Outcome[Health]]],
        against: BatchComparison | None = None,
    ) -> dict[str, tuple[str, ...]]:
        """Return what is lost, by switch; empty when the change may stay.

        against: the batch beside the model, where there is one.
        """
        end, good = time.monotonic() + self.patience, 0
        while True:
            worse = judged(before, look(), against)
            good = 0 if worse else good + 1
            if good == _TWICE:
                return {}
            if worse and (time.monotonic() > end or not self.go_on()):
                return worse
            time.sleep(_PAUSE if worse else self.pause)


def judged(
    before: Mapping[str, Health],
    looks: Mapping[str, Outcome[Health]],
    against: BatchComparison | None,
) -> dict[str, tuple[str, ...]]:
    """Return what is worse by one look, by switch."""
    after = {name: it.value for name, it in looks.items() if it.value is not None}
    worse = {name: [f"does not answer: {looks[name].said}"] for name in looks.keys() - after}
    severed = cut(before, after)
    odd = against.new(after) if against is not None else {}
    for name, now in after.items():
        then = before[name]
        owed = against.owed(name, now) if against is not None else then
        worse[name] = [*lost(owed, now), *grown(then, now, ERRORS)]
        worse[name] += [*severed.get(name, ()), *odd.get(name, ())]
    return {name: tuple(worse[name]) for name in looks if worse[name]}

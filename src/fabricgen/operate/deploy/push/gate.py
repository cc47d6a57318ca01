"""Decide by the health of switches whether a change may stay."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fabricgen.nos.health import Health, grown, lost
from fabricgen.operate.deploy.fleet import Outcome
from fabricgen.operate.deploy.push.checked import ERRORS, counted
from fabricgen.operate.deploy.push.model import BatchComparison
from fabricgen.operate.deploy.push.traffic_loss import cut

_PAUSE = 1.0  # seconds between two snapshots
_TWICE = 2  # consecutive good snapshots: a session may fall right after the first


@dataclass(frozen=True, slots=True)
class Gate:
    """Passes after two healthy snapshots in a row; fails after the timeout.

    Attributes:
        patience: Timeout in seconds.
        go_on: Returns whether the operator wants to continue.
        pause: Seconds between two good snapshots. Otherwise the pause is one second.
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
        """Return the losses by switch; empty when the change may stay.

        against: comparison of the batch with the model, if available.
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
    """Return the losses in one snapshot, by switch."""
    after = {name: it.value for name, it in looks.items() if it.value is not None}
    worse = {name: [f"no answer: {looks[name].said}"] for name in looks.keys() - after}
    severed = cut(before, after)
    odd = against.new(after) if against is not None else {}
    for name, now in after.items():
        then = before[name]
        owed = against.owed(name, now) if against is not None else then
        worse[name] = [*lost(owed, now), *grown(then, now, ERRORS)]
        if against is None or name not in against.changed:  # else the catalogue has its checks
            worse[name] += counted(then.observed, now.observed)
        worse[name] += [*severed.get(name, ()), *odd.get(name, ())]
    return {name: tuple(worse[name]) for name in looks if worse[name]}

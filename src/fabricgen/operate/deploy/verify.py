"""Run the catalogue of checks on running switches."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from fabricgen.model.fabric.transition import Transition
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.questions import Answers
from fabricgen.nos.registry import required_reader
from fabricgen.nos.show import Observed
from fabricgen.operate.deploy.look import ask
from fabricgen.operate.deploy.setup import Deployment
from fabricgen.operate.state.verified import Verified, results_of, unasked
from fabricgen.operate.state.watch.checks import with_watch
from fabricgen.operate.state.watch.plans import lossless_plans
from fabricgen.prove.catalogue.model import Check
from fabricgen.prove.runs import Expected
from fabricgen.prove.sharing import Sharing
from fabricgen.prove.verifier import Verifier, expectations

Record = Callable[[str, Answers], None]
"""Stores the answers of a switch."""

_HELD = 16
"""Outputs that are held at the same time, because one switch may send megabytes (ours)."""
_PARSERS = 2
"""Outputs that are parsed at the same time: Python computes in one thread."""


def verified(
    ready: Deployment,
    checks: tuple[Check, ...],
    settle: float,
    drained: Collection[str] = (),
    recorder: Record | None = None,
    apart: float = 0.0,
) -> Verified:
    """Check each switch, repeatedly for up to `settle` seconds until its state is as designed.

    Args:
        ready: The switches.
        checks: The checks.
        settle: Seconds to wait for the designed state.
        drained: Switches that a plan drained, not the intent.
        recorder: Stores the answers.
        apart: Seconds until a second look, which shows growth and rates. 0: one look.
    """
    kept = dict.fromkeys(drained, Transition(drained=True))
    everywhere = expectations(ready.site, frozenset(ready.there), kept=kept)
    wanted = {name: each for name, each in everywhere.items() if name in ready.targets}
    asking = Asking(ready=ready, wanted=wanted, recorder=recorder)
    verifier = Verifier(asking.ask, wanted)
    looks = verifier.settle(settle) if wanted else {}
    if apart and looks:
        time.sleep(apart)
        looks = verifier.look(tuple(looks))
    ready.fleet.close(tuple(wanted))
    limits = ready.site.limits or WatchLimits()
    result = Verified(
        site=ready.site.name,
        checks=checks,
        looks=looks,
        results=results_of(looks, checks, limits),
        unread=asking.unread,
        unasked=unasked(ready.targets.values(), wanted),
    )
    if not apart:
        return result
    return with_watch(result, lossless_plans(ready.site, looks.keys()), asking.seconds, limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Asks switches, and keeps what their answers do not hold.

    Attributes:
        unread: Switches that did not answer, with the reason.
        times: Our times of the answers, by switch.
        held: Limits the outputs in memory.
        parsing: Limits the outputs that are parsed.
        sharing: Equal objects of all switches.
    """

    ready: Deployment
    wanted: Mapping[str, Expected]
    recorder: Record | None
    unread: dict[str, str] = field(default_factory=dict)
    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    held: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(_HELD))
    parsing: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(_PARSERS))
    sharing: Sharing = field(default_factory=Sharing)

    @property
    def seconds(self) -> dict[str, float]:
        """Return the time between the last two answers of each switch."""
        return {name: own[-1] - own[-2] for name, own in self.times.items() if len(own) > 1}

    def ask(self, requests: Mapping[str, str]) -> dict[str, Observed]:
        """Return the state of the switches that answer."""
        seen, unread = ask(self.ready.fleet, requests, self._taken, self.held)
        self.unread.update(unread)
        return seen

    def _taken(self, name: str, output: str) -> Observed:
        self.times[name].append(time.monotonic())
        with self.parsing:
            return self._parsed(name, output)

    def _parsed(self, name: str, output: str) -> Observed:
        """Return the state in an output, after its answers are recorded."""
        reader = required_reader(self.wanted[name].platform)
        answers = reader.decode(output)
        if self.recorder is not None:
            self.recorder(name, answers)
        return self.sharing.observed(reader.parse(answers))

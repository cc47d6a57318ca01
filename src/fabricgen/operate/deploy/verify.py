"""Compare running switches with their model."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from fabricgen.model.fabric.transition import Transition
from fabricgen.nos.driver import Transport
from fabricgen.operate.deploy.fleet import Fault, Stopped
from fabricgen.operate.deploy.setup import Deployment
from fabricgen.prove.differences import released
from fabricgen.prove.verifier import Look, Verifier, expectations


@runtime_checkable
class Readable(Protocol):
    """A driver whose switch runs shell scripts."""

    def read(self, script: str) -> str:
        """Run a read-only script and return its output."""


@dataclass(frozen=True, slots=True)
class Verified:
    """Result of a comparison.

    Attributes:
        unread: Switches that did not answer, with the reason.
        unasked: Switches without a state reader, by platform.
    """

    looks: Mapping[str, Look]
    unread: Mapping[str, str]
    unasked: Mapping[str, list[str]]

    @property
    def differences(self) -> list[str]:
        """Return each difference as a sentence."""
        return [each.sentence for look in self.looks.values() for each in look.differences]

    @property
    def unversioned(self) -> list[str]:
        """Return the switches whose intent names a release, but whose version was not read."""
        looks = self.looks.items()
        return [
            name for name, look in looks if all(look.expected.release) and not look.observed.runs
        ]


def verified(ready: Deployment, settle: float, drained: Collection[str] = ()) -> Verified:
    """Compare each switch with the model, repeatedly for up to `settle` seconds.

    drained: switches that a plan drained, not the intent.
    """
    kept = dict.fromkeys(drained, Transition(drained=True))
    everywhere = expectations(ready.site, frozenset(ready.there), kept=kept)
    wanted = {name: each for name, each in everywhere.items() if name in ready.targets}
    unasked: dict[str, list[str]] = defaultdict(list)
    for target in ready.targets.values():
        if target.name not in wanted:
            unasked[target.platform].append(target.name)
    unread: dict[str, str] = {}

    def ask(scripts: Mapping[str, str]) -> dict[str, str]:
        def read(driver: Transport, name: str) -> str:
            if not isinstance(driver, Readable):
                raise Stopped(Fault.FAILED, "its driver cannot run scripts")
            return driver.read(scripts[name])

        outcomes = ready.fleet.look(scripts, read)
        unread.update({name: it.said for name, it in outcomes.items() if it.value is None})
        return {name: it.value for name, it in outcomes.items() if it.value is not None}

    seen = Verifier(ask, wanted).settle(settle) if wanted else {}
    looks = {
        name: replace(
            look, differences=(*released(look.expected, look.observed), *look.differences)
        )
        for name, look in seen.items()
    }
    ready.fleet.close(tuple(wanted))
    return Verified(looks, unread, unasked)

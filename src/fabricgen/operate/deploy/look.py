"""Read the state of some switches once."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from fabricgen.core.tree.facts import Facts
from fabricgen.nos.driver import Transport
from fabricgen.nos.registry import required_reader
from fabricgen.nos.show import Observed
from fabricgen.operate.deploy.fleet import Fault, Fleet, Stopped
from fabricgen.operate.deploy.setup import Deployment
from fabricgen.operate.state.recordings import opened

T = TypeVar("T")


@runtime_checkable
class Readable(Protocol):
    """A driver whose switch answers requests of a reader."""

    def read(self, script: str) -> str:
        """Send a read-only request and return its output."""


def ask(
    fleet: Fleet,
    requests: Mapping[str, str],
    take: Callable[[str, str], T],
    held: AbstractContextManager[Any] | None = None,
) -> tuple[dict[str, T], dict[str, str]]:
    """Send each switch its request, and return what became of the outputs.

    Args:
        fleet: The switches.
        requests: Requests of readers, by switch.
        take: Takes the name of a switch and its output. It runs in several threads.
        held: Held from before a request until its output is taken.

    Returns:
        The results of `take`, and why the other switches have none.
    """

    def read(driver: Transport, name: str) -> T:
        if not isinstance(driver, Readable):
            raise Stopped(Fault.FAILED, "its driver cannot read the state")
        with held or nullcontext():
            return take(name, driver.read(requests[name]))

    outcomes = fleet.look(tuple(requests), read)
    taken = {name: it.value for name, it in outcomes.items() if it.value is not None}
    return taken, {name: it.said for name, it in outcomes.items() if it.value is None}


def look_at(
    ready: Deployment, wanted: Mapping[str, Facts]
) -> tuple[dict[str, Observed], dict[str, str]]:
    """Return the state of each switch that answered, and why the others did not.

    Args:
        ready: The site with its connections.
        wanted: Expected facts by switch, which decide about its questions.
    """
    there = ready.targets
    readers = {name: required_reader(there[name].platform) for name in wanted if name in there}
    requests = {name: reader.request(wanted[name]) for name, reader in readers.items()}
    seen, unread = ask(ready.fleet, requests, lambda name, output: readers[name].read(output))
    ready.fleet.close(tuple(requests))
    unread |= dict.fromkeys(wanted.keys() - requests, "no such running switch")
    return seen, unread


def read_recordings(
    place: Path, platforms: Mapping[str, str]
) -> tuple[dict[str, Observed], dict[str, str]]:
    """Return the recorded state of each switch, and why others have none.

    Args:
        place: Folder or tarball of a recording.
        platforms: Platform of each wanted switch.

    Raises:
        RecordingError: The recording cannot be opened.
    """
    with opened(place) as stored:
        seen = {
            name: required_reader(platform).parse(stored.answers(name))
            for name, platform in platforms.items()
            if name in stored.switches
        }
    return seen, dict.fromkeys(platforms.keys() - seen, "no recording of this switch")

"""Take looks at running switches."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fabricgen.nos.registry import reader_of
from fabricgen.nos.show import Reader
from fabricgen.operate.deploy.fleet import Fleet
from fabricgen.operate.deploy.look import ask
from fabricgen.operate.state.watch.hosts import cnps_sent
from fabricgen.operate.state.watch.looks import METRICS, Look, Seen, seen_of
from fabricgen.operate.state.watch.report import Sources
from fabricgen.prove.catalogue.thresholds import LosslessPlan

Readers = Callable[[str], Reader | None]
"""Returns the state reader of a platform."""


def sources_of(plans: Mapping[str, LosslessPlan], readers: Readers = reader_of) -> Sources:
    """Return the places of metrics in the answers, by platform."""
    platforms = {plan.platform for plan in plans.values()}
    found = ((name, readers(name)) for name in sorted(platforms))
    return {name: reader.sources for name, reader in found if reader is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """The running switches of a site.

    Attributes:
        hosts: Folder with counters of NICs. None: the NICs are not asked.
    """

    fleet: Fleet
    plans: Mapping[str, LosslessPlan]
    hosts: Path | None = None
    readers: Readers = reader_of
    clock: Callable[[], float] = time.monotonic

    def look(self) -> Look:
        """Ask every switch once."""
        readers: dict[str, Reader] = {}
        silent: dict[str, str] = {}
        for name, plan in self.plans.items():
            reader = self.readers(plan.platform)
            if reader is None:
                silent[name] = f"the state of {plan.platform} is not supported"
            else:
                readers[name] = reader

        def take(name: str, output: str) -> Seen:
            return seen_of(readers[name], readers[name].read(output), self.clock())

        requests = {
            name: reader.encode(reader.fast_questions(METRICS)) for name, reader in readers.items()
        }
        taken = self.clock()
        seen, unread = ask(self.fleet, requests, take)
        return Look(
            taken=taken,
            seen=seen,
            silent=silent | unread,
            cnps=None if self.hosts is None else cnps_sent(self.hosts, self._servers()),
        )

    def _servers(self) -> Collection[str]:
        return {
            port.far for plan in self.plans.values() for port in plan.lossless if port.to_server
        }


def repeated(
    look: Callable[[], Look],
    interval: float,
    lasts: float | None,
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Look]:
    """Yield looks that begin `interval` seconds apart.

    Args:
        look: Takes one look.
        interval: Seconds between the begins of two looks.
        lasts: Seconds from the first look to the last one. None: without end. At least one look
            follows the first.
        clock: Our time.
        sleep: Waits.
    """
    first = begun = clock()
    yield look()
    while True:
        sleep(max(0.0, begun + interval - clock()))
        begun = clock()
        yield look()
        if lasts is not None and begun - first >= lasts - interval / 2:
            return

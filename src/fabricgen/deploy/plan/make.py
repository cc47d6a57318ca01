"""A compiled site and its switches in, the plan of a push out."""

from __future__ import annotations

import getpass
import socket
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from fabricgen import __version__
from fabricgen.deploy.batches.plan import Wish, plan_batches
from fabricgen.deploy.plan.document import ID_LENGTH, RELOAD, Entry, Plan, PlannedBatch, identified

if TYPE_CHECKING:
    from fabricgen.deploy.fleet import Fleet, Outcome
    from fabricgen.deploy.plan.look import Lens
    from fabricgen.fabric.switch import Site

Told = Callable[[Entry], None]


def look_at_all(fleet: Fleet, lens: Lens, told: Told | None = None) -> tuple[Entry, ...]:
    """Look at every switch; one that cannot be looked at has an entry that says why."""

    def heard(name: str, outcome: Outcome[Entry]) -> None:
        if told is not None:
            told(_entry(lens, name, outcome))

    looks = fleet.each(lens.targets, lens.look, heard)
    fleet.close(lens.targets)
    return tuple(_entry(lens, name, outcome) for name, outcome in looks.items())


def _entry(lens: Lens, name: str, outcome: Outcome[Entry]) -> Entry:
    if outcome.value is not None:
        return outcome.value
    target, fault = lens.targets[name], outcome.fault
    return Entry(
        switch=name,
        fabric=target.fabric,
        platform=target.platform,
        state=str(fault.value if fault else ""),
        said=outcome.said,
        rendered=lens.texts.of(name).sha256,
    )


def planned(site: Site, entries: tuple[Entry, ...], wish: Wish) -> Plan:
    """Order what changes into batches; batches.Refused when it may not go together."""
    changing = [entry.switch for entry in entries if entry.state == "changes"]
    alone = frozenset(entry.switch for entry in entries if entry.path == RELOAD)
    batches = tuple(
        PlannedBatch(
            fabric=batch.fabric,
            switches=batch.switches,
            why=batch.why,
            stays=batch.stays,
            warnings=batch.warnings,
        )
        for batch in plan_batches(site, changing, replace(wish, alone=alone))
    )
    return identified(
        Plan(
            id="0" * ID_LENGTH,
            site=site.name,
            made=datetime.now(UTC).isoformat(timespec="milliseconds"),
            by=f"{operator()}@{socket.gethostname()}",
            tool=__version__,
            floor=wish.floor,
            together=wish.together,
            switches=entries,
            batches=batches,
        )
    )


def operator() -> str:
    """Return the account that is working here."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container may have no name for its user
        return "unknown"

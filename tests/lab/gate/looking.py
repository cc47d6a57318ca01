"""Looks at the switches of a lab as a push takes them, and what the gate says of two in a row."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.compiler import compile_site
from fabricgen.deploy.fleet import Outcome
from fabricgen.deploy.push.gate import judged
from fabricgen.deploy.push.model import Against, Model
from fabricgen.deploy.push.neighbours import chosen
from fabricgen.deploy.texts import Texts
from fabricgen.intent.load import load_site
from fabricgen.nos.linux.driver import health

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabricgen.lab.client import LabClient
    from fabricgen.nos.health import Health

SITE = Path(__file__).parent / "site"
PATIENCE = 120
"""Seconds for routing to notice: BFD and BGP's timers, on a machine that has other work."""

Worse = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Gatekeeper:
    """Stands at the gate of one batch of the lab: asks its switches and their neighbours."""

    client: LabClient
    model: Model

    @classmethod
    def of(cls, client: LabClient) -> Gatekeeper:
        site = compile_site(load_site(SITE)).site
        assert site is not None
        names = frozenset(each.name for each in site.fabrics[0].topology.switches)
        return cls(client, Model(site, Texts(site), names))

    def asked(self, *batch: str) -> tuple[str, ...]:
        """Return the batch and the neighbours that are asked."""
        return (*batch, *chosen(self.model.site, batch, self.model.there - set(batch)).names)

    def look(self, names: tuple[str, ...]) -> dict[str, Health]:
        said = self.client.ask(dict.fromkeys(names, health.SCRIPT))
        return {name: health.health_of(output) for name, output in said.items()}

    def watch(
        self, batch: tuple[str, ...], before: Mapping[str, Health], enough: Callable[[Worse], bool]
    ) -> Worse:
        """Look until what is worse is enough; return the last of it."""
        told = defaultdict[str, frozenset[tuple[str, ...]]](frozenset)
        against = Against(
            model=self.model, before=before, changed={name: told[name] for name in batch}
        )
        end = time.monotonic() + PATIENCE
        while True:
            now = self.look(tuple(before))
            worse = judged(before, {name: Outcome(it) for name, it in now.items()}, against)
            if enough(worse) or time.monotonic() > end:
                return worse

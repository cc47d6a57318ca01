"""Looks at the switches of a lab as a push takes them, and what the gate says of two in a row."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.lab.machinery import with_few_ports

from fabricgen.compile.compiler import compile_site
from fabricgen.core.tree.facts import Key
from fabricgen.intent.load import load_site
from fabricgen.nos.linux.driver import health, probes
from fabricgen.nos.linux.driver.driver import LinuxDriver
from fabricgen.nos.shared.agent_script import COMMAND
from fabricgen.operate.deploy.fleet import Outcome
from fabricgen.operate.deploy.push.gate import judged
from fabricgen.operate.deploy.push.model import BatchComparison, Model
from fabricgen.operate.deploy.push.neighbors import chosen
from fabricgen.operate.deploy.push.traffic_loss import answered, ends
from fabricgen.operate.deploy.texts import Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from fabricgen.nos.health import Health
    from fabricgen.nos.traffic import End
    from fabricgen.operate.lab.client import LabClient

SITE = with_few_ports(Path(__file__).parent / "site")
PATIENCE = 120
"""Seconds for routing to notice: BFD and BGP's timers, on a machine that has other work."""

Worse = dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Gatekeeper:
    """Stands at the gate of one batch of the lab: asks its switches and their neighbors."""

    client: LabClient
    model: Model

    @classmethod
    def of(cls, client: LabClient) -> Gatekeeper:
        site = compile_site(load_site(SITE)).site
        assert site is not None
        names = frozenset(each.name for each in site.fabrics[0].topology.switches)
        return cls(client, Model(site, Texts(site), names))

    def asked(self, *batch: str) -> tuple[str, ...]:
        """Return the batch and the neighbors that are asked."""
        return (*batch, *chosen(self.model.site, batch, self.model.there - set(batch)).names)

    def look(
        self, names: tuple[str, ...], before: Mapping[str, Health] | None = None
    ) -> dict[str, Health]:
        """Look at tables, and who answers; afterwards those are asked that answered before."""
        said = self.client.ask(dict.fromkeys(names, health.SCRIPT))
        looks = {name: health.health_of(output) for name, output in said.items()}
        known = {
            name: ends(seen.traffic) if before is None else answered(before[name])
            for name, seen in looks.items()
        }
        with ThreadPoolExecutor() as pool:
            reached = pool.map(lambda name: self._reach(name, known[name], looks[name]), looks)
        return {
            name: replace(look, traffic=replace(look.traffic, reached=who))
            for (name, look), who in zip(looks.items(), reached, strict=True)
        }

    def _reach(self, name: str, known: Collection[End], seen: Health) -> dict[End, bool]:
        asked = probes.asked(known, seen.traffic)
        program = LinuxDriver.AGENT.program({"do": "probe", "asked": list(asked.values())})
        done = self.client.execute(name, tuple(COMMAND.split()), program)
        return dict(zip(asked, json.loads(done.stdout)["ok"], strict=True))

    def watch(
        self, batch: tuple[str, ...], before: Mapping[str, Health], enough: Callable[[Worse], bool]
    ) -> Worse:
        """Look until what is worse is enough; return the last of it."""
        end = time.monotonic() + PATIENCE
        while True:
            worse = self.worse(batch, before)
            if enough(worse) or time.monotonic() > end:
                return worse

    def worse(self, batch: tuple[str, ...], before: Mapping[str, Health]) -> Worse:
        """Return what is worse by one look."""
        against = BatchComparison(
            model=self.model, before=before, changed=dict.fromkeys(batch, frozenset[Key]())
        )
        now = self.look(tuple(before), before)
        return judged(before, {name: Outcome(it) for name, it in now.items()}, against)

    def tables(self, batch: tuple[str, ...], before: Mapping[str, Health]) -> Worse:
        """Return what is worse to a gate that sends no packet."""
        silent = {
            name: replace(look, traffic=replace(look.traffic, reached={}))
            for name, look in before.items()
        }
        return self.worse(batch, silent)

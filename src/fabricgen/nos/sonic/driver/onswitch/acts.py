"""List the acts that lead a SONiC switch to another configuration, and those that undo them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from fabricgen.nos.shared.onswitch import state
from fabricgen.nos.shared.onswitch.refusal import StepError
from fabricgen.nos.sonic.driver.onswitch.apply import Updater, read_tables, whole
from fabricgen.nos.sonic.driver.onswitch.container import Container, note
from fabricgen.nos.sonic.driver.onswitch.routing import programs
from fabricgen.nos.sonic.driver.onswitch.tables import Tables, owned, patches

TABLES, ROUTING = "config_db.json", "frr.conf"
"""The files of a switch, as nos/sonic renders them."""


class Configuration(NamedTuple):
    """Managed tables, and frr.conf if there is one."""

    tables: Tables
    frr: str | None


Act = Callable[[], None]
SAVE, _REPLACE = ("config", "save", "-y"), ("config", "replace")


def carry_out(*lists: Iterable[Act]) -> None:
    """Run acts in order; StepError of the first that fails."""
    for act in chain(*lists):
        act()


class Way(NamedTuple):
    """The acts that change the running configuration to another one, each with its verification.

    Every act that the undo must know of notes that before it begins. So `back` alone undoes all
    acts, also in another process.
    """

    now: Configuration
    after: Configuration
    updater: Updater
    container: Container

    @property
    def _start(self) -> bool:
        """Whether other programs of FRR shall run."""
        return programs(self.now.tables) != programs(self.after.tables)

    def patches(self, *words: str) -> list[Act]:
        """Apply patches of CONFIG_DB one after the other."""
        steps = patches(self.now.tables, self.after.tables)
        return [
            partial(self.updater.run, "config", "apply-patch", *words, on=each) for each in steps
        ]

    def checks(self, tables: Mapping[str, Any]) -> list[Act]:
        """Validate the files of a reload by the image's models and FRR."""
        return [partial(self.updater.check, tables), partial(self.container.check, self.after.frr)]

    def in_place(self, touched: list[str]) -> list[Act]:
        """Apply a patch of CONFIG_DB, then frr.conf if it differs."""
        acts: list[Act] = []
        if TABLES in touched:
            acts = [partial(self.container.release, self.after.tables), *self.patches()]
        return [*acts, partial(self._route, changed=ROUTING in touched)]

    def _route(self, *, changed: bool) -> None:
        """Let FRR run its file if the file, the programs or the neighbors changed."""
        frr = self.after.frr
        if frr is not None and (changed or self._start or state.commit().get("released")):
            self.container.check(frr)
            self.container.route(frr, start=self._start)

    def by_reload(self) -> list[Act]:
        """Start every service with new tables and frr.conf, which the container bgp reads."""
        tables = whole(read_tables(), self.after.tables)
        return [
            *self.checks(tables),
            partial(note, reloaded=True),
            partial(self.container.lay, self.after.frr),
            partial(self.updater.reload, tables),
        ]

    def back(self, *, reloaded: bool) -> list[Act]:
        """Undo the noted acts: by a reload if there was one, else by GCU and commands."""
        tables = self.after.tables
        acts: list[Act] = [self._release, partial(self.updater.run, *_REPLACE, on=tables)]
        if reloaded:
            lay = partial(self.container.lay, self.after.frr)
            acts = [lay, partial(self.updater.restore, tables)]
        return [*acts, self._route_back]

    def _release(self) -> None:
        with contextlib.suppress(StepError):  # FRR may be the part that fails
            self.container.release(self.after.tables)

    def _route_back(self) -> None:
        if state.commit().get("routed"):
            self.container.back(self.after.frr, start=self._start)

    def verified(self) -> list[Act]:
        tables = owned(self.after.tables)
        return [
            partial(self.updater.verify, tables),
            partial(self.container.verify, self.after.frr),
        ]

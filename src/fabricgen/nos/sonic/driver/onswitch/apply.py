"""Tables in; a switch that runs them, or why it does not, out.

GCU is SONiC's generic config updater, sonic-net/sonic-utilities generic_config_updater: it applies
a patch change by change, does not undo what it did when a later change fails, and its ConfigLock
does nothing (generic_updater.py). `config replace` is what its own `rollback` does (the same file,
FileSystemConfigRollbacker), with a file of ours.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.nos.shared.onswitch import disk, state
from fabricgen.nos.shared.onswitch.commands import run
from fabricgen.nos.shared.onswitch.refusal import StepError
from fabricgen.nos.sonic.driver.onswitch.shown import masked
from fabricgen.nos.sonic.driver.onswitch.tables import owned, settled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabricgen.nos.sonic.driver.onswitch.tables import Tables


def read_tables() -> dict[str, Any]:
    """Return CONFIG_DB as GCU itself reads it (gu_common.py get_config_db_as_text)."""
    tables = json.loads(must(("sonic-cfggen", "-d", "--print-data")))
    assert isinstance(tables, dict)
    return tables


def must(words: Sequence[str], longest: float = 600) -> str:
    """Run a command and return what it prints; StepError when it fails."""
    done = run(words, longest, holds=True)
    if done.status:
        raise StepError(f"{' '.join(words[:2])}: {done.reason}")
    return done.out


class Updater(NamedTuple):
    """limits: seconds of one verb of GCU. known: secrets and tokens."""

    limits: Mapping[str, float]
    known: Mapping[str, str]

    def gcu(self, *words: str) -> None:
        """Run one of GCU's verbs: sonic-utilities config/main.py."""
        try:
            must(("config", *words), self.limits["updater_timeout"])
        except StepError as error:
            raise StepError(masked(str(error), self.known)) from None

    def gcu_on(self, document: Any, *words: str) -> None:
        """Run a verb on a JSON document."""
        data = json.dumps(document).encode()
        with disk.lent(state.passing() / "document.json", data) as where:
            self.gcu(*words, str(where))

    def verify(self, wanted: Tables) -> None:
        """Read back what runs; a tool that says it succeeded is not believed."""
        running = settled(owned(read_tables()), wanted)
        if running != wanted:
            names = {
                name for name in {**running, **wanted} if running.get(name) != wanted.get(name)
            }
            raise StepError(f"applied, but not as asked in {', '.join(sorted(names))}")

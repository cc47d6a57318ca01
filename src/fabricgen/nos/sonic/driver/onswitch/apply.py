"""Tables and a frr.conf in; a switch that runs them, or why it does not, out.

GCU is SONiC's generic config updater, sonic-net/sonic-utilities generic_config_updater: it applies
a patch change by change, does not undo what it did when a later change fails, and its ConfigLock
does nothing (generic_updater.py). `config replace` is what its own `rollback` does (the same file,
FileSystemConfigRollbacker), with a file of ours.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.nos.shared.onswitch import disk, state
from fabricgen.nos.shared.onswitch.commands import run
from fabricgen.nos.shared.onswitch.frr import RELOADER, Frr
from fabricgen.nos.shared.onswitch.refusal import StepError
from fabricgen.nos.sonic.driver.onswitch.routing import same
from fabricgen.nos.sonic.driver.onswitch.shown import masked
from fabricgen.nos.sonic.driver.onswitch.tables import owned, settled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabricgen.nos.sonic.driver.onswitch.tables import Tables

CONF = "etc/sonic/frr/frr.conf"  # docker_init.sh of docker-fpm-frr: split-unified
FILES = disk.Files(allowed=(CONF,), secret=(), frr="etc/sonic/frr/")
_BGP = ("docker", "exec", "bgp")
FRR = Frr(_BGP)
_TICK = 0.1


def read_tables() -> dict[str, Any]:
    """Return CONFIG_DB as GCU itself reads it (gu_common.py get_config_db_as_text)."""
    tables = json.loads(_must(("sonic-cfggen", "-d", "--print-data")))
    assert isinstance(tables, dict)
    return tables


def _must(words: Sequence[str], longest: float = 600) -> str:
    done = run(words, longest, holds=True)
    if done.status:
        raise StepError(f"{' '.join(words[:2])}: {done.reason}")
    return done.out


class Updater(NamedTuple):
    """limits: seconds of one verb of GCU and until FRR runs its file. known: secrets and tokens."""

    limits: Mapping[str, float]
    known: Mapping[str, str]

    def gcu(self, *words: str) -> None:
        """Run one of GCU's verbs: sonic-utilities config/main.py."""
        try:
            _must(("config", *words), self.limits["updater_timeout"])
        except StepError as error:
            raise StepError(masked(str(error), self.known)) from None

    def gcu_on(self, document: Any, *words: str) -> None:
        """Run a verb on a JSON document."""
        data = json.dumps(document).encode()
        with disk.lent(state.passing() / "document.json", data) as where:
            self.gcu(*words, str(where))

    def check(self, frr: str) -> None:
        """Let FRR's own parser read a file before it gets its place.

        rules/docker-fpm-frr.mk: the container sees /etc/sonic under the same path.
        """
        where = FILES.place(CONF)
        where.parent.mkdir(parents=True, exist_ok=True)
        with disk.lent(where.with_name("frr.conf.check"), frr.encode(), 0o640) as checked:
            if wrong := FRR.judge(checked):
                raise StepError(f"FRR refuses frr.conf: {wrong}")

    def lay(self, frr: str | None) -> None:
        """Give frr.conf its place, or none; what runs stays as it is."""
        if frr is None:
            FILES.remove(CONF)
        else:
            FILES.write(CONF, disk.File(frr.encode()))

    def route(self, frr: str | None, *, start: bool) -> None:
        """Make frr.conf run: by FRR's own reload where the container has it, else by a restart.

        start: other programs shall run in the container, which only its start decides. Nothing
        else takes lines away: `vtysh -b` only adds. A restart ends the BGP sessions; its start
        limit of three in twenty minutes is reset first (sonic-mgmt#26942). frr-pythontools is
        built, but community images do not install it (sonic-buildimage#12163); others do. A file
        that differs in order and comments only gets its place, and nothing else happens.
        """
        with state.locked():
            state.note(routed=True)
        longest = self.limits["updater_timeout"]
        old = FILES.read(CONF)
        self.lay(frr)
        if frr is not None:
            if not start and old is not None and same(old.text, frr):
                return
            if not start and not run((*_BGP, "test", "-e", RELOADER)).status:
                if wrong := FRR.reload(FILES.place(CONF), longest):
                    raise StepError(wrong)
                return
        _must(("systemctl", "reset-failed", "bgp"))
        _must(("systemctl", "restart", "bgp"), longest)

    def verify(self, wanted: Tables, frr: str | None) -> None:
        """Read back what runs; a tool that says it succeeded is not believed."""
        running = settled(owned(read_tables()), wanted)
        if running != wanted:
            names = {
                name for name in {**running, **wanted} if running.get(name) != wanted.get(name)
            }
            raise StepError(f"applied, but not as asked in {', '.join(sorted(names))}")
        if frr is None:
            return
        # A restart of the container may delete frr.conf (sonic-buildimage#27014).
        file = FILES.read(CONF)
        if file is None or file.text != frr:
            raise StepError("frr.conf was changed by something else")
        self._verify_routing(frr)

    def _verify_routing(self, frr: str) -> None:
        """Wait until FRR runs every BGP instance of the file and its BFD, and no other."""
        wanted = _instances(frr)
        until = time.monotonic() + self.limits["routing_timeout"]
        while True:
            try:
                running = _instances(FRR.running())
                if running == wanted:
                    return
                why = f"FRR runs {sorted(running)}, not {sorted(wanted)}"
            except StepError as error:  # the container is still starting
                why = str(error)
            if time.monotonic() > until:
                raise StepError(f"frr.conf does not run: {why}")
            time.sleep(_TICK)


def _instances(frr: str) -> set[str]:
    """Return the BGP instances, and BFD: each is run by a program that may not be there."""
    return {line for line in frr.splitlines() if line == "bfd" or line.startswith("router bgp ")}

"""Apply a new frr.conf to FRR in the container bgp and verify it.

Commands change a running FRR, or its own reload where the container has it. frr-pythontools is
built, but community images do not install it (sonic-buildimage#12163). Otherwise the container
restarts, which ends every BGP session of the switch.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.nos.shared.onswitch import disk, hidden, state
from fabricgen.nos.shared.onswitch.bound import leaving
from fabricgen.nos.shared.onswitch.commands import run
from fabricgen.nos.shared.onswitch.frr import RELOADER, Frr, ending
from fabricgen.nos.shared.onswitch.refusal import StepError
from fabricgen.nos.sonic.driver.onswitch import vtysh
from fabricgen.nos.sonic.driver.onswitch.apply import must
from fabricgen.nos.sonic.driver.onswitch.routing import homes, restarts, same

if TYPE_CHECKING:
    from fabricgen.nos.sonic.driver.onswitch.tables import Tables

CONF = "etc/sonic/frr/frr.conf"  # docker_init.sh of docker-fpm-frr: split-unified
FILES = disk.Files(allowed=(CONF,), secret=(), frr="etc/sonic/frr/")
_BGP = ("docker", "exec", "bgp")
FRR = Frr(_BGP)
_TICK = 0.1
_PASSES = 3
_TOLD = 5


class Container(NamedTuple):
    """FRR in the container bgp. `limits`: seconds of a restart, and until FRR runs its file."""

    limits: Mapping[str, float]

    def check(self, frr: str | None) -> None:
        """Validate a file, if any, by FRR's parser before it is placed.

        rules/docker-fpm-frr.mk: the container sees /etc/sonic under the same path.
        """
        if frr is None:
            return
        FILES.place(CONF).parent.mkdir(parents=True, exist_ok=True)
        with disk.temporary_file(_beside("check"), frr.encode(), 0o640) as checked:
            if wrong := FRR.judge(checked):
                raise StepError(f"FRR refuses frr.conf: {wrong}")

    def lay(self, frr: str | None) -> None:
        """Place frr.conf, or remove it; the running configuration does not change."""
        if frr is None:
            FILES.remove(CONF)
        else:
            FILES.write(CONF, disk.File(frr.encode()))

    def release(self, tables: Tables) -> None:
        """Remove the neighbors whose addresses move by new tables, so that BFD follows them.

        Call it before the tables change. `route` and `back` add the missing neighbors again.
        """
        if commands := leaving(FRR, homes(tables)):
            note(routed=True, released=True)
            if wrong := FRR.say(commands):
                raise StepError(wrong)

    def route(self, frr: str, *, start: bool) -> None:
        """Activate a file. `start`: other programs must run, which only a restart can select.

        The file is placed first: after a kill, the undo starts from it. A file that differs in
        order and comments only is placed without further steps.
        """
        note(routed=True)
        old = FILES.read(CONF)
        if old is None or start:
            self._restart(frr)
        elif same(old.text, frr) and not state.commit().get("released"):
            self.lay(frr)
        elif change := self._change(old.text, frr):
            self.lay(frr)
            change()
        else:
            self._restart(frr)

    def back(self, frr: str | None, *, start: bool) -> None:
        """Restore the previous file, by a restart if there was one or commands fail.

        The file is placed last: after a kill before that, the undo runs once more.
        """
        now = FILES.read(CONF)
        start = start or bool(state.commit().get("restarted"))
        change = None if now is None or frr is None or start else self._change(now.text, frr)
        if change is None:
            self._restart(frr)
            return
        try:
            change()
        except StepError as error:
            problem = f"the container bgp was restarted for the undo: {error}"
            note(problems=[*state.commit().get("problems", []), problem])
            self._restart(frr)
        self.lay(frr)

    def _change(self, old: str, new: str) -> Callable[[], None] | None:
        """Return the method that changes a running FRR from one file to another, or None.

        FRR's own reload supports every change except another ASN.
        """
        if not ending(old, new) and _reloads():
            return partial(self._reload, new)
        return None if restarts(old, new) else partial(self._command, old, new)

    def _command(self, old: str, new: str) -> None:
        """Change FRR from one file to another while it runs, and read back the result.

        The commands are tried several times, because one may need the space that a later one frees.
        """
        before = states = vtysh.States.of(FRR.running(), old, new)
        for _ in range(_PASSES):
            text = "".join(f"{line}\n" for line in vtysh.commands(states))
            with disk.temporary_file(_beside("change"), text.encode(), 0o640) as where:
                refusal = FRR.tell(where, self.limits["updater_timeout"])
            states = before._replace(running=vtysh.read(FRR.running()))
            wrong = vtysh.wrong(before, states.running, refused=bool(refusal))
            if not wrong:
                return
        why = "; ".join([*wrong[:_TOLD], refusal]).removesuffix("; ")
        raise StepError(f"FRR does not run frr.conf: {hidden.masked(hidden.ROUTING, why)}")

    def _reload(self, frr: str) -> None:
        self.lay(frr)
        if wrong := FRR.reload(FILES.place(CONF), self.limits["updater_timeout"]):
            raise StepError(wrong)

    def _restart(self, frr: str | None) -> None:
        """Restart the container: only this removes every line, as `vtysh -b` only adds lines.

        Its start limit of three in twenty minutes is reset first (sonic-mgmt#26942).
        """
        note(restarted=True)
        self.lay(frr)
        must(("systemctl", "reset-failed", "bgp"))
        must(("systemctl", "restart", "bgp"), self.limits["updater_timeout"])

    def verify(self, frr: str | None) -> None:
        """Wait until FRR runs exactly the BGP instances of the file, if any, and its BFD.

        A restart of the container may delete frr.conf (sonic-buildimage#27014).
        """
        if frr is None:
            return
        file = FILES.read(CONF)
        if file is None or file.text != frr:
            raise StepError("another program changed frr.conf")
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
                raise StepError(f"frr.conf is not active: {why}")
            time.sleep(_TICK)


def _reloads() -> bool:
    return not run((*_BGP, "test", "-e", RELOADER)).status


def _beside(name: str) -> Path:
    return FILES.place(CONF).with_name(f"frr.conf.{name}")


def note(**facts: Any) -> None:
    """Note the progress of a commit, so that its undo knows it even after a kill."""
    with state.locked():
        state.note(**facts)


def _instances(frr: str) -> set[str]:
    """Return the BGP instances, and BFD. Each has a program that may be missing."""
    return {line for line in frr.splitlines() if line == "bfd" or line.startswith("router bgp ")}

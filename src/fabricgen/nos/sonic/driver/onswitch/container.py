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
    """limits: seconds of a restart, and until FRR runs its file after one."""

    limits: Mapping[str, float]

    def check(self, frr: str | None) -> None:
        """Let FRR's own parser read a file, if any, before it gets its place.

        rules/docker-fpm-frr.mk: the container sees /etc/sonic under the same path.
        """
        if frr is None:
            return
        FILES.place(CONF).parent.mkdir(parents=True, exist_ok=True)
        with disk.temporary_file(_beside("check"), frr.encode(), 0o640) as checked:
            if wrong := FRR.judge(checked):
                raise StepError(f"FRR refuses frr.conf: {wrong}")

    def lay(self, frr: str | None) -> None:
        """Give frr.conf its place, or none; what runs stays as it is."""
        if frr is None:
            FILES.remove(CONF)
        else:
            FILES.write(CONF, disk.File(frr.encode()))

    def release(self, tables: Tables) -> None:
        """Take out the neighbors whose addresses move by new tables, so that BFD follows them.

        Before the tables change; `route` and `back` find them missing, and bring them.
        """
        if commands := leaving(FRR, homes(tables)):
            note(routed=True, released=True)
            if wrong := FRR.say(commands):
                raise StepError(wrong)

    def route(self, frr: str, *, start: bool) -> None:
        """Make a file run. start: other programs shall, which only the container's start decides.

        It gets its place first: killed after that, the switch goes back from it. One that differs
        in order and comments only gets its place, and nothing else happens.
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
        """Make the file run that ran before, by a restart where there was one or commands fail.

        It gets its place last: killed before that, the switch goes back once more.
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
            problem = f"the container bgp was restarted to go back: {error}"
            note(problems=[*state.commit().get("problems", []), problem])
            self._restart(frr)
        self.lay(frr)

    def _change(self, old: str, new: str) -> Callable[[], None] | None:
        """Return what brings a running FRR from one file to another; None where nothing does.

        Its own reload does all but another ASN.
        """
        if not ending(old, new) and _reloads():
            return partial(self._reload, new)
        return None if restarts(old, new) else partial(self._command, old, new)

    def _command(self, old: str, new: str) -> None:
        """Bring FRR from one file to another while it runs, and read back what it runs then.

        The commands are tried more than once: one may need the room that one after it makes.
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
        """Let FRR's own tool do it."""
        self.lay(frr)
        if wrong := FRR.reload(FILES.place(CONF), self.limits["updater_timeout"]):
            raise StepError(wrong)

    def _restart(self, frr: str | None) -> None:
        """Restart the container; nothing else takes away every line, as `vtysh -b` only adds.

        Its start limit of three in twenty minutes is reset first (sonic-mgmt#26942).
        """
        note(restarted=True)
        self.lay(frr)
        must(("systemctl", "reset-failed", "bgp"))
        must(("systemctl", "restart", "bgp"), self.limits["updater_timeout"])

    def verify(self, frr: str | None) -> None:
        """Wait until FRR runs every BGP instance of the file, if any, and its BFD, and no other.

        A restart of the container may delete frr.conf (sonic-buildimage#27014).
        """
        if frr is None:
            return
        file = FILES.read(CONF)
        if file is None or file.text != frr:
            raise StepError("frr.conf was changed by something else")
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


def _reloads() -> bool:
    return not run((*_BGP, "test", "-e", RELOADER)).status


def _beside(name: str) -> Path:
    return FILES.place(CONF).with_name(f"frr.conf.{name}")


def note(**facts: Any) -> None:
    """Note what a commit came to, so that its undoing knows after a kill, too."""
    with state.locked():
        state.note(**facts)


def _instances(frr: str) -> set[str]:
    """Return the BGP instances, and BFD: each is run by a program that may not be there."""
    return {line for line in frr.splitlines() if line == "bfd" or line.startswith("router bgp ")}

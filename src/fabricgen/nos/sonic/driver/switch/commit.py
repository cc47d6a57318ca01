"""A patch and a frr.conf in; a switch that runs them, or runs what it ran before, out.

This module runs on the switch: a commit that waits to be confirmed must outlive the connection that
began it. GCU is SONiC's generic config updater, sonic-net/sonic-utilities generic_config_updater:
it applies a patch change by change, does not undo what it did when a later change fails, and its
ConfigLock does nothing (generic_updater.py).
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

from fabricgen.nos.sonic.driver.switch.ground import (
    ANSWER,
    BGP,
    CHECKPOINTS,
    FRR,
    HOME,
    KEPT,
    RELOADER,
    ROUTING,
    TICK,
    StepError,
    boot,
    fingerprint,
    note,
    own,
    read,
    read_tables,
    run,
    settled,
    write,
)


class Commit:
    """One change of this switch, from the checkpoint to the confirmation or the way back."""

    def __init__(self, asked: dict[str, Any], lock: int) -> None:
        """Take what was asked; the lock is ours until we end."""
        self.asked, self.lock = asked, lock
        self.plan = asked["plan"]
        self.checkpoint = f"fabricgen-{self.plan}"
        self.patience = asked["patience"]

    def make(self) -> None:
        """Save, apply, verify; then wait, or go back."""
        try:
            self.save()
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing was changed yet
            note(phase="failed", said=f"nothing was changed: {self.said(error)}")
            return
        try:
            note(phase="applying")
            self.apply(self.asked["patch"], self.asked["frr"])
            self.verify(self.asked["wanted"], self.asked["frr"])
        except Exception as error:  # noqa: BLE001 - whatever it is, it must be undone
            self.revert(self.said(error))
            return
        if self.asked["seconds"] is None or self.awaited(self.asked["seconds"]):
            self.keep()
        else:
            self.revert("not confirmed")

    def save(self) -> None:
        """Write down what runs now. The checkpoint may hold secrets, so only root may read it."""
        tables = own(read_tables(), self.asked["owned"])
        if fingerprint(tables) != self.asked["before"]:
            raise StepError("the running configuration changed since it was compared")
        self.gcu("checkpoint", self.checkpoint, mask=0o077)
        kept = CHECKPOINTS / f"{self.checkpoint}.cp.json"
        kept.chmod(0o600)
        with kept.open() as file:
            os.fsync(file.fileno())
        ROUTING.mkdir(mode=0o700, exist_ok=True)
        before = FRR.read_text() if FRR.exists() else None
        if before is not None:
            write(ROUTING / self.plan, before)
        note(frr=before is not None)
        self.thin_out()

    def thin_out(self) -> None:
        """Keep the newest checkpoints of ours, and what belongs to them."""
        found = sorted(CHECKPOINTS.glob("fabricgen-*.cp.json"), key=lambda at: at.stat().st_mtime)
        for path in found[:-KEPT]:
            name = path.name[: -len(".cp.json")]
            if name != self.checkpoint:
                self.gcu("delete-checkpoint", name)
                (ROUTING / name[len("fabricgen-") :]).unlink(missing_ok=True)

    def gcu(self, *words: str, mask: int = 0o022) -> None:
        """Run one of GCU's verbs: sonic-utilities config/main.py."""
        run(("config", *words), self.lock, self.patience, mask)

    def apply(self, patch: list[Any], frr: str | None) -> None:
        """Apply a patch of CONFIG_DB, then frr.conf when it is another one."""
        if patch:
            file = HOME / "patch.json"
            write(file, json.dumps(patch))
            try:
                self.gcu("apply-patch", str(file))
            finally:
                file.unlink()
        if frr is not None and (not FRR.exists() or FRR.read_text() != frr):
            self.check(frr)
            note(routed=True)
            self.route(frr)

    def check(self, frr: str) -> None:
        """Let FRR's own parser read a file before it gets its place."""
        file = FRR.with_name("frr.conf.check")
        FRR.parent.mkdir(parents=True, exist_ok=True)
        write(file, frr, 0o640)
        try:  # rules/docker-fpm-frr.mk: the container sees /etc/sonic under the same path
            run((*BGP, "vtysh", "-C", "-f", str(file)), self.lock)
        finally:
            file.unlink()

    def route(self, frr: str | None) -> None:
        """Make frr.conf run: by FRR's own reload where the container has it, else by a restart.

        Nothing else takes lines away: `vtysh -b` only adds. A restart ends the BGP sessions; its
        start limit of three in twenty minutes is reset first (sonic-mgmt#26942).
        """
        if frr is None:
            FRR.unlink(missing_ok=True)
        else:
            write(FRR, frr, 0o640)
        if frr is not None and self.has_reload():
            run((*BGP, "python3", RELOADER, "--reload", str(FRR)), self.lock, self.patience)
            return
        run(("systemctl", "reset-failed", "bgp"), self.lock)
        run(("systemctl", "restart", "bgp"), self.lock, self.patience)

    def has_reload(self) -> bool:
        """Tell whether the container has FRR's reload tool."""
        try:
            run((*BGP, "test", "-e", RELOADER), self.lock)
        except StepError:
            return False
        return True

    def verify(self, wanted: dict[str, Any], frr: str | None) -> None:
        """Read back what runs; a tool that says it succeeded is not believed."""
        running = settled(own(read_tables(), self.asked["owned"]), wanted)
        if running != wanted:
            names = [
                name for name in {**running, **wanted} if running.get(name) != wanted.get(name)
            ]
            raise StepError(f"applied, but not as asked in {', '.join(sorted(names))}")
        if frr is None:
            return
        # A restart of the container may delete frr.conf (sonic-buildimage#27014).
        if not FRR.exists() or FRR.read_text() != frr:
            raise StepError("frr.conf was changed by something else")
        self.verify_routing(frr)

    def verify_routing(self, frr: str) -> None:
        """Wait until FRR runs every BGP instance of the file, and no other."""
        wanted = {line.strip() for line in frr.splitlines() if line.startswith("router bgp ")}
        until = time.monotonic() + self.asked["routing"]
        while True:
            try:
                said = run((*BGP, "vtysh", "-c", "show running-config"), self.lock)
                found = {row.strip() for row in said.splitlines() if row.startswith("router bgp ")}
                if found == wanted:
                    return
                why = f"FRR runs {sorted(found)}, not {sorted(wanted)}"
            except StepError as error:  # the container is still starting
                why = str(error)
            if time.monotonic() > until:
                raise StepError(f"frr.conf does not run: {why}")
            time.sleep(TICK)

    def awaited(self, seconds: float) -> bool:
        """Wait until somebody confirms; False when nobody does in time, or it is taken back."""
        note(phase="waiting", deadline=time.monotonic() + seconds, boot=boot())
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            answer = read(ANSWER) or {}
            if answer.get("plan") == self.plan:
                return bool(answer["keep"])
            time.sleep(TICK)
        return False

    def keep(self) -> None:
        """Make it what the switch boots with; until then a reboot brings the old tables back."""
        try:
            self.gcu("save", "-y")
        except StepError as error:
            note(phase="confirmed", said=f"it runs, but is not saved: {self.said(error)}")
            return
        note(phase="confirmed", said="")

    def revert(self, why: str) -> None:
        """Bring back what ran before, by GCU's own checkpoint, and look whether it did."""
        state = note(phase="reverting", said=why)
        try:
            self.gcu("rollback", self.checkpoint)
            before = json.loads((CHECKPOINTS / f"{self.checkpoint}.cp.json").read_text())
            old = (ROUTING / self.plan).read_text() if state.get("frr") else None
            if state.get("routed"):
                self.route(old)
            wanted = own(before, self.asked["owned"])
            self.verify(wanted, old)
        except Exception as error:  # noqa: BLE001 - the next who asks must know it
            note(said=f"{why}; what ran before is NOT back: {self.said(error)}")
            return
        note(phase="reverted", said=why)

    def said(self, error: Exception) -> str:
        """Say an error without the secrets; one that is not a step's own needs its kind."""
        text = str(error) if isinstance(error, StepError) else repr(error)
        for secret, hidden in self.asked["hide"].items():
            text = text.replace(secret, hidden)
        return text

"""All of CONFIG_DB in; a switch whose every service started anew with it, or why not, out.

`config reload FILE` (sonic-utilities config/main.py, the same flags from 202405 to master) stops
sonic.target, empties CONFIG_DB, loads init_cfg.json and FILE over it, migrates them and starts
sonic.target: each container with what it runs, and interfaces-config, so that eth0 is gone for some
ten seconds. From 202505 it validates FILE by YANG before it stops anything.
"""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.nos.shared.onswitch import disk, state
from fabricgen.nos.shared.onswitch.commands import run
from fabricgen.nos.shared.onswitch.refusal import StepError
from fabricgen.nos.sonic.driver.onswitch.shown import masked
from fabricgen.nos.sonic.driver.onswitch.tables import OWNED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.nos.sonic.driver.onswitch.tables import Tables

_TICK = 1.0
_TARGET = "sonic.target"
# What `config reload` does from 202505 on (config_file_yang_validation), asked of every release:
# src/sonic-yang-mgmt/sonic_yang.py of sonic-buildimage has had these calls since 2020.
_VALIDATOR = """\
import json, sys, sonic_yang
models = sonic_yang.SonicYang("/usr/local/yang-models")
models.loadYangModel()
models.loadData(configdbJson=json.load(open(sys.argv[1])))
models.validate_data_tree()
"""


def whole(running: Mapping[str, Any], wanted: Tables) -> dict[str, Any]:
    """Return all of CONFIG_DB: our tables as they shall be, the image's own as they run."""
    return {**{name: rows for name, rows in running.items() if name not in OWNED}, **wanted}


def working(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return what works now: active services, and ports that are up, with their settings."""
    up = {port: tables.get("PORT", {}).get(port) for port in _ports_up()}
    return {"services": _active(_services()), "ports": up}


def _services() -> list[str]:
    """Return what sonic.target starts, as config/main.py _get_sonic_services asks it."""
    lines = run(("systemctl", "list-dependencies", "--plain", _TARGET)).out.splitlines()[1:]
    return sorted(line.strip() for line in lines if line.strip().endswith(".service"))


def _active(services: list[str]) -> list[str]:
    if not services:
        return []
    words = run(("systemctl", "is-active", *services)).out.split()
    return [name for name, word in zip(services, words) if word == "active"]


def _ports_up() -> list[str]:
    """Return the ports that are up: scripts/portstat, whose STATE is U for them."""
    _, brace, text = run(("portstat", "-j")).out.partition("{")
    try:
        rows = json.loads(brace + text) if brace else {}
    except ValueError:
        return []
    return sorted(port for port, row in rows.items() if row.get("STATE") == "U")


class Reload(NamedTuple):
    """before: what worked, of `working`. limits: seconds of a program, and until all works again.

    known: secrets and their tokens.
    """

    before: Mapping[str, Any]
    limits: Mapping[str, float]
    known: Mapping[str, str]

    def check(self, tables: Mapping[str, Any]) -> None:
        """Let the models of the image judge a file before anything is stopped."""
        self._on(tables, ("python3", "-c", _VALIDATOR), "the YANG models refuse it")

    def load(self, tables: Mapping[str, Any], *, force: bool = False) -> None:
        """Start every service anew with these tables, and wait until all that worked works.

        force: though SONiC thinks that its services are still starting, as on the way back.
        """
        words = ("config", "reload", "-y", *(("-f",) if force else ()))
        self._on(tables, words, "config reload")
        longest = self.limits["reload_timeout"]
        until = time.monotonic() + longest
        while missing := self.missing(tables):
            if time.monotonic() > until:
                first, more = missing[0], len(missing) - 1
                others = f" and {more} more" if more else ""
                raise StepError(f"{longest:g} s after the reload {first}{others} is still down")
            time.sleep(_TICK)

    def missing(self, tables: Mapping[str, Any]) -> list[str]:
        """Return which services, and ports whose settings stay, do not work as before."""
        active = _active(list(self.before["services"]))
        lost = [f"service {each}" for each in self.before["services"] if each not in active]
        same = {
            port
            for port, fields in self.before["ports"].items()
            if tables.get("PORT", {}).get(port) == fields
        }
        return lost + [f"port {each}" for each in sorted(same - set(_ports_up()))]

    def _on(self, tables: Mapping[str, Any], words: tuple[str, ...], what: str) -> None:
        """Run a program on a file of tables; StepError, without a secret, when it fails."""
        data = json.dumps(tables).encode()
        with disk.lent(state.passing() / "config_db.json", data) as where:
            done = run((*words, str(where)), self.limits["updater_timeout"], holds=True)
        if done.status:
            raise StepError(masked(f"{what}: {done.reason}", self.known))

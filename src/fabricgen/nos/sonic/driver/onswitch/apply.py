"""Apply tables to a SONiC switch by its updater or by a reload, and read them back.

GCU is SONiC's generic config updater, sonic-net/sonic-utilities generic_config_updater. It applies
a patch change by change and does not undo earlier changes when a later one fails. Its ConfigLock
does nothing (generic_updater.py). `config replace` with a rendered file does what GCU's own
`rollback` does (the same file, FileSystemConfigRollbacker).
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.nos.shared.onswitch import disk, state
from fabricgen.nos.shared.onswitch.commands import run
from fabricgen.nos.shared.onswitch.refusal import StepError
from fabricgen.nos.sonic.driver.onswitch.shown import masked
from fabricgen.nos.sonic.driver.onswitch.tables import OWNED, owned, settled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.nos.sonic.driver.onswitch.tables import Tables


# `config reload FILE` (sonic-utilities config/main.py, the same flags from 202405 to master) stops
# sonic.target and empties CONFIG_DB. It loads init_cfg.json and then FILE, migrates them and starts
# sonic.target. That starts all containers and interfaces-config, so eth0 is absent for some ten
# seconds. From 202505 it validates FILE by YANG before it stops anything.

_TICK = 1.0
_TARGET = "sonic.target"
# `config reload` does this from 202505 on (config_file_yang_validation). fabricgen does it on every
# release: src/sonic-yang-mgmt/sonic_yang.py of sonic-buildimage has had these calls since 2020.
_VALIDATOR = """\
import json, sys, sonic_yang
models = sonic_yang.SonicYang("/usr/local/yang-models")
models.loadYangModel()
models.loadData(configdbJson=json.load(open(sys.argv[1])))
models.validate_data_tree()
"""


def whole(running: Mapping[str, Any], wanted: Tables) -> dict[str, Any]:
    """Return the complete CONFIG_DB: managed tables as wanted, the image's own as they run."""
    return {**{name: rows for name, rows in running.items() if name not in OWNED}, **wanted}


def working(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the working state: active services, and ports that are up, with their settings."""
    up = {port: tables.get("PORT", {}).get(port) for port in _ports_up()}
    return {"services": _active(_services()), "ports": up}


def _services() -> list[str]:
    """Return the services of sonic.target, like config/main.py _get_sonic_services."""
    lines = run(("systemctl", "list-dependencies", "--plain", _TARGET)).out.splitlines()[1:]
    return sorted(line.strip() for line in lines if line.strip().endswith(".service"))


def _active(services: list[str]) -> list[str]:
    if not services:
        return []
    words = run(("systemctl", "is-active", *services)).out.split()
    return [name for name, word in zip(services, words) if word == "active"]


def _ports_up() -> list[str]:
    """Return the ports that are up, with the STATE U in scripts/portstat."""
    _, brace, text = run(("portstat", "-j")).out.partition("{")
    try:
        rows = json.loads(brace + text) if brace else {}
    except ValueError:
        return []
    return sorted(port for port, row in rows.items() if row.get("STATE") == "U")


Works = Mapping[str, Any]
"""The services that worked before a reload; see `working`."""
NOTHING: Works = MappingProxyType({})


class Updater(NamedTuple):
    """Runs SONiC's updater. `limits`: seconds of a program, and of the recovery after a reload.

    `known`: secrets and their tokens. `works`: the state before, from `working`.
    """

    limits: Mapping[str, float]
    known: Mapping[str, str]
    works: Works = NOTHING

    def run(self, *words: str, on: Any = None, label: str = "") -> None:
        """Run a program on an optional JSON document; StepError without secrets if it fails.

        `label`: beginning of the error, instead of the first words of the command.
        """
        longest, what = self.limits["updater_timeout"], label or " ".join(words[:2])
        if on is None:
            done = run(words, longest, holds=True)
        else:
            data = json.dumps(on).encode()
            with disk.temporary_file(state.passing() / "document.json", data) as where:
                done = run((*words, str(where)), longest, holds=True)
        if done.status:
            raise StepError(masked(f"{what}: {done.reason}", self.known))

    def check(self, tables: Mapping[str, Any]) -> None:
        """Validate a file by the image's models before any service stops."""
        self.run("python3", "-c", _VALIDATOR, on=tables, label="the YANG models refuse it")

    def reload(self, tables: Mapping[str, Any], *words: str) -> None:
        """Restart every service with these tables, and wait until the working state is back.

        words: `-f` restarts them although SONiC considers them as still starting.
        """
        self.run("config", "reload", "-y", *words, on=tables)
        longest = self.limits["reload_timeout"]
        until = time.monotonic() + longest
        while missing := self.missing(tables):
            if time.monotonic() > until:
                others = f" and {len(missing) - 1} more" if missing[1:] else ""
                late = f"{missing[0]}{others} is still down"
                raise StepError(f"{longest:g} s after the reload {late}")
            time.sleep(_TICK)

    def restore(self, tables: Mapping[str, Any]) -> None:
        """Reload with the saved CONFIG_DB, unless it runs and everything works."""
        if read_tables() != tables or self.missing(tables):
            self.reload(tables, "-f")

    def missing(self, tables: Mapping[str, Any]) -> list[str]:
        """Return the services, and ports with unchanged settings, that do not work as before."""
        active = _active(list(self.works["services"]))
        lost = [f"service {each}" for each in self.works["services"] if each not in active]
        same = {
            port
            for port, fields in self.works["ports"].items()
            if tables.get("PORT", {}).get(port) == fields
        }
        return lost + [f"port {each}" for each in sorted(same - set(_ports_up()))]

    def verify(self, wanted: Tables) -> None:
        """Read back the configuration, without trust in the exit status of tools."""
        running = settled(owned(read_tables()), wanted)
        if running != wanted:
            names = {
                name for name in {**running, **wanted} if running.get(name) != wanted.get(name)
            }
            raise StepError(f"applied, but {', '.join(sorted(names))} differ from the candidate")


def read_tables() -> dict[str, Any]:
    """Return CONFIG_DB as GCU itself reads it (gu_common.py get_config_db_as_text)."""
    tables = json.loads(must(("sonic-cfggen", "-d", "--print-data")))
    assert isinstance(tables, dict)
    return tables


def must(words: Sequence[str], longest: float = 600) -> str:
    """Run a command and return its output; StepError if it fails."""
    done = run(words, longest, holds=True)
    if done.status:
        raise StepError(f"{' '.join(words[:2])}: {done.reason}")
    return done.out

"""Rate the effect of a change of config_db.json or frr.conf by the rules of risk.txt.

The classes follow what fabricgen's driver does. `config apply-patch` (GCU) changes config_db.json
and leaves the services running. Commands change the running FRR, or the container bgp restarts. A
change that only `config reload` can apply restarts all services, and is a reboot.
"""

import re
from collections.abc import Iterator
from importlib.resources import files

from fabricgen.core.tree.risk import Change, Dialect, Kind, Risk, Rule, grows
from fabricgen.core.tree.rules import rules
from fabricgen.core.tree.settings import Path, Settings, tables
from fabricgen.nos.shared.description import MOVED, moves
from fabricgen.nos.shared.frr import risk as frr
from fabricgen.nos.sonic.driver.onswitch.routing import PROGRAMS, restarts

_RELOAD = (
    "sonic-utilities doc/Command-Reference.md, config reload (stops and restarts all services)"
)
_PORT = re.compile(r"Ethernet\d+")


def _rests(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether a port is idle: it was shut, is shut now, or its complete cage was."""
    match = next((hit for word in path[1:] if (hit := _PORT.search(word))), None)
    if not match:
        return False
    port = ("PORT", match[0])
    if port in before and _shut(port, before):
        return True
    if port in after and _shut(port, after):
        return True
    cage = after.get((*port, "index"))
    if port in before or cage is None:
        return False
    others = [key[:2] for key, value in before.items() if _is_index(key) and value == cage]
    return bool(others) and all(_shut(other, before) for other in others)


def _shut(port: Path, state: Settings) -> bool:
    return state.get((*port, "admin_status"), "down") == "down"  # the YANG model's own default


def _is_index(key: Path) -> bool:
    return len(key) == 3 and key[0] == "PORT" and key[2] == "index"


def _comes_up(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether the new state of a port is up."""
    del before
    return after.get(path) == "up"


def _is_new(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether the LAG of an entry is new, too."""
    del after
    return len(path) > 1 and ("PORTCHANNEL", path[1].rpartition("|")[2]) not in before


_AGAIN = "which restarts: every BGP session of the switch ends"
_TABLE = (files(__package__) / "risk.txt").read_text()
RULES = rules(
    _TABLE,
    {"moves": moves, "rests": _rests, "grows": grows, "comes_up": _comes_up, "is_new": _is_new},
    MOVED=MOVED,
    PROGRAMS="|".join(PROGRAMS),
    RELOAD=_RELOAD,
    AGAIN=_AGAIN,
)[""]
UNKNOWN = Rule(
    r".*",
    Risk.REBOOT,
    "not known: unclassified change, only a config reload is sure to apply it",
    _RELOAD,
)

DIALECTS = (
    frr.dialect(r"frr\.conf"),
    Dialect(file=re.compile(r".*"), read=tables, rules=RULES, unknown=UNKNOWN),
)

_RESTART = Rule(
    where="",
    risk=Risk.SESSION_RESET,
    why=f"the driver cannot change this in a running FRR. It uses the container bgp, {_AGAIN}",
    source="no release has frr-reload.py in it: sonic-buildimage rules/docker-fpm-frr.mk",
)


def restart(before: str, after: str) -> Iterator[Change]:
    """Yield the line of frr.conf for which the driver restarts the container bgp."""
    if before != after and (line := restarts(before, after)):
        yield Change(file="frr.conf", where=(line,), kind=Kind.CHANGED, rule=_RESTART, known=True)

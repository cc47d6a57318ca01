"""Rate the effect of a change of a Linux switch's files on traffic by the rules of risk.txt.

ifreload -a, frr-reload.py, sysctl --system and the units of fabricgen apply the change. These units
run their complete file again.
"""

import re
from collections.abc import Iterable
from importlib.resources import files

from fabricgen.core.tree.risk import CAUTION, Dialect, Risk, Rule, grows
from fabricgen.core.tree.rules import rules
from fabricgen.core.tree.settings import Path, Settings, ini, lines, script, sections, whole
from fabricgen.nos.shared.description import MOVED, moves
from fabricgen.nos.shared.frr import risk as frr

_LIST = re.compile(r"(bridge-vids|bridge-ports|bond-slaves) (.+)")


def _fold(line: str) -> Iterable[Path]:
    """Split lists, so that one new item is one change."""
    match = _LIST.fullmatch(line)
    return [(match[1], word) for word in match[2].split()] if match else [(line,)]


def _rests(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether a port is kept down, before or after."""
    down = (path[0], "link-down yes")
    return down in before or down in after


def _more(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether a line only adds an interface, or an address or member of a list."""
    del before, after
    word = path[1].split(" ")[0] if len(path) > 1 else "address"
    return word in ("address", "bridge-vids", "bridge-ports", "bond-slaves", "pre-up")


_RULES = rules(
    (files(__package__) / "risk.txt").read_text(),
    {"moves": moves, "rests": _rests, "grows": grows, "more": _more},
    MOVED=MOVED,
)
UNKNOWN = Rule(
    r".*",
    Risk.LOSSLESS_DISRUPTIVE,
    "not known: unclassified change, drain the switch first",
    CAUTION,
)


def _interfaces(text: str) -> Settings:
    return sections(text, fold=_fold)


_SERVICE_FILES = (
    r"etc/(?:hostname|issue\.net|resolv\.conf|chrony/chrony\.conf|lldpd\.d/fabricgen\.conf|snmp/.*|"
    r"rsyslog\.d/90-fabricgen\.conf|ssh/.*|"
    r"sysusers\.d/.*|tmpfiles\.d/.*|fabricgen/passwords)"
)
_FILES = (
    (r"etc/network/interfaces", _interfaces, "interfaces"),
    (r"etc/fabricgen/tc\.batch", script, "queues"),
    (r"etc/fabricgen/dcb\.sh", script, "asic"),
    (r"etc/fabricgen/(?:zones|management)\.nft", script, "zones"),
    (r"etc/fabricgen/marks\.nft", script, "marks"),
    (r"etc/fabricgen/breakout\.sh", script, "cages"),
    (r"etc/sysctl\.d/.*", lines, "sysctls"),
    (r"etc/frr/daemons", lines, "daemons"),
    (r"etc/systemd/.*", ini, "units"),
    (r"etc/udev/.*", lines, "names"),
    (_SERVICE_FILES, lines, "services"),
    (r".*", whole, ""),  # custom files too: every character counts
)
DIALECTS = (
    frr.dialect(r"etc/frr/frr\.conf"),
    *(
        Dialect(file=re.compile(file), read=read, rules=_RULES[kind], unknown=UNKNOWN)
        for file, read, kind in _FILES
    ),
)

"""Rate the effect of a change of eos.cfg on traffic by the rules of risk.txt.

A configuration session applies the change, and it applies only the differences. If no document
of Arista describes the effect on the hardware, the class is cautious and the row says so.
"""

import re
from collections.abc import Iterable
from importlib.resources import files

from fabricgen.core.tree.risk import CAUTION, Dialect, Risk, Rule, raised
from fabricgen.core.tree.rules import rules
from fabricgen.core.tree.settings import Path, Settings, sections
from fabricgen.nos.shared import bgp_lines as bgp
from fabricgen.nos.shared.description import MOVED, moves

_CAGE = re.compile(r"interface Ethernet(\d+)(?:/\d+)?")
_TRUNK = re.compile(r"(switchport trunk allowed vlan) (\d{1,4}(?:[,-]\d{1,4})*)")


def _fold(line: str) -> Iterable[Path]:
    """Split a list of VLANs, so that one new VLAN is one change; split BGP lines as in BGP."""
    trunk = _TRUNK.fullmatch(line)
    if not trunk:
        return bgp.fold(line)
    ranges = [word.split("-") for word in trunk[2].split(",")]
    vlans = [vlan for ends in ranges for vlan in range(int(ends[0]), int(ends[-1]) + 1)]
    return [(trunk[1], str(vlan)) for vlan in vlans]


def _rests(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether a port is idle: it was shut, is shut now, or its complete cage was."""
    head = path[:1]
    if (*head, "shutdown") in before or (*head, "shutdown") in after:
        return True
    cage = _CAGE.fullmatch(path[0])
    if head in before or not cage:
        return False
    ports = [
        item
        for item in before
        if len(item) == 1 and (other := _CAGE.fullmatch(item[0])) and other[1] == cage[1]
    ]
    return bool(ports) and all((*port, "shutdown") in before for port in ports)


def _managed(path: Path, before: Settings, after: Settings) -> bool:
    """Return whether a static route belongs to the VRF without routing: management's."""
    closed = (f"no ip routing vrf {path[0].split()[3]}",)
    return closed in before or closed in after


def _read(text: str) -> Settings:
    return sections(text, fold=_fold, ends=frozenset({"end"}))


_TABLE = (files(__package__) / "risk.txt").read_text()
RULES = rules(
    _TABLE,
    {
        "moves": moves,
        "rests": _rests,
        "new_session": bgp.new_session,
        "managed": _managed,
        "raised": raised,
    },
    MOVED=MOVED,
)[""]
UNKNOWN = Rule(
    r".*",
    Risk.LOSSLESS_DISRUPTIVE,
    "not known: unclassified change, drain the switch first",
    CAUTION,
)

DIALECTS = (Dialect(file=re.compile(r".*"), read=_read, rules=RULES, unknown=UNKNOWN),)

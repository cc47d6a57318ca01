"""What a change of eos.cfg does to the traffic of a switch: a table of rules, each with its source.

The change is taken to be applied by a configuration session, which applies only what differs.
Where no document of Arista says what the hardware does, the class is cautious and the row says so.
"""

import re
from collections.abc import Iterable

from fabricgen.nos.eos.risk_ports import CLASSES, PORTS
from fabricgen.nos.eos.risk_routing import OVERLAY, ROUTING
from fabricgen.nos.shared import bgp_lines as bgp
from fabricgen.nos.shared.description import MOVED, moves
from fabricgen.tree.risk import CAUTION, CHANGED, USE, Dialect, Risk, Rule
from fabricgen.tree.settings import Path, Settings, sections

HITLESS, SESSION, LOSSLESS, REBOOT = Risk

# The warnings EOS prints at these commands, as CloudVision hands them on.
_WARNINGS = "warnings of EOS in aristanetworks/cvprac test/unit/test_api.py"

_TRUNK = re.compile(r"(switchport trunk allowed vlan) (\d{1,4}(?:[,-]\d{1,4})*)")


def _fold(line: str) -> Iterable[Path]:
    """Take a list of VLANs apart, so that one more is one more; else as BGP does."""
    trunk = _TRUNK.fullmatch(line)
    if not trunk:
        return bgp.fold(line)
    ranges = [word.split("-") for word in trunk[2].split(",")]
    vlans = [vlan for ends in ranges for vlan in range(int(ends[0]), int(ends[-1]) + 1)]
    return [(trunk[1], str(vlan)) for vlan in vlans]


def _read(text: str) -> Settings:
    return sections(text, fold=_fold, ends=frozenset({"end"}))


SYSTEM = (
    Rule(
        r"service routing protocols model (?P<value>\S+)",
        REBOOT,
        "takes effect only after the switch was rebooted",
        _WARNINGS,
    ),
    Rule(
        r"hardware tcam.*",
        REBOOT,
        "the forwarding agents exit and restart, and what they forward is dropped",
        _WARNINGS,
    ),
    Rule(r"interface \S+ > description (?P<value>.*)", SESSION, MOVED, USE, CHANGED, when=moves),
    Rule(r"(?:.* > )?description (?P<value>.*)", HITLESS, "a remark", USE),
    Rule(
        r"(?:hostname|dns domain|ip domain lookup|ip name-server|lldp|logging|ntp|snmp-server|"
        r"no snmp-server|banner|username|no aaa|aaa|management|ip access-list standard GNMI|"
        r"interface Management\d+|ip route vrf \S+ 0\.0\.0\.0/0|no ip routing vrf)\b.*",
        HITLESS,
        "management only; a wrong address or account loses the way to the switch, not traffic",
        USE,
    ),
    Rule(
        r"spanning-tree mode (?P<value>.*)",
        SESSION,
        "every bridged port is blocked until the new mode has converged",
        CAUTION,
    ),
    Rule(
        r"vlan internal order (?P<value>.*)",
        SESSION,
        "routed ports take their internal VLAN from this range",
        CAUTION,
    ),
)
RULES = (*SYSTEM, *PORTS, *CLASSES, *OVERLAY, *ROUTING)
UNKNOWN = Rule(
    r".*", LOSSLESS, "not known: no rule speaks of it, so the switch is to be drained", CAUTION
)

DIALECTS = (Dialect(file=re.compile(r".*"), read=_read, rules=RULES, unknown=UNKNOWN),)

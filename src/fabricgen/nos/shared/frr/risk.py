"""What a change of frr.conf does to the sessions of a switch: the rules of risk.txt.

The change is taken to be applied by frr-reload.py or as it does, by the lines that differ alone.
FRR forwards nothing itself, so the worst it can do is to lose routes and sessions.
"""

import re
from importlib.resources import files

from fabricgen.core.tree.risk import Dialect, Risk, Rule, raised
from fabricgen.core.tree.rules import rules
from fabricgen.core.tree.settings import Settings, sections
from fabricgen.nos.shared import bgp_lines as bgp

_ENDS = frozenset({"exit", "exit-vrf", "exit-vni", "exit-address-family", "end"})
_TABLE = (files(__package__) / "risk.txt").read_text()
RULES = rules(
    _TABLE,
    {"new_session": bgp.new_session, "policy_alone": bgp.policy_alone, "raised": raised},
)[""]
UNKNOWN = Rule(
    r".*",
    Risk.SESSION_RESET,
    "not known: no rule speaks of it, so sessions may be reset",
    "cautious: FRR has no queues, it can only lose routes and sessions",
)


def _read(text: str) -> Settings:
    return sections(text, fold=bgp.fold, ends=_ENDS)


def dialect(file: str) -> Dialect:
    """Return how frr.conf is judged, for an OS that has it at `file`."""
    return Dialect(file=re.compile(file), read=_read, rules=RULES, unknown=UNKNOWN)

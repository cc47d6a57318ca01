"""Rate the effect of a change of frr.conf on sessions by the rules of risk.txt.

frr-reload.py applies the change, or commands apply only the differing lines in the same way. FRR
itself forwards no packets, so a change can at worst lose routes and sessions.
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
    _TABLE, {"new_session": bgp.new_session, "policy_alone": bgp.policy_alone, "raised": raised}
)[""]
UNKNOWN = Rule(
    r".*",
    Risk.SESSION_RESET,
    "not known: unclassified change, so sessions may be reset",
    "cautious: FRR has no queues, it can only lose routes and sessions",
)


def _read(text: str) -> Settings:
    return sections(text, fold=bgp.fold, ends=_ENDS)


def dialect(file: str) -> Dialect:
    """Return the risk rules of frr.conf at `file`."""
    return Dialect(file=re.compile(file), read=_read, rules=RULES, unknown=UNKNOWN)

"""Build the reader of any SONiC switch from the CONFIG_DB and FRR tables, fabricgen's and foreign.

A VRF keeps its complete name here, because others do not use fabricgen's prefix.
"""

import re
from importlib.resources import files

from fabricgen.core.tree.database import Database
from fabricgen.nos.nos import Foreign
from fabricgen.nos.shared.frr.grammar import foreign_frr, ordered
from fabricgen.nos.shared.hiding import hiding
from fabricgen.nos.shared.onswitch.hidden import ROUTING
from fabricgen.nos.sonic.hiding import hide
from fabricgen.nos.sonic.readings import READINGS

_SIGN = re.compile(
    r'\A\s*\{(?s:.*)"(?:DEVICE_METADATA|PORT|BGP_NEIGHBOR|VLAN_MEMBER|LOOPBACK_INTERFACE)"\s*:\s*\{'
)


def _table(name: str) -> str:
    return (files(__package__) / name).read_text()


_WHOLE = re.compile(r"(?m)^(?:SWITCH_HASH|BUFFER_POOL|BUFFER_PROFILE)\n   \.\.\.\n")
"""Tables of grammar.txt that other readers check, with fields in foreign.txt."""
_GRAMMAR = (_WHOLE.sub("", _table("grammar.txt")) + _table("foreign.txt")).replace(
    "Vrf_<vrf>", "<vrf>"
)
FOREIGN = Foreign(
    signs={"config_db.json": _SIGN},
    grammar={"config_db.json": Database(_GRAMMAR, READINGS), "frr.conf": foreign_frr()},
    ordered={"frr.conf": ordered},
    hidden={"config_db.json": hide, "frr.conf": hiding((ROUTING,))},
)

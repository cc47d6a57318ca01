"""The tables of grammar.txt in; the grammar of each file of a Linux switch out."""

import re
from importlib.resources import files

from fabricgen.core.tree.grammar import Grammar
from fabricgen.core.tree.whole import Judged, Whole, Witness
from fabricgen.nos.linux.names import frr_names
from fabricgen.nos.linux.readback.marks import MarksFile
from fabricgen.nos.linux.readback.tc import Batch
from fabricgen.nos.linux.readback.zones import ZonesFile
from fabricgen.nos.shared.frr.grammar import frr_grammar

_FILE = re.compile(r"(?m)^== (\S+)\n")


_, *_PARTS = _FILE.split((files(__package__) / "grammar.txt").read_text())
_TABLES = dict(zip(_PARTS[::2], _PARTS[1::2], strict=True))


def table_of(path: str) -> str:
    """Return the rows of one file."""
    return _TABLES[path]


GRAMMAR: dict[str, Witness] = {
    **{path: Grammar(f"@comment #\n{table}") for path, table in _TABLES.items()},
    "etc/frr/frr.conf": frr_grammar(frr_names("")),
    "etc/issue.net": Whole("switch", "banner"),
    "etc/ssh/authorized_keys.d/*": Whole("user", "*", "key"),
    "etc/fabricgen/tc.batch": Batch("qdisc ", "class ", "filter "),
    "etc/fabricgen/dcb.sh": Judged(""),
    "etc/fabricgen/zones.nft": ZonesFile(),
    "etc/fabricgen/marks.nft": MarksFile(),
}

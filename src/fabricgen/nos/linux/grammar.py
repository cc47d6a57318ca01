"""The tables of grammar.txt in; the grammar of each file of a Linux switch out."""

import re
from importlib.resources import files

from fabricgen.nos.linux.names import frr_names
from fabricgen.nos.linux.readback.marks import MarksFile
from fabricgen.nos.linux.readback.tc import Batch
from fabricgen.nos.linux.readback.zones import ZonesFile
from fabricgen.nos.shared.frr.grammar import frr_grammar
from fabricgen.tree.grammar import Grammar
from fabricgen.tree.whole import Judged, Whole, Witness

_FILE = re.compile(r"(?m)^== (\S+)\n")


def _tables(text: str) -> dict[str, Witness]:
    _, *parts = _FILE.split(text)
    tables = zip(parts[::2], parts[1::2], strict=True)
    return {path: Grammar(f"@comment #\n{table}") for path, table in tables}


GRAMMAR: dict[str, Witness] = {
    **_tables((files(__package__) / "grammar.txt").read_text()),
    "etc/frr/frr.conf": frr_grammar(frr_names("")),
    "etc/issue.net": Whole("switch", "banner"),
    "etc/ssh/authorized_keys.d/*": Whole("user", "*", "key"),
    "etc/fabricgen/tc.batch": Batch("qdisc ", "class ", "filter "),
    "etc/fabricgen/dcb.sh": Judged(""),
    "etc/fabricgen/zones.nft": ZonesFile(),
    "etc/fabricgen/marks.nft": MarksFile(),
}

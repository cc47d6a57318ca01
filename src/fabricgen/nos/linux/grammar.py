"""Build the grammars of the files of a Linux switch, fabricgen's and foreign ones."""

import re
from importlib.resources import files

from fabricgen.core.tree.grammar import Grammar
from fabricgen.core.tree.whole import FactReader, Judged, Whole
from fabricgen.nos.linux.driver.onswitch.files import SECRETS
from fabricgen.nos.linux.names import frr_names
from fabricgen.nos.linux.readback.nftables import ManagementFile, MarksFile, ZonesFile
from fabricgen.nos.linux.readback.tc import Batch
from fabricgen.nos.nos import Foreign
from fabricgen.nos.shared.frr.grammar import FRR_SIGN, foreign_frr, frr_grammar, ordered
from fabricgen.nos.shared.hiding import hiding

_FILE = re.compile(r"(?m)^== (\S+)\n")


_, *_PARTS = _FILE.split((files(__package__) / "grammar.txt").read_text())
_TABLES = dict(zip(_PARTS[::2], _PARTS[1::2], strict=True))


def table_of(path: str) -> str:
    return _TABLES[path]


GRAMMAR: dict[str, FactReader] = {
    **{path: Grammar(f"@comment #\n{table}") for path, table in _TABLES.items()},
    "etc/frr/frr.conf": frr_grammar(frr_names("")),
    "etc/issue.net": Whole("switch", "banner"),
    "etc/ssh/authorized_keys.d/*": Whole("user", "*", "key"),
    "etc/fabricgen/tc.batch": Batch("qdisc ", "class ", "filter "),
    "etc/fabricgen/dcb.sh": Judged(""),
    "etc/fabricgen/management.nft": ManagementFile(),
    "etc/fabricgen/zones.nft": ZonesFile(),
    "etc/fabricgen/marks.nft": MarksFile(),
}


INTERFACES, FRR = "etc/network/interfaces", "etc/frr/frr.conf"
_SIGN = re.compile(r"(?m)^(?:iface \S+|auto \S+)(?: inet6?(?: \w+)?)?$")
# ifupdown2, interfaces(5): `inet` and its method may follow a name without effect here.
_METHODS = ("inet", "inet static", "inet manual", "inet6 static", "inet dhcp", "inet loopback")
_MORE = """
source <path>
allow-<word> <port>
iface <port>
    address-virtual <mac> <address:rest>
    link-speed <mbit>
    link-<word> <value>
    bond-<word> <value>
    bridge-<word> <value:rest>
    vxlan-local-tunnelip <address>                       -> vtep address=<address>
    vxlan-<word> <value:rest>
    clag-<word> <value:rest>
    clagd-<word> <value:rest>
    netmask <mask>
    post-up <command:rest>
    pre-down <command:rest>
    ip-forward <word>
    ip6-forward <word>
"""


def _interfaces() -> str:
    """Return the table of stanzas, one for each method after the name."""
    table = table_of(INTERFACES) + _MORE
    _, *stanzas = re.split(r"(?m)^(?=iface <port>\n)", table)
    bodies = "".join(each.partition("\n")[2] for each in stanzas).split("\nsource")[0]
    rows = "".join(line for line in bodies.splitlines(keepends=True) if line.startswith(" "))
    return table + "".join(f"iface <port> {method}\n{rows}" for method in _METHODS)


FOREIGN = Foreign(
    signs={INTERFACES: _SIGN, FRR: FRR_SIGN},
    grammar={**GRAMMAR, INTERFACES: Grammar(f"@comment #\n{_interfaces()}"), FRR: foreign_frr()},
    ordered={FRR: ordered},
    hidden={path: hiding((pattern,)) for path, pattern in SECRETS.items()},
)

"""The tables of a Linux switch's files, ours and others', in; what reads any such switch out."""

import re

from fabricgen.core.tree.grammar import Grammar
from fabricgen.nos.foreign import Foreign
from fabricgen.nos.linux.grammar import GRAMMAR, table_of
from fabricgen.nos.shared.frr.grammar import FRR_SIGN, foreign_frr
from fabricgen.nos.shared.frr.order import ordered

INTERFACES, FRR = "etc/network/interfaces", "etc/frr/frr.conf"
_SIGN = re.compile(r"(?m)^(?:iface \S+|auto \S+)(?: inet6?(?: \w+)?)?$")
# ifupdown2, interfaces(5): `inet` and its method may stand behind a name and change nothing here.
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
    """Return the table of stanzas, each as often as there are methods behind its name."""
    table = table_of(INTERFACES) + _MORE
    _, *stanzas = re.split(r"(?m)^(?=iface <port>\n)", table)
    bodies = "".join(each.partition("\n")[2] for each in stanzas).split("\nsource")[0]
    rows = "".join(line for line in bodies.splitlines(keepends=True) if line.startswith(" "))
    return table + "".join(f"iface <port> {method}\n{rows}" for method in _METHODS)


FOREIGN = Foreign(
    signs={INTERFACES: _SIGN, FRR: FRR_SIGN},
    grammar={**GRAMMAR, INTERFACES: Grammar(f"@comment #\n{_interfaces()}"), FRR: foreign_frr()},
    ordered={FRR: ordered},
)

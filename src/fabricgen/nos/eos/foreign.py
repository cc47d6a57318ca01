"""Build the reader of any EOS running-config from fabricgen's line table and the foreign one."""

import re
from importlib.resources import files

from fabricgen.core.tree.grammar import Grammar
from fabricgen.nos.eos.driver.configuration import SECRETS
from fabricgen.nos.nos import Foreign
from fabricgen.nos.shared.hiding import hiding

# First lines of aristanetworks/avd, ansible_collections/arista/avd/examples/*/intended/configs.
_SIGN = re.compile(
    r"(?m)^(?:!RANCID-CONTENT-TYPE: arista|! device: .*EOS|service routing protocols model \S+"
    r"|vlan internal order \S+ range \d|transceiver qsfp default-mode \S+|interface Vxlan1"
    r"|management api http-commands|interface Ethernet\d+(?:/\d+){0,3}|vrf instance \S+)$"
)


def _table(name: str) -> str:
    return (files(__package__) / name).read_text()


FOREIGN = Foreign(
    signs={"eos.cfg": _SIGN},
    grammar={"eos.cfg": Grammar(_table("grammar.txt") + _table("foreign.txt"))},
    hidden={"eos.cfg": hiding(SECRETS)},
    # EOS manual: `show running-config` omits defaults, `show running-config all` has them.
    unsaved=frozenset(
        {
            ("interface", "bridged", "true"),
            ("interface", "mode", "access"),
            ("always", "lldp run", "true"),
        }
    ),
)

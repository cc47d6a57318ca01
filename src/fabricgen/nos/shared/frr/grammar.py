"""How an OS spells what FRR cannot know in; the grammar of its frr.conf out."""

import re
from importlib.resources import files

from fabricgen.core.tree.grammar import Grammar
from fabricgen.nos.shared.frr.names import FrrNames

FRR_SIGN = re.compile(
    r"(?m)^(?:frr (?:version|defaults) \S+|service integrated-vtysh-config|\s*exit-address-family)$"
)
"""What a frr.conf has, and no running-config of EOS (docs.frrouting.org, Basic Commands)."""


def foreign_frr() -> Grammar:
    """Return the grammar of any frr.conf: a VRF has its whole name there."""
    return Grammar(_table("grammar.txt").replace("VRF-", "") + _table("foreign.txt"))


def _table(name: str) -> str:
    return (files(__package__) / name).read_text()


def frr_grammar(names: FrrNames) -> Grammar:
    """Return the grammar of one platform's frr.conf."""
    table = _table("grammar.txt").replace("VRF-", names.vrf(""))
    return Grammar(table + "".join(f"{line} -> always\n" for line in names.preamble))

"""How an OS spells what FRR cannot know in; the grammar of its frr.conf out."""

from importlib.resources import files

from fabricgen.nos.shared.frr.names import FrrNames
from fabricgen.tree.grammar import Grammar


def frr_grammar(names: FrrNames) -> Grammar:
    """Return the grammar of one platform's frr.conf."""
    table = (files(__package__) / "grammar.txt").read_text().replace("VRF-", names.vrf(""))
    return Grammar(table + "".join(f"{line} -> always\n" for line in names.preamble))

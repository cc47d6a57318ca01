"""Load the grammars of config_db.json and frr.conf from the table in grammar.txt."""

from importlib.resources import files

from fabricgen.core.tree.database import Database
from fabricgen.nos.shared.frr.grammar import frr_grammar
from fabricgen.nos.sonic.frr_names import frr_names
from fabricgen.nos.sonic.readings import READINGS

GRAMMAR = {
    "config_db.json": Database((files(__package__) / "grammar.txt").read_text(), READINGS),
    "frr.conf": frr_grammar(frr_names("", "")),
}

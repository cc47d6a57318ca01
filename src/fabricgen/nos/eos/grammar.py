"""Load the grammar of eos.cfg from the line table in grammar.txt."""

from importlib.resources import files

from fabricgen.core.tree.grammar import Grammar

GRAMMAR = {"eos.cfg": Grammar((files(__package__) / "grammar.txt").read_text())}

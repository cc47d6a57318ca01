"""The table of EOS lines in grammar.txt in; the grammar of eos.cfg out."""

from importlib.resources import files

from fabricgen.core.tree.grammar import Grammar

GRAMMAR = {"eos.cfg": Grammar((files(__package__) / "grammar.txt").read_text())}

"""Reads understood.txt, the list of facts that a walk understands."""

from importlib.resources import files

from fabricgen.core.tree.facts import Topic
from fabricgen.model.settings.ports import PortSet
from fabricgen.model.settings.setting import declared


def _understood() -> tuple[dict[str, frozenset[str]], dict[Topic, str]]:
    """Return the understood attributes by kind, and why a walk does not use some facts.

    A kind without an attribute is one of which no fact is used.
    """
    known: dict[str, frozenset[str]] = {}
    reasons: dict[Topic, str] = {}
    why = ""
    for line in (files(__package__) / "understood.txt").read_text().splitlines():
        kind, *words = line.split()
        if kind == "=":
            why = " ".join(words)
        elif kind == "-":
            reasons |= {(word, ""): why for word in words}
        elif kind != "#":
            known[kind] = known.get(kind, frozenset()) | frozenset(words)
            reasons |= {(kind, word): why for word in words if why}
    for each in declared(PortSet):
        reasons["interface", each.setting.fact] = (
            "LACP: every port of a port-channel counts as working"
        )
    return known, reasons


UNDERSTOOD, UNUSED = _understood()
OTHERS = frozenset(kind for kind, attribute in UNUSED if not attribute)


def unused(kind: str, attribute: str) -> str:
    """Return why a walk does not use a fact; empty for a used one."""
    whole = "" if attribute in UNDERSTOOD.get(kind, ()) else UNUSED.get((kind, ""), "")
    return UNUSED.get((kind, attribute), whole)

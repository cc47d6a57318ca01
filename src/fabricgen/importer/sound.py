"""Removes or loosens the parts of a tree that cause errors and names each part.

A removed part was read correctly, but no intent may contain it. Its lines become custom config or
remain. All other lines keep the design that they follow from.
"""

from collections.abc import Iterable, Iterator
from operator import itemgetter

from fabricgen.core.diagnostics import Code, Diagnostic, Severity, dotted, has_errors
from fabricgen.importer.choices import placed
from fabricgen.importer.distance import Drawn
from fabricgen.importer.draft import SHORT
from fabricgen.importer.tree import Tree, at, without

Step = tuple[str, Tree]


MOST_STEPS = 16
"""Parts that are dropped before the errors are left to the user."""
_RATIOS = (4, 8, 16, 32, 64)
_KEYS = (
    (("overlay", "transit_vlan_base"),),
    (("numbering", "vteps"), ("addressing", "vteps")),
    (("numbering", "links"), ("addressing", "links")),
)
"""Parts that no switch depends on, each with its replacement."""
_HINT = "its lines in the files become custom config or remain"


def sound(tree: Tree) -> tuple[Tree, list[Diagnostic]]:
    """Drop parts with errors that lose no switch, and report them."""
    drawn = Drawn(tree)
    findings: list[Diagnostic] = []
    while _errors(drawn) and len(findings) < MOST_STEPS:
        taken = next(_better(drawn), None)
        if taken is None:
            break
        drawn, finding = taken
        findings.append(finding)
    return drawn.tree, findings


def _better(drawn: Drawn) -> Iterator[tuple[Drawn, Diagnostic]]:
    """Yield trees with fewer errors, and last with other errors that this one hid."""
    wrong = _errors(drawn)
    others = []
    for error in wrong:
        for what, tree in _steps(drawn.tree, tuple(map(str, error.path))):
            other = Drawn(tree)
            if drawn.switches.keys() <= other.switches.keys():
                why = f"{what} to avoid {error.code}: {error.message}"
                step = (
                    other,
                    Diagnostic(Code.ADOPT_DROPPED, why, hint=_HINT, severity=Severity.WARNING),
                )
                left = _errors(other)
                if len(left) < len(wrong):
                    yield step
                elif _said(error) not in map(_said, left):
                    others.append((len(left), step))
    yield from (step for _, step in sorted(others, key=itemgetter(0)))


def _said(error: Diagnostic) -> tuple[str, str]:
    return error.code, error.message


def _steps(tree: Tree, wrong: tuple[str, ...]) -> Iterator[Step]:
    """Yield possible repairs, the smallest first: number keys, then the place of the error."""
    named = [("fabrics", name) for name in tree.get("fabrics", {})]
    for place in (*((name,) for name in SHORT if name in tree), *named):
        for keys in _KEYS:
            yield _less(tree, [(*place, *key) for key in keys])
        ratio = (*place, "oversubscription")
        for value in _RATIOS:
            yield f"set {dotted(ratio)} to {value}", placed(tree, ratio, value)
    fabrics = [*((name,) for name in SHORT if name in tree), *named]
    for length in range(len(wrong), 0, -1):
        if length > 1 or (len(fabrics) > 1 and wrong[:1] in fabrics):
            yield _less(tree, [wrong[:length]])


def _less(tree: Tree, paths: Iterable[tuple[str, ...]]) -> Step:
    there = [path for path in paths if at(tree, *path) is not None]
    for path in there:
        tree = without(tree, *path)
    return f"removed {', '.join(map(dotted, there))}", tree


def _errors(drawn: Drawn) -> list[Diagnostic]:
    return [each for each in drawn.findings if has_errors([each])]

"""Compares the changes that switches will make with a reviewed change.

A review compares two rendered trees. A switch may run something else than side A renders. So its
effects from the running to the new configuration are compared with its effects in the review.
"""

from collections.abc import Iterator, Mapping

from fabricgen.core.tree.risk import Change
from fabricgen.core.units import counted
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.review.compare import Files, Tree, compare
from fabricgen.review.devices import DeviceEffects, device_effects

Changing = Mapping[str, tuple[Files, Files]]
"""Running and new files of each changing switch, by its folder in a tree."""


def beyond_review(
    changing: Changing, trees: tuple[Tree, Tree], models: Mapping[str, SwitchModel]
) -> Iterator[str]:
    """Yield each effect on a switch that its files do not have in the reviewed change.

    An effect has the same key, old value and new value. A switch that side A does not have is a
    declared effect as a whole, so only its presence on side B is checked.

    Args:
        changing: Files of the switches that change.
        trees: Both sides of the reviewed change, at least with all folders that differ.
        models: Hardware of the switches, by folder.
    """
    for folder, files in sorted(changing.items()):
        name = folder.rpartition("/")[2]
        before, after = (tree.get(folder, {}) for tree in trees)
        if after and not before:
            continue
        reviewed = _effects(folder, before, after, models)
        real = _effects(folder, *files, models)
        known = set(_identities(reviewed))
        for each in real.effects:
            effect = each[0]
            if (effect.key, effect.before, effect.after) not in known:
                yield f"{name}: {effect.key!r} is not in the reviewed change ({effect.text})"
        lines = {each.line for each in reviewed.unexplained}
        odd = [each for each in real.unexplained if each.line not in lines]
        if odd:
            number = counted(len(odd), "changed line")
            yield f"{name}: {number} not explained, first {odd[0].file} {odd[0].line!r}"


def _effects(
    folder: str, before: Files, after: Files, models: Mapping[str, SwitchModel]
) -> DeviceEffects:
    trees = {folder: before}, {folder: after}
    return device_effects(compare(*trees), trees, models, _no_custom_line, {})


def _no_custom_line(name: str, change: Change) -> bool:
    """Return that no line has an explanation by custom config; equal lines need none."""
    del name, change
    return False


def _identities(found: DeviceEffects) -> Iterator[tuple[str, str, str]]:
    yield from ((each.key, each.before, each.after) for each, _ in found.effects)

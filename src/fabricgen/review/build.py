"""Builds the review of two sides: compares the models, then the text, and joins the results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.tree.risk import Change
from fabricgen.model.fabric.switch import Site
from fabricgen.review.attribution import Attribution, Design
from fabricgen.review.causes import causes
from fabricgen.review.compare import Comparison, Tree, compare, folders_of
from fabricgen.review.devices import device_effects
from fabricgen.review.model import Act, Cause, Effect, Hit, Order, Review
from fabricgen.review.tenancy import tenancy_effects
from fabricgen.review.topology import cable_changes, topology_effects

if TYPE_CHECKING:
    from fabricgen.review.sides import Side

Hits = Callable[[Site, Site, Mapping[str, Sequence[Change]]], tuple[Hit, ...]]
"""Function of the package that simulates failures."""
Orders = Callable[[Site, Site, tuple[Tree, Tree]], Order]
"""Function of the package that orders a push."""


def review(
    before: "Side", after: "Side", hits: Hits | None = None, order: Orders | None = None
) -> Review:
    """Return the review of two sides.

    Args:
        before: Side A.
        after: Side B.
        hits: Computes who is hit; None if failures cannot be simulated.
        order: Computes the order of a push; None if pushes are not installed.
    """
    trees = folders_of(before.files), folders_of(after.files)
    comparison = compare(*trees, before.unchanged & after.unchanged)
    one, other = before.site, after.site
    designs = [Design(site) for site in (one, other) if site is not None]
    models = {folder: model for design in designs for folder, model in design.models.items()}
    found: tuple[Cause, ...] = ()
    if before.loaded is not None and after.loaded is not None:
        found = causes(before.loaded, after.loaded)
    effects: list[Effect] = []
    moved: frozenset[str] = frozenset()
    main: list[tuple[Effect, tuple[IntentPath, ...]]] = []
    if one is not None and other is not None:
        changes = cable_changes(one, other)
        moved = changes.names
        main = [*((each, ()) for each in topology_effects(changes)), *tenancy_effects(one, other)]
    designed = one is not None and other is not None
    links = Attribution(found, designs, moved)
    for each, paths in main:
        names = each.on or (each.name,)
        numbers = links.of_paths(paths) if paths else links.of_names(names)
        links.note(names, numbers)
        effects.append(replace(each, causes=numbers))
    touched = {name for each in effects for name in each.on}
    devices = device_effects(comparison, trees, models)
    for each, objects in devices.effects:
        served = each.kind == "setting" and touched.issuperset(each.on)
        follows = each.derived or served or (bool(moved) and links.follows(objects))
        local = designed and each.kind in ("vlan", "vrf")
        own = _spread(each) if local else each
        numbers = links.of_objects(objects)
        effects.append(replace(own, causes=numbers, derived=follows or local))
    effects.sort(key=_rank)
    return Review(
        before=before.name,
        after=after.name,
        devices=comparison.total,
        causes=found,
        effects=tuple(effects),
        hits=hits(one, other, _changes(comparison)) if hits and one and other else None,
        order=order(one, other, trees) if order and one and other else None,
        blocks=comparison.blocks,
        radius=comparison.radius,
        unexplained=devices.unexplained,
    )


def _spread(effect: Effect) -> Effect:
    """Word the VLAN or VRF of some switches, next to the effect on the whole fabric."""
    if effect.attribute or effect.act not in (Act.ADDED, Act.REMOVED):
        return effect
    verb = "configured" if effect.act is Act.ADDED else "removed"
    return replace(effect, text=f"{effect.kind.upper()} {effect.name} {verb}")


_FIRST = ("switch", "server", "cable", "tenant", "vrf", "vlan", "attachment", "job", "vip")
"""Kinds of the effects that people look for first."""


def _rank(effect: Effect) -> tuple[object, ...]:
    first = _FIRST.index(effect.kind) if effect.kind in _FIRST else len(_FIRST)
    return effect.derived, first, -(effect.risk or 0), effect.kind, effect.key


def _changes(comparison: Comparison) -> dict[str, Sequence[Change]]:
    return {folder: comparison.changes(folder) for folder in comparison.devices}

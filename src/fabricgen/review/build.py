"""Builds the review of two sides: compares the models, then the text, and joins the results."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from fabricgen.core.tree.risk import Change
from fabricgen.model.fabric.switch import Site
from fabricgen.review.attribution import Attribution, Design, Objects
from fabricgen.review.causes import causes
from fabricgen.review.compare import Comparison, Tree, compare
from fabricgen.review.devices import PORT, device_effects
from fabricgen.review.model import Act, Cause, Effect, Hit, Order, Review, Unexplained
from fabricgen.review.side import Side
from fabricgen.review.tenancy import tenancy_effects
from fabricgen.review.topology import cable_changes
from fabricgen.review.wiring import affected_names, cable_ends, topology_effects

Hits = Callable[[Site, Site, Mapping[str, Sequence[Change]]], tuple[Hit, ...]]
"""Function of the package that simulates failures."""
Orders = Callable[[Site, Site, tuple[Tree, Tree]], Order]
"""Function of the package that orders a push."""


def review(
    before: Side, after: Side, hits: Hits | None = None, order: Orders | None = None
) -> Review:
    """Return the review of two sides.

    Args:
        before: Side A.
        after: Side B.
        hits: Computes who is hit. None if failures cannot be simulated.
        order: Computes the order of a push. None if pushes are not installed.
    """
    trees = before.tree, after.tree
    comparison = compare(*trees, before.unchanged & after.unchanged)
    one, other = before.site, after.site
    found: tuple[Cause, ...] = ()
    if before.loaded is not None and after.loaded is not None:
        found = causes(before.loaded, after.loaded)
    effects = _Effects(found, (one, other))
    effects.add_model()
    unexplained = effects.add_devices(comparison, trees)
    first, second = one or other, other or one
    return Review(
        before=before.name,
        after=after.name,
        devices=comparison.total,
        causes=found,
        effects=tuple(sorted(effects.found, key=_rank)),
        hits=hits(first, second, _changes(comparison)) if hits and first and second else None,
        order=order(first, second, trees) if order and first and second else None,
        blocks=comparison.blocks,
        radius=comparison.radius,
        unexplained=unexplained,
        notes=(*_limits(before, after), *before.notes, *after.notes),
    )


def _limits(before: Side, after: Side) -> Iterator[str]:
    """Yield what a side without an intent hides."""
    if (before.site is None) == (after.site is None):
        return
    has, lacks = (after, before) if before.site is None else (before, after)
    yield f"{lacks.name} has no intent, so the review uses the servers and tenants of {has.name}"
    yield "not known: causes in the intent, and servers that only one side has"


class _Effects:
    """Effects of one review.

    Attributes:
        found: The effects.
        moved: Switches and servers that come, go or move.
        cabled: The same, and those with a changed cable.
        touched: Switches and servers of the effects on the model.
    """

    def __init__(self, found: Sequence[Cause], sites: tuple[Site | None, Site | None]) -> None:
        self.found: list[Effect] = []
        self.moved: frozenset[str] = frozenset()
        self.cabled: frozenset[str] = frozenset()
        self.touched: set[str] = set()
        self._sites = sites
        self._designs = [Design(site) for site in sites if site is not None]
        self._links = Attribution(found, self._designs)

    def add_model(self) -> None:
        """Add the effects on the model, if both sides have one."""
        one, other = self._sites
        if one is None or other is None:
            return
        changes = cable_changes(one, other)
        self.moved = affected_names(changes)
        self.cabled = self.moved | cable_ends(changes)
        main = [*((each, ()) for each in topology_effects(changes)), *tenancy_effects(one, other)]
        for each, paths in main:
            names = each.on or (each.name,)
            numbers = self._links.of_paths(paths) if paths else self._links.of_names(names)
            self._links.note(names, numbers)
            self.touched.update(each.on)
            self.found.append(replace(each, causes=numbers))

    def add_devices(
        self, comparison: Comparison, trees: tuple[Tree, Tree]
    ) -> tuple[Unexplained, ...]:
        """Add the effects on devices. Return the lines without an effect."""
        models = {name: model for each in self._designs for name, model in each.models.items()}
        devices = device_effects(comparison, trees, models)
        local = None not in self._sites
        for each, objects in devices.effects:
            spread = local and each.kind in ("vlan", "vrf")
            own = _spread(each) if spread else each
            derived = spread or self._follows(each, objects)
            numbers = self._links.of_objects(objects)
            self.found.append(replace(own, causes=numbers, derived=derived))
        return devices.unexplained

    def _follows(self, each: Effect, objects: Objects) -> bool:
        """Return whether an effect on devices follows from one on the model."""
        served = each.kind == "setting" and self.touched.issuperset(each.on)
        attached = each.kind == "interface" and self._links.follows(objects, self.touched)
        moved = self.cabled if each.kind == PORT else self.moved
        return each.derived or served or attached or self._links.follows(objects, moved)


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

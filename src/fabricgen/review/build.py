"""Builds the review of two sides: compares the models, then the text, and joins the results."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.tree.risk import Change
from fabricgen.core.units import natural
from fabricgen.model.fabric.switch import Site
from fabricgen.review.attribution import Attribution, Design
from fabricgen.review.causes import causes
from fabricgen.review.compare import Comparison, Tree, compare
from fabricgen.review.consequences import Consequences, consequences
from fabricgen.review.devices import device_effects
from fabricgen.review.effect_text import SETTING
from fabricgen.review.inventory import PLACE, SERVER, SWITCH
from fabricgen.review.model import INVERSE, Act, Cause, Effect, Hit, Order, Review, Unexplained
from fabricgen.review.side import Side
from fabricgen.review.software import software_effects
from fabricgen.review.tenancy import Reasoned, tenancy_effects
from fabricgen.review.topology import CableChanges, cable_changes
from fabricgen.review.wiring import topology_effects

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
    given = {**before.reasons, **after.reasons}
    comparison = compare(*trees, before.unchanged & after.unchanged, given)
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
        notes=tuple(dict.fromkeys((*_limits(before, after), *_notes(before), *_notes(after)))),
    )


CABLE = "cable"
RACKS: IntentPath = ("racks",)
"""Place of the floor in the intent, which decides where devices are."""


def _notes(side: Side) -> Iterator[str]:
    """Yield the notes of a side, and the devices whose change is not known."""
    yield from side.notes
    yield from (f"{folder}: {side.unknown[folder]}" for folder in natural(side.unknown))


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
    """

    def __init__(self, found: Sequence[Cause], sites: tuple[Site | None, Site | None]) -> None:
        self.found: list[Effect] = []
        self._consequences: Consequences | None = None
        self._sites = sites
        self._designs = [Design(site) for site in sites if site is not None]
        self._links = Attribution(found, self._designs)

    def add_model(self) -> None:
        """Add the effects on the model, if both sides have one."""
        one, other = self._sites
        if one is None or other is None:
            return
        changes = cable_changes(one, other)
        main: list[Reasoned] = [
            *((each, ()) for each in topology_effects(changes)),
            *((each, ()) for each in software_effects(one, other)),
            *tenancy_effects(one, other),
        ]
        for each, paths in main:
            names = each.on or (each.name,)
            if each.kind == CABLE:
                names = _cable_ends(changes, each)
            numbers = self._links.of_paths(paths) if paths else self._links.of_names(names)
            if each.attribute == PLACE:
                numbers = self._links.of_paths([RACKS]) or numbers
            self._links.note(names if each.kind != CABLE else (), numbers)
            moved = each.kind == CABLE and each.attribute == PLACE
            self.found.append(replace(each, causes=numbers, derived=moved))
        self.found = [
            replace(each, causes=self._links.known(each.causes))
            for each in _with_causes(self.found)
        ]
        self._consequences = consequences(self._links, main, changes, (one, other))

    def add_devices(
        self, comparison: Comparison, trees: tuple[Tree, Tree]
    ) -> tuple[Unexplained, ...]:
        """Add the effects on devices. Return the lines without an effect."""
        models = {name: model for each in self._designs for name, model in each.models.items()}
        devices = device_effects(comparison, trees, models, self._is_custom)
        for each, objects in devices.effects:
            known = self._consequences
            derived = known.include(each, objects) if known is not None else each.derived
            own = _spread(each) if derived and each.kind in ("vlan", "vrf") else each
            numbers = self._links.known(self._links.of_objects(objects))
            self.found.append(replace(own, causes=numbers, derived=derived))
        return devices.unexplained

    def _is_custom(self, name: str, change: Change) -> bool:
        return any(each.is_custom(name, change) for each in self._designs)


def _cable_ends(changes: CableChanges, effect: Effect) -> tuple[str, ...]:
    """Return the devices at the cables of an effect, which has the name of their fabric."""
    known = (effect.act, effect.name, effect.attribute)
    cables = (it for it in changes.cables if (it.act, it.fabric, it.attribute) == known)
    sides = (side for each in cables for side in (each.before, each.after) if side is not None)
    return (*{jack.name: None for side in sides for jack in (side.lower, side.upper)},)


def _with_causes(effects: Sequence[Effect]) -> Iterator[Effect]:
    """Give switches and cables without a reason in the intent the causes of the servers.

    A new scalable unit has its switches because a server needs them.
    """
    servers = {
        act: {number for each in effects if (each.kind, each.act) == (SERVER, act)
              for number in each.causes}
        for act in INVERSE
    }  # fmt: skip
    for each in effects:
        lacks = each.kind in (SWITCH, CABLE) and not each.causes
        numbers = sorted(servers.get(each.act, ())) if lacks else each.causes
        yield replace(each, causes=tuple(numbers))


def _spread(effect: Effect) -> Effect:
    """Word the VLAN or VRF of some switches, next to the effect on the whole fabric."""
    if effect.attribute or effect.act not in (Act.ADDED, Act.REMOVED):
        return effect
    verb = "configured" if effect.act is Act.ADDED else "removed"
    return replace(effect, text=f"{effect.kind.upper()} {effect.name} {verb}")


_FIRST = (
    *("switch", "server", "cable", "job", "tenant", "vrf", "vlan", "attachment", "vip", "session"),
    *("queues of port", ""),
)
"""Kinds of the effects that people look for first; the empty one is any other kind."""


def _rank(effect: Effect) -> tuple[object, ...]:
    other = len(_FIRST) if effect.kind == SETTING else len(_FIRST) - 1
    first = _FIRST.index(effect.kind) if effect.kind in _FIRST else other
    moved = effect.attribute == PLACE
    return effect.derived, moved, first, -(effect.risk or 0), effect.kind, effect.key


def _changes(comparison: Comparison) -> dict[str, Sequence[Change]]:
    return {folder: comparison.changes(folder) for folder in comparison.devices}

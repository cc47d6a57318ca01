"""A tree, an inventory and files that are there in; the tree with states of switches, out.

A status of NetBox is believed where the files show it: fewer lines differ with the state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.adopt.distance import Drawn, Measure
from fabricgen.adopt.pins import Guess, with_pins
from fabricgen.adopt.places import own_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.adopt.inventory.model import Inventory
    from fabricgen.adopt.tree import Tree
    from fabricgen.judge.switch import Judged

STATES = {
    "planned": "planned",
    "staged": "planned",
    "decommissioning": "drained",
    "failed": "dead",
    "offline": "dead",
}
"""By NetBox's DeviceStatusChoices (netbox/dcim/choices.py)."""


def states(tree: Tree, inventory: Inventory, switches: Sequence[Judged]) -> Tree:
    """Return a tree with the states of switches that are not simply active."""
    drawn = Drawn(tree)
    named = {name.lower(): name for name in drawn.switches}
    guesses = [
        Guess(
            kind="state",
            path=(*own_place(drawn, named[device.name.lower()]), "state"),
            value=STATES[device.status],
        )
        for device in inventory.devices
        if device.status in STATES and device.name.lower() in named
    ]
    if not guesses:
        return tree
    measure = Measure(tree, switches, whole=True)
    least = measure.of(tree)
    for guess in guesses:
        tried = with_pins(tree, [guess])
        off = measure.of(tried)
        if off < least:
            tree, least = tried, off
    return tree

"""How a platform spells what the design only numbers: of the proofs, the one thing it gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.tree.facts import Attributes, Key


@record(kw_only=True)
class Names:
    """How a platform names what the design only numbers, and what its files leave unsaid.

    loopback: the interface that has the router ID; tunnel: that which VXLAN starts at; they may be
    one. gateway, bundle: of a VLAN's or bundle's number. unsaid: (role, attribute) of facts that
    its files do not hold: the platform has no line for them, or its default is the design's.
    more: what they say beyond the facts of every platform.
    """

    loopback: str
    tunnel: str
    management: str
    gateway: Callable[[int], str]
    bundle: Callable[[int], str]
    unsaid: frozenset[tuple[str, str]] = frozenset()
    more: Callable[[SwitchSlice], Iterable[tuple[Key, Attributes]]] | None = None

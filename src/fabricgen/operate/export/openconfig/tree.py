"""Builds lists and containers of OpenConfig data, and knows the names of a switch's interfaces."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from fabricgen.core.record import record
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import supports
from fabricgen.nos.spelling import Names

Tree = dict[str, Any]
DEFAULT = "DEFAULT"
"""Name of the network instance of the underlay."""


def pruned(tree: Mapping[str, Any]) -> Tree:
    """Return a tree without absent values and empty containers."""
    return {key: value for key, value in tree.items() if value not in (None, "", {}, [])}


def entry(config: Mapping[str, Any], *keys: str, parts: Mapping[str, Any] | None = None) -> Tree:
    """Return a list entry: its keys, the container `config` that repeats them, and other parts."""
    own = pruned(config)
    return {**{key: own[key] for key in keys}, "config": own, **pruned(parts or {})}


def listed(name: str, entries: Iterable[Tree]) -> Tree:
    """Return the container of a list; it is empty without entries."""
    return pruned({name: list(entries)})


@record(eq=False, kw_only=True)
class Place:
    """An interface, or one of its subinterfaces, in the VRF `vrf`; empty for the underlay."""

    vrf: str
    interface: str
    subinterface: int | None

    @property
    def id(self) -> str:
        """Return its name among the interfaces of a switch."""
        return self.interface if not self.subinterface else f"{self.interface}.{self.subinterface}"

    @property
    def ref(self) -> Tree:
        """Return the leafs by which other models refer to it."""
        return pruned({"interface": self.interface, "subinterface": self.subinterface})


@record(eq=False, kw_only=True)
class Piece:
    """One switch, with the names that its platform gives to interfaces."""

    switch_slice: SwitchSlice
    names: Names

    @property
    def management_vrf(self) -> str:
        """Return the VRF of the management port."""
        return self.names.vrf or self.switch_slice.services.vrf

    def supports(self, feature: str) -> bool:
        """Return whether the release of the switch has a feature."""
        return partial(supports, self.switch_slice.switch)(feature)

    def parent(self, item: Interface) -> str:
        """Return the port of an interface, or its port-channel."""
        if item.lag is not None:
            return self.names.bundle(item.lag)
        return spell(self.switch_slice.switch, item.port)

    def place(self, item: Interface) -> Place:
        """Return the subinterface with the addresses of a routed interface."""
        return Place(vrf=item.vrf or "", interface=self.parent(item), subinterface=item.tag or 0)

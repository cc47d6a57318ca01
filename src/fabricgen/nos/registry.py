"""The name of a platform in, its `Nos` out: ours by name, outsiders' by entry point."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from fabricgen.nos.nos import checked

if TYPE_CHECKING:
    from fabricgen.fabric.topology import Switch
    from fabricgen.nos.containerlab import Kind
    from fabricgen.nos.nos import Nos
    from fabricgen.nos.spelling import Reader

OURS = ("eos", "sonic", "linux")
"""Every platform of this project: NOS of fabricgen/nos/<name>/nos.py."""
GROUP = "fabricgen.platforms"
"""The entry points of outsiders: a name and its Nos. A name of ours is not theirs to take."""


@cache
def platforms() -> tuple[str, ...]:
    """Return the names of all platforms, ours first."""
    return (*OURS, *sorted(entry_points(group=GROUP).names - set(OURS)))


@cache
def nos(name: str) -> Nos:
    """Return a platform, imported when first needed. LookupError when no one has that name."""
    if name in OURS:
        return checked(import_module(f"fabricgen.nos.{name}.nos").NOS)
    for entry in entry_points(group=GROUP, name=name):
        return checked(entry.load())
    raise LookupError(f"no platform {name!r}: there are {', '.join(platforms())}")


def nos_of(switch: Switch) -> Nos:
    """Return the platform that a switch runs."""
    return nos(switch.platform)


def kind_of(platform: str) -> Kind:
    """Return how a platform runs in containerlab. LookupError when it does not."""
    kind = nos(platform).containerlab
    if kind is None:
        raise LookupError(f"{platform} does not run in containerlab")
    return kind.load()


def reader_of(platform: str) -> Reader | None:
    """Return how a running switch of a platform is asked; None when it cannot be."""
    show = nos(platform).show
    return show.load() if show is not None else None

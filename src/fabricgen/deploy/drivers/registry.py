"""The name of a platform or driver in, the class of its driver out; imported when first needed."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.deploy.transport import Transport

    Make = Callable[..., Transport]

DRIVERS = {
    "eos": "fabricgen.deploy.drivers.eos.driver:EosDriver",
    "linux": "fabricgen.deploy.drivers.linux.driver:LinuxDriver",
    "sonic": "fabricgen.deploy.drivers.sonic.driver:SonicDriver",
    "fake": "fabricgen.deploy.drivers.fake.driver:FakeDriver",
}
"""Ours. napalm.get_network_driver would let a package of the same name stand before them."""
GROUP = "fabricgen.drivers"
"""The entry points of outsiders' drivers; their names may not be ours."""


def driver_of(name: str) -> Make:
    """Return a driver's class. LookupError when no one has that name."""
    if name in DRIVERS:
        module, _, found = DRIVERS[name].partition(":")
        return cast("Make", getattr(import_module(module), found))
    for entry in entry_points(group=GROUP, name=name):
        return cast("Make", entry.load())
    raise LookupError(f"no driver {name!r}: there are {', '.join(DRIVERS)}")

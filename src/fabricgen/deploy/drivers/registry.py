"""The name of a platform or driver in, the class of its driver out; imported when first needed."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, cast

from fabricgen.nos.registry import nos, platforms

if TYPE_CHECKING:
    from fabricgen.nos.driver import Make

GROUP = "fabricgen.drivers"
"""The entry points of drivers that are no platform's own."""


def driver_of(name: str) -> Make:
    """Return a driver's class. LookupError when no one has that name.

    napalm.get_network_driver would let a package of the same name stand before ours.
    """
    if name in platforms() and (driver := nos(name).driver) is not None:
        return driver.load()
    for entry in entry_points(group=GROUP, name=name):
        return cast("Make", entry.load())
    if name == "fake":
        from fabricgen.deploy.drivers.fake.driver import FakeDriver

        return FakeDriver
    raise LookupError(f"no driver {name!r}: there are {', '.join(platforms())}")

"""Open a switch's driver as a connection plugin of Nornir.

nornir_napalm is not used. It passes one dictionary of options to all hosts of a group, and the
drivers change that dictionary. So a configuration could reach the wrong switch.
"""

from __future__ import annotations

import copy
import sys
from functools import cache
from importlib.metadata import EntryPoints, entry_points
from typing import TYPE_CHECKING, Any, cast

from fabricgen.nos.driver import Keeping
from fabricgen.nos.registry import nos, platforms

if TYPE_CHECKING:
    from collections.abc import Callable

    from nornir.core.configuration import Config

    from fabricgen.nos.driver import Make, Transport

DRIVERS = "fabricgen.drivers"
"""Entry points of third-party drivers: a name and a class."""
TIMEOUT = 60
"""Seconds; the default of NAPALM."""


def driver_of(name: str) -> Make:
    """Return the class of a platform's driver or a third-party driver.

    napalm.get_network_driver would prefer a package with the same name to ours.

    Raises:
        NoDriver: No driver has this name.
    """
    if name in _own() and (driver := nos(name).driver) is not None:
        return driver.load()
    for entry in _added(tuple(sys.path)).select(name=name):
        return cast("Make", entry.load())
    raise NoDriver(no_driver(name))


@cache
def _added(_path: tuple[str, ...]) -> EntryPoints:
    """Return the third-party drivers on a path. A push opens thousands of connections."""
    return entry_points(group=DRIVERS)


def _own() -> list[str]:
    return [each for each in platforms() if nos(each).driver is not None]


def drivers() -> list[str]:
    """Return the names of all drivers, those of the platforms first."""
    return [*_own(), *sorted(_added(tuple(sys.path)).names)]


def no_driver(name: str) -> str:
    """Return the message for an unknown driver."""
    known = ", ".join(drivers())
    return f"unknown driver {name!r}: available are {known}; add others as entry point of {DRIVERS}"


class NoDriver(LookupError):  # noqa: N818 - shown to the operator
    """The driver does not exist, or one of its options is missing in the inventory."""


class Connection:
    """One open driver. The password is a reference, which is resolved when the connection opens."""

    def __init__(self) -> None:
        """Start unconnected; Nornir calls open."""
        self.connection: Any = None
        self.state: dict[str, Any] = {}

    def open(
        self,
        hostname: str | None,
        username: str | None,
        password: str | None,
        port: int | None,
        platform: str | None,
        extras: dict[str, Any] | None = None,
        configuration: Config | None = None,
    ) -> None:
        """Create and connect the driver.

        Raises:
            NoDriver: The driver does not exist or an option is missing.
        """
        del configuration
        given = dict(extras or {})
        resolve: Callable[[str], str] | None = given.pop("resolve", None)
        options = copy.deepcopy(given)
        name = options.pop("name", hostname)
        kept = options.pop("password", None)
        if kept is not None and resolve is not None:
            password = resolve(kept)
        of = options.pop("driver", None) or str(platform)
        make, timeout = driver_of(of), options.pop("timeout", TIMEOUT)
        said = {
            **_addressed(options, str(name), str(hostname), port),
            **({"port": port} if port is not None else {}),
            "host_key_alias": name,
        }
        try:
            driver: Transport = make(hostname, username or "", password or "", timeout, said)
        except KeyError as missing:
            raise NoDriver(
                f"driver {of!r} needs the option {missing}: add it in inventory/"
            ) from None
        if "keep" in options and not isinstance(driver, Keeping):
            raise NoDriver(f"driver {of!r} does not support unmanaged sections (`unmanaged`)")
        driver.open()
        self.connection = driver

    def close(self) -> None:
        """Disconnect."""
        if self.connection is not None:
            self.connection.close()


def _addressed(
    options: dict[str, Any], name: str, address: str, port: int | None
) -> dict[str, Any]:
    """Insert the name and address of the switch into proxy_command."""
    if "proxy_command" in options:
        command = options["proxy_command"].format(name=name, address=address, port=port or "")
        return {**options, "proxy_command": command}
    return options

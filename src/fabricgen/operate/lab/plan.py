"""Define the plan of a lab: switches with their files, hosts with their addresses, cables."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from fabricgen.compile.attached.host import Endpoint, HostInterface

BOOT = "boot"
"""Folder of the boot files for fresh switches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabSwitch:
    """One switch.

    Attributes:
        folder: Folder of its files in the rendered tree.
        mac: MAC address of the management port, if the intent has one.
        ports: All interfaces of the model.
    """

    name: str
    fabric: str
    folder: str
    management: str  # 10.255.0.2
    mac: str
    ports: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabHost:
    """One server as a network namespace. commands: of `ip -batch`, to configure it."""

    name: str
    interfaces: tuple[HostInterface, ...]
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabRouter:
    """An external router, or a server with BGP.

    Attributes:
        folder: Folder of its files.
        files: Content by path in the folder.
        commands: As those of a host.
        plays: Description of its role and routes.
    """

    name: str
    folder: str
    files: Mapping[str, str]
    commands: tuple[str, ...]
    plays: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabCable:
    """One cable: a veth pair. `a` is nearer to the servers."""

    a: str
    a_port: str
    b: str
    b_port: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A rendered file that the lab ignores, with the reason."""

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabPlan:
    """A complete lab.

    Attributes:
        gateway: Address of the lab in the management network, with its length.
        routers: External routers, and servers with BGP.
        beyond: Endpoints behind the external routers, numbered after `endpoints`.
        answered: Simulated external peers, by switch and label.
        guarded: Whether the kernel enforces zones.
        fresh: Switches that start from the image alone and request their configuration.
    """

    name: str
    site: str
    lifted: str | None
    gateway: str
    switches: tuple[LabSwitch, ...]
    hosts: tuple[LabHost, ...]
    cables: tuple[LabCable, ...]
    endpoints: tuple[Endpoint, ...]
    skipped: tuple[Skipped, ...]
    fresh: tuple[str, ...] = ()
    routers: tuple[LabRouter, ...] = ()
    beyond: tuple[Endpoint, ...] = ()
    answered: frozenset[tuple[str, str]] = frozenset()
    guarded: bool = False

    @property
    def names(self) -> frozenset[str]:
        """Return the names of its switches."""
        return frozenset(switch.name for switch in self.switches)

    def as_data(self) -> dict[str, Any]:
        """Return the plan as plain data, for the engine and for `lab status`."""
        return {**asdict(self), "answered": sorted(self.answered)}

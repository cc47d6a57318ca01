"""Defines the plan of a lab: switches with their files, hosts with their addresses, cables."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from fabricgen.compile.attached.host import Endpoint, HostInterface

BOOT = "boot"
"""Folder of what the lab serves to fresh switches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabSwitch:
    """One switch. `ports`: every interface of its model. folder: its files in the rendered tree.

    mac: of its management port, where the intent says it.
    """

    name: str
    fabric: str
    folder: str
    management: str  # 10.255.0.2
    mac: str
    ports: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabHost:
    """One server as a network namespace. commands: of `ip -batch`, which make it so."""

    name: str
    interfaces: tuple[HostInterface, ...]
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabRouter:
    """A router outside the site. folder: of its own files, which are here by their path in it.

    commands: as those of a host. plays: who it is and what it announces, for people.
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
    """What the lab does not do with the rendered files, and why."""

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabPlan:
    """A whole lab. gateway: the lab's own address in the management network, with its length.

    routers: outside the site. beyond: who can be reached behind them; to a measurement their
    numbers go on after those of `endpoints`. answered: by switch and label, the external peers that
    are there. guarded: its kernel enforces zones. fresh: switches that have nothing but their
    image, and ask for the rest.
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
        """Return it as plain data, for the engine and for `lab status`."""
        return {**asdict(self), "answered": sorted(self.answered)}

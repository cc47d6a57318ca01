"""What the templates of the system and its services may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because
    from fabricgen.nos.eos.view.entries import Entry


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hostname:
    """The name of the switch."""

    because: Because
    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Foundation:
    """What every EOS switch is told first; the VLANs from first to last are for routed ports."""

    shared: ClassVar[bool] = True
    because: Because
    first: int
    last: int
    spanning_tree: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AccountLine:
    """One line about a local account."""

    user: str
    says: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Accounts:
    """The local accounts."""

    shared: ClassVar[bool] = True
    because: Because
    lines: tuple[AccountLine, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Network:
    """The management VRF, its default gateway; LLDP, SSH and eAPI live there."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    gateway: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Hosts:
    """Servers of one kind, reached through the management VRF."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Text:
    """One line of text: the DNS domain, the login banner."""

    shared: ClassVar[bool] = True
    because: Because
    text: str


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Snmp:
    """SNMP v2c read access; `about` are the contact and location lines, if any."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    community: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Gnmi:
    """The gNMI server and, when they are known, the collectors that may connect."""

    shared: ClassVar[bool] = True
    because: Because
    vrf: str
    port: int
    collectors: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Management:
    """The services of a site; what it does not use is None."""

    network: Network
    accounts: Accounts | None
    syslog: Hosts | None
    dns: Hosts | None
    domain: Text | None
    snmp: Snmp | None
    banner: Text | None
    gnmi: Gnmi | None
    acl: Gnmi | None
    ntp: Hosts | None

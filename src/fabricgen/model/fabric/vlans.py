"""Defines VLANs with their gateways, and the VLANs of a server port."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import IntEnum, StrEnum

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.classes import Mark
from fabricgen.model.fabric.pinned import AS_COMPUTED, Pinned
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.settings.ports import PortProfile
from fabricgen.model.settings.setting import Resolved


class Announce(StrEnum):
    """Router advertisement of an IPv6 subnet: servers generate addresses, or ask by DHCPv6."""

    SLAAC = "slaac"
    DHCP = "dhcp"


class Multicast(StrEnum):
    """Delivery of IPv4 multicast: to receivers in the VLAN, or in all VLANs."""

    SNOOPED = "snooped"
    ROUTED = "routed"


BUNDLE_BASE = 10_000
"""Above every VLAN id: the distinguisher of a bundle differs from all VLANs and VRFs."""


@record(eq=False, kw_only=True)
class Bundle:
    """VLANs of a VRF as one EVPN instance, distinguished by Ethernet tag (RFC 7432, 6.3).

    `number`: the second half of its route distinguisher. `vni`: the VRF's, whose route target it
    has.
    """

    name: str
    number: int
    vni: int
    because: Provenance
    pinned: Pinned = AS_COMPUTED


@record(eq=False, kw_only=True)
class Vlan:
    """One VLAN. Without `vni` it is local to the leaf; without `gateways` it is bridged only.

    `gateways`: at most one of each family, IPv4 first. `description`: text of the intent, if given.
    `relays`: those of its VRF, if requests of its servers are relayed. `announce`: IPv6 router
    advertisement of its gateway, None if there is none. `bundle`: its VLAN-aware bundle, if it has
    no EVPN instance. `multicast`: None if its groups are flooded.
    """

    id: int
    name: str
    tenant: str
    vni: int | None
    vrf: str | None
    gateways: tuple[Ip, ...]
    because: Provenance
    description: str | None = None
    relays: tuple[Relay, ...] = ()
    announce: Announce | None = None
    bundle: Bundle | None = None
    multicast: Multicast | None = None
    pinned: Pinned = AS_COMPUTED

    @property
    def number(self) -> int:
        """The second half of its route distinguisher."""
        return self.id

    @property
    def text(self) -> str:
        """Its description in the intent, or its name."""
        return self.description or self.name

    def gateway(self, version: int) -> Ip | None:
        """Return the gateway of a family, 4 or 6; None if the VLAN has no such subnet."""
        return next((each for each in self.gateways if each.version == version), None)

    @property
    def subnet6(self) -> Ip:
        """Return its IPv6 gateway, which every advertising VLAN has."""
        gateway = self.gateway(6)
        assert gateway is not None
        return gateway


def bundles_of(vlans: Iterable[Vlan]) -> dict[Bundle, list[Vlan]]:
    """Return the EVPN instances of several VLANs by name, each with its local VLANs."""
    found: dict[Bundle, list[Vlan]] = {}
    for vlan in vlans:
        if vlan.bundle is not None and vlan.vni is not None:
            found.setdefault(vlan.bundle, []).append(vlan)
    return dict(sorted(found.items(), key=lambda each: each[0].name))


class Addressing(StrEnum):
    """Address assignment of a server; `announced`: IPv6 by router advertisement."""

    DHCP = "dhcp"
    STATIC = "static"
    ANNOUNCED = "announced"
    NONE = "none"


class DefaultRoutePriority(IntEnum):
    """Whether a server's default route uses a VLAN; the larger value decides."""

    NO = 0
    USUAL = 1  # untagged, or the first of the trunk
    SAID = 2


@record(kw_only=True)
class OnHost:
    """One VLAN on a server, IPv4 and IPv6 (six); `path`: its attachment in the intent.

    `first`: with static addresses, the host number of server 1 in the subnet. `reaches`: servers
    have routes by it to what its VRF imports, because their default route uses another VLAN.
    """

    addressing: Addressing
    six: Addressing
    way_out: DefaultRoutePriority
    path: IntentPath
    first: int = 0
    reaches: bool = False

    def of(self, version: int) -> Addressing:
        """Return the address assignment of a family, 4 or 6."""
        return self.six if version == 6 else self.addressing


@record(eq=False, kw_only=True)
class Carries:
    """VLANs of a server port: one untagged VLAN, tagged VLANs, or both.

    `on_host`: by VLAN, its use on the server, which no switch configures. `profile`: of the port,
    if given. `marks`: by VLAN, DSCPs that are written into packets of its server; empty if the
    fabric has no classes, or trusts them.
    """

    untagged: Vlan | None
    tagged: tuple[Vlan, ...]
    because: Provenance
    on_host: Mapping[int, OnHost] = field(default_factory=dict)
    profile: Resolved[PortProfile] | None = None
    marks: Mapping[int, Mark] = field(default_factory=dict)

    @property
    def vlans(self) -> tuple[Vlan, ...]:
        """Return all VLANs, the untagged one first."""
        return (self.untagged, *self.tagged) if self.untagged else self.tagged

    def joined(self, more: "Carries") -> "Carries":
        """Return the union of several attachments of one trunk."""
        vlans = {vlan.id: vlan for vlan in (*self.tagged, *more.tagged)}
        return Carries(
            untagged=self.untagged or more.untagged,
            tagged=tuple(vlans[number] for number in sorted(vlans)),
            because=Provenance((*self.because.paths, *more.because.paths), more.because.rule),
            on_host={**self.on_host, **more.on_host},
            profile=self.profile or more.profile,
            marks={**self.marks, **more.marks},
        )

    @property
    def numbered(self) -> bool:
        """Return whether servers have static addresses in one of them."""
        return any(
            Addressing.STATIC in (told.addressing, told.six) for told in self.on_host.values()
        )

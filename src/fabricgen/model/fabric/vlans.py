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
    """What gateways tell of an IPv6 subnet: servers make addresses of it, or ask by DHCPv6."""

    SLAAC = "slaac"
    DHCP = "dhcp"


class Multicast(StrEnum):
    """Where packets to a group of IPv4 go: to those that joined in the VLAN, or in all VLANs."""

    SNOOPED = "snooped"
    ROUTED = "routed"


BUNDLE_BASE = 10_000
"""Above every VLAN id: the distinguisher of a bundle is that of no VLAN and no VRF."""


@record(eq=False, kw_only=True)
class Bundle:
    """The VLANs of a VRF as one EVPN instance, told apart by their Ethernet tag (RFC 7432, 6.3).

    number: the second half of its route distinguisher. vni: the VRF's, whose route target it has.
    """

    name: str
    number: int
    vni: int
    because: Provenance
    pinned: Pinned = AS_COMPUTED


@record(eq=False, kw_only=True)
class Vlan:
    """One VLAN. Without `vni` it is local to the leaf; without `gateways` it is bridged only.

    gateways: at most one of each family, IPv4 first. description: what people wrote, if they did.
    relays: those of its VRF, where requests of its servers are relayed. announce: how its gateway
    announces itself as an IPv6 router, None where it does not. bundle: where it is no EVPN
    instance by itself. multicast: None where its groups are flooded.
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
        """What describes it: the words of its people, or its name."""
        return self.description or self.name

    def gateway(self, version: int) -> Ip | None:
        """Return the gateway of a family, 4 or 6; None where the VLAN has no subnet of it."""
        return next((each for each in self.gateways if each.version == version), None)

    @property
    def subnet6(self) -> Ip:
        """Return its IPv6 gateway, where it has one, as of each that announces itself."""
        gateway = self.gateway(6)
        assert gateway is not None
        return gateway


def bundles_of(vlans: Iterable[Vlan]) -> dict[Bundle, list[Vlan]]:
    """Return the EVPN instances of several VLANs, by name, each with its VLANs here."""
    found: dict[Bundle, list[Vlan]] = {}
    for vlan in vlans:
        if vlan.bundle is not None and vlan.vni is not None:
            found.setdefault(vlan.bundle, []).append(vlan)
    return dict(sorted(found.items(), key=lambda each: each[0].name))


class Addressing(StrEnum):
    """Where a server has its address in a VLAN from; announced: of IPv6, as routers there tell."""

    DHCP = "dhcp"
    STATIC = "static"
    ANNOUNCED = "announced"
    NONE = "none"


class DefaultRoutePriority(IntEnum):
    """Whether a server's default route goes by a VLAN; the larger one decides."""

    NO = 0
    USUAL = 1  # untagged, or the first of the trunk
    SAID = 2


@record(kw_only=True)
class OnHost:
    """How a server has one VLAN, IPv4 and IPv6 (six); path: the attachment that says it.

    first: with static, the place of server 1 in the subnet.
    """

    addressing: Addressing
    six: Addressing
    way_out: DefaultRoutePriority
    path: IntentPath
    first: int = 0

    def of(self, version: int) -> Addressing:
        """Return where it has its address of a family from, 4 or 6."""
        return self.six if version == 6 else self.addressing


@record(eq=False, kw_only=True)
class Carries:
    """What a server port carries: one untagged VLAN, tagged VLANs, or both.

    on_host: by VLAN, what the server makes of it; nothing of that is told a switch. profile: of
    the port, where it has one. marks: by VLAN, what is written into packets of its server; none
    where the fabric has no classes, or takes what they have.
    """

    untagged: Vlan | None
    tagged: tuple[Vlan, ...]
    because: Provenance
    on_host: Mapping[int, OnHost] = field(default_factory=dict)
    profile: Resolved[PortProfile] | None = None
    marks: Mapping[int, Mark] = field(default_factory=dict)

    @property
    def vlans(self) -> tuple[Vlan, ...]:
        """Return all of them, the untagged one first."""
        return (self.untagged, *self.tagged) if self.untagged else self.tagged

    def joined(self, more: "Carries") -> "Carries":
        """Let several attachments share a trunk."""
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
        """Tell whether servers have static addresses in one of them, each its own."""
        return any(
            Addressing.STATIC in (told.addressing, told.six) for told in self.on_host.values()
        )

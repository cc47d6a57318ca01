"""What the neutral half needs from a platform: how it spells the things that can be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fabricgen.fabric.addressing import Ip
    from fabricgen.fabric.facts import PortQueues
    from fabricgen.fabric.observed import Observed
    from fabricgen.fabric.overlay import Vrf
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.fabric.topology import Port
    from fabricgen.tree.facts import Attributes, Key


@record(kw_only=True)
class Names:
    """How a platform names what the design only numbers, and what its files leave unsaid.

    loopback: the interface that has the router ID; tunnel: that which VXLAN starts at; they may be
    one. gateway, bundle: of a VLAN's or bundle's number. unsaid: (role, attribute) of facts that
    its files do not hold: the platform has no line for them, or its default is the design's.
    more: what they say beyond the facts of every platform.
    """

    loopback: str
    tunnel: str
    management: str
    gateway: Callable[[int], str]
    bundle: Callable[[int], str]
    unsaid: frozenset[tuple[str, str]] = frozenset()
    more: Callable[[SwitchSlice], Iterable[tuple[Key, Attributes]]] | None = None


@record(kw_only=True)
class Spelling:
    """The names that a platform has for neutral things.

    loopback_own: addresses that its loopback has by itself; vrf_own: that its management VRF has.
    bridge_native: the VLAN that the bridge itself is in. bridge_mac: from the VTEP address, or the
    loopback's where there is none. queues: of each port in use, by its name.
    """

    port: Callable[[Port], str]
    loopback: str
    loopback_own: tuple[str, ...]
    management: str
    management_table: int
    vrf_own: tuple[str, ...]
    bridge: str
    bridge_native: int
    bridge_mac: Callable[[Ip], str]
    bond: Callable[[int], str]
    svi: Callable[[int], str]
    tunnel: Callable[[int], str]
    table: Callable[[Vrf], int]
    queues: Callable[[SwitchSlice], Mapping[str, PortQueues]]


@record()
class Reader:
    """How a platform is asked: one read-only shell script, and what its output says."""

    spelling: Spelling
    script: str
    parse: Callable[[str], Observed]

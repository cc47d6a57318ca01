"""Defines how a platform spells designed objects, the only platform input of the proofs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes, Key, Value
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.routing import Bfd
from fabricgen.model.fabric.switch import SwitchSlice

Place = tuple[Key, str]
"""An object, and the attribute or NAME of it that a value is."""


def _as_written(peer: str, reference: str) -> str:
    del peer
    return reference


@record(kw_only=True)
class Names:
    """How a platform names what the design only numbers, and what its files leave unsaid.

    loopback: the interface that has the router ID; tunnel: that which VXLAN starts at; they may be
    one. gateway, bundle: of a VLAN's or bundle's number. tagged: of a share of a port or bundle,
    by its name and the tag; through: of a tunnel, by cage and key. neighbor: of an address in a
    VLAN. vrf: the management VRF, where
    the intent cannot choose its name. unsaid: (role, attribute) of facts that its files do not
    hold: the platform has no line for them, or its default is the design's. fixed: what they say of
    all in a role, whatever the design. more: what they say beyond the facts of every platform.
    diagnostic: of the interface that has the diagnostic address of a VRF.
    timers: how they say those of BFD at a session. password: which reference a BGP password has
    there, by its neighbor or peer group and the one that is written. bundles: it has EVPN
    instances of several VLANs. profile_of_members: the profile of a bundle is that of each member.
    settings_of_members: so are the settings of its set of ports.
    withheld: the policy of a drained leaf keeps its segments to itself. files: every file of a
    switch, if they are not the same ones always. own: more values that are one switch's own;
    places: where each of them stands. numbers_rules: a rule has a number there; else its place in
    the list is its only name.
    """

    loopback: str
    tunnel: str
    management: str
    gateway: Callable[[int], str]
    bundle: Callable[[int], str]
    tagged: Callable[[str, int], str] = "{}.{}".format
    through: Callable[[int, int], str] | None = None
    neighbor: Callable[[Ip, int], str] | None = None
    diagnostic: Callable[[Vrf], str] | None = None
    vrf: str | None = None
    unsaid: frozenset[tuple[str, str]] = frozenset()
    fixed: Mapping[str, Attributes] = field(default_factory=dict)
    more: Callable[[SwitchSlice], Iterable[tuple[Key, Attributes]]] | None = None
    timers: Callable[[Bfd], Value] | None = None
    password: Callable[[str, str], str] = _as_written
    bundles: bool = False
    profile_of_members: bool = False
    settings_of_members: bool = False
    numbers_rules: bool = True
    withheld: bool = False
    files: Callable[[SwitchSlice], Iterable[str]] | None = None
    own: Callable[[SwitchSlice], list[str]] | None = None
    places: Callable[[SwitchSlice], list[tuple[Place, ...]]] | None = None

"""Define how a platform spells designed objects, the only platform input of the proofs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes, Key, Value
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.routing import Bfd
from fabricgen.model.fabric.switch import SwitchSlice

Place = tuple[Key, str]
"""An object, and the attribute or NAME that a value belongs to."""


def _as_written(peer: str, reference: str) -> str:
    del peer
    return reference


@record(kw_only=True)
class Names:
    """Names that a platform gives to numbered objects, and facts that its files omit.

    Attributes:
        loopback: Interface with the router ID.
        tunnel: Source interface of VXLAN, possibly the same one.
        gateway, bundle: Interface of a VLAN's or LAG's number.
        tagged: Interface of a share of a port or LAG, by its name and the tag.
        through: Interface of a tunnel, by cage and key.
        neighbor: Name of an address in a VLAN.
        vrf: Management VRF, if the intent cannot choose its name.
        unsaid: (role, attribute) of facts that its files omit, because the platform has no line or
            its
            default equals the design.
        fixed: Attributes of all objects in a role, in any design.
        more: Facts in addition to the facts of every platform.
        diagnostic: Interface with the diagnostic address of a VRF.
        timers: Spelling of BFD timers at a session.
        password: Reference of a BGP password, by its neighbor or peer group and the written
            reference.
        bundles: Whether it has VLAN-aware bundles.
        profile_of_members, settings_of_members: Whether each member of a LAG has the LAG's profile,
            or
            the settings of its set of ports.
        withheld: Policy of a drained leaf that does not advertise its segments.
        files: Every file of a switch, if the list varies.
        own, places: More values of one switch alone, and their places.
        numbers_rules: Whether rules have numbers. Otherwise the position is the name of a rule.
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

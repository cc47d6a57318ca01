"""Define the names and the build of FRR that the OS around it decides."""

from collections.abc import Callable

from fabricgen.core.record import record
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.topology import Port


@record(kw_only=True)
class FrrNames:
    """Names and build options that the network OS defines once.

    Attributes:
        port: Interface name of a port.
        loopback: Interface with the router ID.
        vrf: Spelling of a VRF.
        version: Version that the switch's FRR writes as `frr version`.
        multipath: `--enable-multipath` of its build, the default of `maximum-paths`. FRR never
            prints it.
        preamble: Lines that the OS needs before everything else.
        nexthop_objects: Whether zebra gives the kernel separate nexthop objects, FRR's default.
        group_keep: Seconds that zebra keeps a nexthop group without a route. None for FRR's 180.
        bundle: Interface name of a LAG. None without Ethernet segments.
        moves: Whether zebra itself must move the MACs of a segment's LAG that is down.
        gateway: Interface name of a VLAN. None if another program sends router advertisements.
        outward: Interface name of a port, LAG or tagged share towards an external router.
    """

    port: Callable[[Port], str]
    loopback: str
    vrf: Callable[[str], str] = str
    outward: Callable[[Interface], str]
    version: str
    multipath: int
    preamble: tuple[str, ...] = ()
    nexthop_objects: bool = True
    group_keep: int | None = None
    bundle: Callable[[int], str] | None = None
    moves: bool = False
    gateway: Callable[[int], str] | None = None

"""Define the names and the build of FRR that the OS around it decides."""

from collections.abc import Callable

from fabricgen.core.record import record
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.topology import Port


@record(kw_only=True)
class FrrNames:
    """Given by the network OS, once.

    port: interface name of a port. loopback: the interface that has the router ID. vrf: spelling of
    a VRF. version: what the box's FRR writes as `frr version`. multipath: the `--enable-multipath`
    of its build, which is the default of `maximum-paths` and therefore never printed. preamble:
    lines the OS needs before everything else. nexthop_objects: whether zebra gives the kernel
    nexthops as objects of their own, which is FRR's default. group_keep: seconds that zebra keeps a
    nexthop group without a route; None for FRR's own 180. bundle: interface name of a bundle; None
    where the OS has no Ethernet segments. gateway: interface name of a VLAN; None where another
    program announces routers. outward: interface name of a port, bundle or tagged share to the
    outside.
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
    gateway: Callable[[int], str] | None = None

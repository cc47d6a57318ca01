"""Slice a site by server: one slice for each server, with one side for each network."""

from collections.abc import Hashable, Iterator

from fabricgen.core.record import record
from fabricgen.model.fabric.jobs import JobPlan
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Server
from fabricgen.model.fabric.vlans import DefaultRoutePriority
from fabricgen.nos.hosts.bridged import BridgedSide, BridgedSlicer, Member, RoutedLink
from fabricgen.nos.hosts.routed import RoutedSide, RoutedSlicer


@record(eq=False, kw_only=True)
class HostSlice:
    """One server with a side for each set of its ports. `routed`: by fabric and set.

    `job`: the job that it belongs to.
    """

    server: Server
    routed: tuple[RoutedSide, ...]
    bridged: tuple[BridgedSide, ...]
    job: JobPlan | None = None

    @property
    def form(self) -> Hashable:
        """Return the values that decide all its files except its name; None if it has addresses."""
        if self.routed or self.links or self.job or any(each.addresses for each in self.members):
            return None
        return self.server.tool, *(
            (
                *(side.mtu, side.ports, side.bond, side.time),
                *((each.vlan, each.tagged, each.below, each.told) for each in side.members),
            )
            for side in self.bridged
        )

    @property
    def members(self) -> tuple[Member, ...]:
        return tuple(each for side in self.bridged for each in side.members)

    @property
    def links(self) -> tuple[RoutedLink, ...]:
        """Return its routed ports on evpn fabrics."""
        return tuple(each for side in self.bridged for each in side.links)

    def ways_out(self) -> tuple[Member, ...]:
        """Return the VLANs for the default route; if unambiguous, all of one VLAN.

        It is the named VLAN, else the untagged one, else the first of a trunk. With routed ports,
        which then have the default route, there is none.
        """
        able = [each for each in self.members if each.told.way_out]
        said = [each for each in able if each.told.way_out is DefaultRoutePriority.SAID]
        if self.links:
            return tuple(said)
        bare = [each for each in able if not each.tagged]
        return tuple(said or bare or able)

    @property
    def way_out(self) -> Member | None:
        """Return the VLAN of the default route, None if no VLAN has it."""
        ways = self.ways_out()
        return ways[0] if ways else None


class HostSlicer:
    """Slices a site by server, with shared parts of a fabric made once."""

    def __init__(self, site: Site) -> None:
        """Prepare every fabric with configured servers."""
        self._routed = [RoutedSlicer(each) for each in site.fabrics if each.hosts]
        self._bridged = [BridgedSlicer(each) for each in site.fabrics if each.overlay is not None]
        self._fabrics = site.fabrics
        self._jobs = {name: job for job in site.jobs for name in job.servers}

    def servers(self) -> Iterator[Server]:
        seen: set[str] = set()
        every: list[RoutedSlicer | BridgedSlicer] = [*self._routed, *self._bridged]
        for fabric in self._fabrics:
            slicers = [slicer for slicer in every if slicer.fabric is fabric]
            for server in fabric.topology.servers:
                if server.name not in seen and any(each.tells(server) for each in slicers):
                    seen.add(server.name)
                    yield server

    def slices(self) -> Iterator[HostSlice]:
        return map(self.slice, self.servers())

    def slice(self, server: Server) -> HostSlice:
        return HostSlice(
            server=server,
            routed=tuple(side for slicer in self._routed for side in slicer.sides(server)),
            bridged=self._sides(server),
            job=self._jobs.get(server.name),
        )

    def members(self, server: Server) -> tuple[Member, ...]:
        return tuple(each for side in self._sides(server) for each in side.members)

    def attached(self) -> Iterator[HostSlice]:
        """Yield the servers that tenants attach, with the tenants' settings alone.

        Servers with equal VLANs and no static addresses are represented by the first one.
        """
        alike: set[object] = set()
        for server in self._attachable().values():
            carried = [
                (slicer, each) for slicer in self._bridged for each in slicer.carried(server)
            ]
            routed = tuple(side for slicer in self._bridged for side in slicer.routed(server))
            vlans = tuple((network, carries) for _, (network, _, carries) in carried)
            key = (vlans, tuple(side.attached for side in routed))
            if key == ((), ()) or key in alike:
                continue
            if not any(carries.numbered for _, carries in vlans):
                alike.add(key)
            sides = (*(slicer.side(server, *each) for slicer, each in carried), *routed)
            yield HostSlice(server=server, routed=(), bridged=sides)

    def _attachable(self) -> dict[str, Server]:
        fabrics = (slicer.fabric for slicer in self._bridged)
        return {server.name: server for each in fabrics for server in each.topology.servers}

    def _sides(self, server: Server) -> tuple[BridgedSide, ...]:
        return tuple(side for slicer in self._bridged for side in slicer.sides(server))

"""Renders the files of single switches and servers of a site on request."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.compile.compiler import Cutter, Owner
    from fabricgen.compile.render import Renderer
    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site, SwitchSlice
    from fabricgen.model.fabric.topology import Link, Switch


@record(kw_only=True)
class ServerPort:
    """A port of a server, with the switch port at the other end of its cable.

    Attributes:
        name: Interface name on the server.
        network: Its set of ports in the intent.
        rail: Rail number from 1. 0 without a rail.
        bond: Bond mode of the set (none, lacp, active-backup).
    """

    fabric: str
    name: str
    network: str
    rail: int
    bond: str
    switch: str
    switch_port: str
    speed: str
    meters: int


class Workshop:
    """The compiler's tools for one designed site, each made on first use."""

    def __init__(self, site: Site, source: SourceMap) -> None:
        self.site, self.source = site, source

    @cached_property
    def cutter(self) -> Cutter:
        """Return what cuts the slice of a switch or server."""
        from fabricgen.compile.compiler import Cutter

        return Cutter(self.site)

    @cached_property
    def _renderer(self) -> Renderer:
        from fabricgen.compile.compiler import renderer_of

        return renderer_of(self.site.templates)

    @cached_property
    def configured_servers(self) -> dict[str, Any]:
        """Return the servers that have files, by name."""
        from fabricgen.nos.hosts.slices import HostSlicer

        return {server.name: server for server in HostSlicer(self.site).servers()}

    @cached_property
    def servers(self) -> dict[str, Any]:
        """Return every server of every fabric, by name."""
        return {
            server.name: server
            for fabric in self.site.fabrics
            for server in fabric.topology.servers
        }

    def cut(self, switch: Switch) -> SwitchSlice:
        """Return the slice of a switch."""
        from fabricgen.model.fabric.switch import SwitchSlice

        found = self.cutter.cut(switch)
        assert isinstance(found, SwitchSlice)
        return found

    def files(self, owner: Owner) -> Iterator[tuple[str, str, bool]]:
        """Yield path, text and permission of the files of a switch or server."""
        from fabricgen.compile.compiler import files_of, folder_of
        from fabricgen.model.fabric.topology import Switch

        if not isinstance(owner, Switch) and owner.name not in self.configured_servers:
            return
        folder = f"{folder_of(owner)}/"
        for file in files_of(self.cutter.cut(owner), self._renderer):
            yield file.path.removeprefix(folder), file.text, file.executable

    @cached_property
    def _links(self) -> dict[str, list[tuple[str, Link]]]:
        """Return the cables of each server, with the name of their fabric."""
        from fabricgen.model.fabric.topology import Server

        found: dict[str, list[tuple[str, Link]]] = {}
        for fabric in self.site.fabrics:
            for link in fabric.topology.links:
                if isinstance(link.lower, Server):
                    found.setdefault(link.lower.name, []).append((fabric.name, link))
        return found

    def ports_of(self, server: str) -> Iterator[ServerPort]:
        """Yield the cabled ports of a server."""
        from fabricgen.model.fabric.topology import Nic

        for fabric, link in self._links.get(server, ()):
            nic = link.lower_port
            assert isinstance(nic, Nic)
            yield ServerPort(
                fabric=fabric,
                name=nic.name,
                network=nic.network,
                rail=nic.rail,
                bond=nic.bond,
                switch=link.upper.name,
                switch_port=link.upper_port.label,
                speed=str(link.speed),
                meters=int(link.length),
            )

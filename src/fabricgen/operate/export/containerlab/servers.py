"""A site in; the commands that give each server of its lab its addresses and routes out."""

from collections.abc import Container, Iterator, Mapping

from fabricgen.compile.attached.host import AttachedHost, commands
from fabricgen.compile.attached.site import attached
from fabricgen.compile.compiler import HOSTS
from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Site

SYSCTL = "etc/sysctl.d/90-fabricgen.conf"


@record()
class ServerNode:
    """One server. binds: rendered files it reads. commands: run in it once the wires are there."""

    fabrics: tuple[str, ...]
    binds: tuple[str, ...]
    commands: tuple[str, ...]


def server_nodes(site: Site, switches: Container[str] | None = None) -> Mapping[str, ServerNode]:
    """Return every server, or those at these switches: one of two fabrics is one node."""
    return {
        name: ServerNode(
            tuple(host.fabrics),
            (f"{HOSTS}/{name}/{SYSCTL}:/{SYSCTL}:ro",) if host.routed else (),
            tuple(_commands(host)),
        )
        for name, host in attached(site, switches).items()
    }


def _commands(host: AttachedHost) -> Iterator[str]:
    if host.routed:
        yield f"sysctl -q -p /{SYSCTL}"
    yield from commands(host)

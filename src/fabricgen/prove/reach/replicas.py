"""Makes one station of each application, with the ports of its servers at every site."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from fabricgen.model.fabric.applications import Application
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.prove.reach.stand import Stand
from fabricgen.prove.walk.packet import End, Station

Piece = tuple[Fabric, SwitchSlice]


def applications(site: Site, pieces: Sequence[Piece]) -> Iterator[Stand]:
    """Yield the station of each application. `pieces`: the leafs with sessions to servers."""
    for told in site.applications:
        sites = [
            stand for name in told.sites if (stand := _replica(told, name, pieces)) is not None
        ]
        if sites:
            ends = tuple(end for stand in sites for end in stand.station.ends)
            also = tuple(each for stand in sites for each in stand.station.also)
            leafs = tuple(leaf for stand in sites for leaf in stand.leafs)
            station = replace(sites[0].station, ends=ends, also=also)
            yield replace(sites[0], station=station, leafs=leafs, replicas=tuple(sites))


def _replica(told: Application, fabric: str, pieces: Iterable[Piece]) -> Stand | None:
    """Return the servers of an application at one site."""
    found = [
        (home, piece, peer)
        for home, piece in pieces
        for peer in piece.peers
        if home.name == fabric and _may_advertise(peer, told)
    ]
    if not found:
        return None
    home, piece, first = found[0]
    also = tuple((_end(piece, peer), str(peer.peer_asn)) for _, piece, peer in found)
    station = Station(
        name=f"application:{told.name}",
        node=told.name,
        device="",
        fabric=fabric,
        network=f"application {told.name}",
        ends=tuple(end for end, _ in also),
        addresses=(str(told.address),),
        outside=True,
        asn=str(first.peer_asn),
        also=also,
    )
    return Stand(
        station=station,
        fabric=home,
        switch_slice=piece,
        leafs=tuple(dict.fromkeys(piece.switch.name for _, piece, _ in found)),
        vrf=told.vrf,
        because=first.because,
        peer=first,
    )


def _may_advertise(peer: ExternalPeer, told: Application) -> bool:
    holds = any(rule.prefix.holds(told.address) for rule in peer.accept)
    return peer.inside and peer.vrf == told.vrf and holds


def _end(piece: SwitchSlice, peer: ExternalPeer) -> End:
    return End(piece.switch.name, spell(piece.switch, peer.interface.port))

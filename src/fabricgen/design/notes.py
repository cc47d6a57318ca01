"""Interfaces and external peers of a switch in; the same with what is said of their ports out."""

from dataclasses import replace

from fabricgen.fabric.because import Because
from fabricgen.fabric.external import ExternalPeer
from fabricgen.fabric.switch import Fabric, Interface
from fabricgen.fabric.topology import Switch, Topology


def noted(topology: Topology, switch: Switch, interface: Interface) -> Interface:
    """Return an interface with what people say of its port."""
    note = topology.notes.get((switch.name, interface.port.label))
    if note is None:
        return interface
    said, made = note.because, interface.because
    because = Because((*said.paths, *made.paths), f"{said.rule}; {made.rule}")
    return replace(interface, note=note, because=because)


def outside_of(fabric: Fabric, switch: Switch) -> tuple[ExternalPeer, ...]:
    """Return the external peers of a switch, each by its port with what people say of that."""
    every = fabric.overlay.external.get(switch.name, ()) if fabric.overlay else ()
    if not fabric.topology.notes:
        return every
    return tuple(
        replace(peer, interface=noted(fabric.topology, switch, peer.interface))
        if peer.interface.tag is None
        else peer
        for peer in every
    )

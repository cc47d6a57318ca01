"""Build the descriptions of ports from the patterns and notes of the intent."""

from dataclasses import fields, replace

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.model.site import SiteWords
from fabricgen.intent.paths import at
from fabricgen.model.fabric.descriptions import BOTH_ENDS, Description, Descriptions
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Switch, Topology


def descriptions_of(whole: SiteWords, words: FabricWords) -> Descriptions:
    """Return the description patterns of a fabric, or of the site."""
    site = words.stands(whole)
    own = words.unless_refused("descriptions"), words.at("descriptions")
    every = (own, (whole.unless_refused("descriptions"), at("site", "descriptions")))
    said = {
        each.name: _described(text, (*path, each.name), site)
        for each in fields(Descriptions)
        for source, path in reversed(every)
        if source is not None and (text := source.unless_refused(each.name)) is not None
    }
    return Descriptions(**said) if said else BOTH_ENDS


def _described(text: str, path: IntentPath, site: str) -> Description:
    """Return a pattern for the model; the name of the site is filled in already."""
    because = Provenance((path,), "the intent sets the interface descriptions")
    return Description(text.replace("{site}", site), because)


def noted(topology: Topology, switch: Switch, interface: Interface) -> Interface:
    """Return an interface with the description of its port."""
    note = topology.notes.get((switch.name, interface.port.label))
    if note is None:
        return interface
    said, made = note.because, interface.because
    because = Provenance((*said.paths, *made.paths), f"{said.rule}; {made.rule}")
    return replace(interface, note=note, because=because)


def outside_of(fabric: Fabric, switch: Switch) -> tuple[ExternalPeer, ...]:
    """Return the external peers of a switch by port, with the description of the port."""
    every = fabric.overlay.external.get(switch.name, ()) if fabric.overlay else ()
    if not fabric.topology.notes:
        return every
    return tuple(
        replace(peer, interface=noted(fabric.topology, switch, peer.interface))
        if peer.interface.tag is None
        else peer
        for peer in every
    )

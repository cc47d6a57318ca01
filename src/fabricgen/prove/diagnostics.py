"""State what the files of a leaf say of its diagnostic addresses."""

from collections.abc import Iterator

from fabricgen.core.tree.facts import Attributes, Key
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.because import Because
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.show import UP
from fabricgen.nos.spelling import Names


def said_of_diagnostics(
    piece: SwitchSlice, names: Names
) -> Iterator[tuple[Key, Attributes, Because]]:
    """Yield the interface of each diagnostic address. It is in the VRF, and always up."""
    for vrf, port, source, because in diagnostics_of(piece, names):
        yield ("interface", port), {"link": UP, "address": (str(source),), "vrf": vrf}, because


def diagnostics_of(piece: SwitchSlice, names: Names) -> Iterator[tuple[str, str, Ip, Because]]:
    """Yield the VRF, the interface, the address and the reason of each diagnostic address."""
    for vrf in piece.vrfs:
        if vrf.diagnostics is not None and names.diagnostic is not None:
            source, because = vrf.diagnostics.address(piece.switch), vrf.diagnostics.because
            yield vrf.name, names.diagnostic(vrf), source, because
